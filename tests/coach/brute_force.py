"""An independent solver of one turn, straight from the rules: plain recursion over dice, no matrices.

It shares no code with the coach. Dice are (body, colour) pairs, body "b" or "w", colours 0 to 5, and every
throw enumerates every outcome.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

Groups = tuple[tuple[int, int | None], ...]
"""Groups as (size, colour or None)."""
Dice = tuple[tuple[str, int], ...]
COLOURS = 6
BODIES = ("b", "b", "w", "w", "w", "w")


@cache
def makes(groups: Groups, colours: tuple[int, ...]) -> bool:
    """Hand out dice to groups, trying every choice of dice (rule 2.3)."""
    if not groups:
        return True
    size, named = groups[0]
    for chosen in combinations(range(len(colours)), size):
        shown = {colours[i] for i in chosen}
        if len(shown) == 1 and (named is None or shown == {named}):
            rest = tuple(c for i, c in enumerate(colours) if i not in chosen)
            if makes(groups[1:], rest):
                return True
    return False


@cache
def outcomes(thrown: tuple[str, ...]) -> tuple[tuple[Dice, float], ...]:
    """Every different outcome of throwing dice of these bodies, with its probability."""
    seen = Counter(
        tuple(sorted(zip(thrown, colours, strict=True)))
        for colours in product(range(COLOURS), repeat=len(thrown))
    )
    return tuple((dice, ways / COLOURS ** len(thrown)) for dice, ways in seen.items())


def turned(dice: Dice) -> Iterator[tuple[Dice, int]]:
    """Every way to turn one die to another colour, and which die it was (rule 5.1)."""
    for i, (body, colour) in enumerate(dice):
        for new in range(COLOURS):
            if new != colour:
                yield (*dice[:i], (body, new), *dice[i + 1 :]), i


class BruteForce:
    """The best expected worth of the card taken in one turn; `worth` says what each holder's is worth."""

    def __init__(self, cards: dict[int, Groups], worth: dict[int, float]) -> None:
        self.cards = cards
        self.worth = worth
        self.after_throw = cache(self._after_throw)
        self.keeping = cache(self._keeping)
        self.takeable = cache(self._takeable)

    def from_start(self, lost: frozenset[int]) -> float:
        """The value before the first throw."""
        return self.keeping((), BODIES, lost, 0)

    def inherited(self, dice: Dice, lost: frozenset[int]) -> float:
        """The value with a failed player's dice: all six as throw 1, or some kept as throw 2 (rule 3.8)."""
        keeping_some = max(
            self.keeping(keep, thrown, lost, 1) for keep, thrown in self.keeps(dice, frozenset()) if keep
        )
        return max(self.from_start(lost), keeping_some)

    def _after_throw(self, dice: Dice, change: bool, lost: frozenset[int], made: int) -> float:
        """The value just after throw `made`; `change`: both black dice were thrown and look alike."""
        open_now = self.takeable(dice, change) - lost
        best = max((self.worth[h] for h in open_now), default=float("-inf"))
        if made == 3:
            # A card made without the change has to be taken (rule 3.5).
            return best if self.takeable(dice, False) - lost else max(best, 0.0)
        again = self.keeps(dice, frozenset())
        if change:
            again = again.union(*(self.keeps(variant, frozenset({die})) for variant, die in turned(dice)))
        # What could be taken now is lost by throwing again (rule 3.4).
        return max(best, *(self.keeping(keep, thrown, lost | open_now, made) for keep, thrown in again))

    def _takeable(self, dice: Dice, change: bool) -> frozenset[int]:
        variants = [dice, *(variant for variant, _ in turned(dice))] if change else [dice]
        shown = {tuple(sorted(colour for _, colour in variant)) for variant in variants}
        return frozenset(h for h, groups in self.cards.items() if any(makes(groups, s) for s in shown))

    @staticmethod
    @cache
    def keeps(dice: Dice, must: frozenset[int]) -> frozenset[tuple[Dice, tuple[str, ...]]]:
        """Every choice of none to five dice to keep (those in `must` among them), and the bodies thrown."""
        return frozenset(
            (
                tuple(sorted(dice[i] for i in kept)),
                tuple(sorted(body for i, (body, _) in enumerate(dice) if i not in kept)),
            )
            for count in range(len(dice))
            for kept in combinations(range(len(dice)), count)
            if must <= set(kept)
        )

    def _keeping(self, keep: Dice, thrown: tuple[str, ...], lost: frozenset[int], made: int) -> float:
        value = 0.0
        for outcome, chance in outcomes(thrown):
            blacks = [colour for body, colour in outcome if body == "b"]
            change = len(blacks) == 2 and blacks[0] == blacks[1]
            value += chance * self.after_throw(tuple(sorted(keep + outcome)), change, lost, made + 1)
        return value
