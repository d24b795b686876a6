"""The exact chance to win one card in a turn when nothing else is wanted, for judging a deck's values.

A turn is solved from its end: what some kept dice are worth follows by adding one thrown die at a time,
what may best be kept by leaving out one die at a time.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement

from companion.game.cards import Card, makes
from companion.game.dice import DEFAULT_COLOURS

WHITES, BLACKS, THROWS = 4, 2, 3

Lying = tuple[str, ...]
"""The colours of some dice of one body, sorted."""

Expected = Callable[[Lying, Lying, bool], float]
"""The chance when these white and black dice stay and the rest is thrown; whether both black ones are."""


def chance_of_a_turn(card: Card) -> float:
    """Return the highest chance to make the card within three throws, the black-dice change included."""

    @cache
    def made(dice: Lying) -> bool:
        return makes(card, dice)

    def made_now(whites: Lying, blacks: Lying) -> bool:
        return made(tuple(sorted(whites + blacks)))

    kept_worth: dict[tuple[Lying, Lying], float] = {}
    expected = _throwing(made_now, kept_worth)
    for _ in range(THROWS - 1):
        kept_worth = _keeping(expected)
        expected = _throwing(made_now, kept_worth)
    return expected((), (), True)


def _sets(count: int) -> Iterator[Lying]:
    for colours in combinations_with_replacement(DEFAULT_COLOURS, count):
        yield tuple(sorted(colours))


def _with(dice: Lying, colour: str) -> Lying:
    return tuple(sorted((*dice, colour)))


def _without_one(dice: Lying) -> Iterator[Lying]:
    for colour in set(dice):
        at = dice.index(colour)
        yield dice[:at] + dice[at + 1 :]


def _throwing(made: Callable[[Lying, Lying], bool], kept_worth: dict[tuple[Lying, Lying], float]) -> Expected:
    """Return what throwing the dice that are not kept is worth; `kept_worth` is empty for throw 3."""

    @cache
    def expected(whites: Lying, blacks: Lying, both_thrown: bool) -> float:
        if len(whites) < WHITES:
            return sum(expected(_with(whites, c), blacks, both_thrown) for c in DEFAULT_COLOURS) / 6
        if len(blacks) < BLACKS:
            return sum(expected(whites, _with(blacks, c), both_thrown) for c in DEFAULT_COLOURS) / 6
        lying = [(whites, blacks)]
        if both_thrown and blacks[0] == blacks[1]:
            lying += [(_with(rest, c), blacks) for rest in _without_one(whites) for c in DEFAULT_COLOURS]
            lying += [(whites, _with(blacks[:1], c)) for c in DEFAULT_COLOURS]
        if any(made(*dice) for dice in lying):
            return 1.0
        return max(kept_worth[dice] for dice in lying) if kept_worth else 0.0

    return expected


def _keeping(expected: Expected) -> dict[tuple[Lying, Lying], float]:
    """Return for dice that lie there the best chance over all ways to keep none to five of them."""
    best: dict[tuple[Lying, Lying], float] = {}
    for white_count in range(WHITES + 1):
        for black_count in range(BLACKS + 1):
            for whites in _sets(white_count):
                for blacks in _sets(black_count):
                    worths = [best[fewer, blacks] for fewer in _without_one(whites)]
                    worths += [best[whites, fewer] for fewer in _without_one(blacks)]
                    if white_count + black_count < WHITES + BLACKS:
                        worths.append(expected(whites, blacks, not blacks))
                    best[whites, blacks] = max(worths)
    return best
