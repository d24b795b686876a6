"""The odds of a turn agree with an independent brute force, and with known values."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from companion.coach.odds import Odds, odds, value_of_throwing
from companion.coach.position import Position
from companion.game.cards import Card, Group, combination_is_possible
from companion.game.dice import DEFAULT_COLOURS, Body, Change, Die

from .brute_force import BODIES, BruteForce, Dice, Groups

AGREEMENT = 1e-9

KNOWN = {  # a single free card, from the start of a turn, rounded
    "three of a kind": ((3,), 0.9205),
    "full house": ((3, 2), 0.8085),
    "four of a kind": ((4,), 0.5990),
    "triple pair": ((2, 2, 2), 0.4742),
    "four and pair": ((4, 2), 0.3219),
    "double three of a kind": ((3, 3), 0.2719),
    "small colour": ((5,), 0.2326),
    "large colour": ((6,), 0.0460),
}


@pytest.mark.parametrize(("sizes", "chance"), KNOWN.values(), ids=KNOWN)
def test_known_chance_of_one_free_card(sizes: tuple[int, ...], chance: float) -> None:
    answer = odds(Position((Card(tuple(Group(size) for size in sizes), 3), None, None)))
    assert answer.chance[0] == pytest.approx(chance, abs=5e-5)
    assert answer.any == answer.chance[0]
    assert answer.points == pytest.approx(3 * answer.chance[0], abs=AGREEMENT)
    assert (answer.keep, answer.take, answer.change) == ((), None, None)


def brute_groups(card: Card) -> Groups:
    return tuple(
        (group.size, None if group.colour is None else DEFAULT_COLOURS.index(group.colour))
        for group in card.groups
    )


def brute_dice(dice: tuple[Die, ...]) -> Dice:
    return tuple(sorted((die.body[0], DEFAULT_COLOURS.index(die.colour)) for die in dice))


def brute_value(position: Position, worth: dict[int, float]) -> float:
    cards = {h: brute_groups(card) for h, card in enumerate(position.cards) if card is not None}
    solver = BruteForce(cards, {h: worth[h] for h in cards})
    if position.dice is None:
        return solver.from_start(position.lost)
    dice = brute_dice(position.dice)
    if position.inherited:
        return solver.inherited(dice, position.lost)
    return solver.after_throw(dice, position.change_open, position.lost, position.throw)


def assert_agrees(position: Position) -> None:
    """Compare all chances, the points, and what the advised move is worth."""
    answer = odds(position)
    points = {h: float(card.points) for h, card in enumerate(position.cards) if card is not None}
    for holder in range(3):
        card_alone = {h: float(h == holder) for h in points}
        expected = brute_value(position, card_alone) if position.cards[holder] else 0.0
        assert answer.chance[holder] == pytest.approx(expected, abs=AGREEMENT), f"holder {holder}"
    assert answer.any == pytest.approx(brute_value(position, dict.fromkeys(points, 1.0)), abs=AGREEMENT)
    assert answer.points == pytest.approx(brute_value(position, points), abs=AGREEMENT)
    assert value_of_move(position, answer) == pytest.approx(answer.points, abs=AGREEMENT)


def value_of_move(position: Position, answer: Odds) -> float:
    """The brute force's value of the move that the coach advises: it must reach the points it promises."""
    cards = {h: brute_groups(card) for h, card in enumerate(position.cards) if card is not None}
    points = {h: float(card.points) for h, card in enumerate(position.cards) if card is not None}
    solver = BruteForce(cards, points)
    dice = list(position.dice or ())
    if answer.change is not None:
        assert position.change_open
        dice[answer.change.die] = Die(dice[answer.change.die].body, answer.change.colour)
    if answer.take is not None:
        assert answer.take in solver.takeable(brute_dice(tuple(dice)), False) - position.lost
        return points[answer.take]
    if answer.keep is None:
        assert position.throw == 3
        return 0.0
    assert answer.change is None or answer.change.die in answer.keep
    if not answer.keep and (position.inherited or position.dice is None):
        return solver.from_start(position.lost)
    lost = position.lost
    if not position.inherited:
        lost |= solver.takeable(brute_dice(position.dice or ()), position.change_open)
    keep = tuple(sorted(brute_dice(tuple(dice[i] for i in answer.keep))))
    thrown = list(BODIES)
    for body, _ in keep:
        thrown.remove(body)
    return solver.keeping(keep, tuple(thrown), lost, 1 if position.inherited else position.throw)


def random_card(rng: random.Random) -> Card:
    while True:
        groups = [
            Group(rng.randint(1, 6), rng.choice((None, None, *DEFAULT_COLOURS)))
            for _ in range(rng.randint(1, 3))
        ]
        if combination_is_possible(groups):
            return Card(tuple(groups), rng.randint(0, 6))


def random_dice(rng: random.Random, throw: int) -> tuple[Die, ...]:
    colours = rng.sample(DEFAULT_COLOURS, rng.randint(2, 6))
    bodies = [Body.WHITE] * 4 + [Body.BLACK] * 2
    rng.shuffle(bodies)
    kept = throw > 1 and rng.random() < 0.5
    dice = [Die(body, rng.choice(colours), kept and rng.random() < 0.5) for body in bodies]
    return tuple(dice) if not all(die.kept for die in dice) else tuple(Die(d.body, d.colour) for d in dice)


def random_position(rng: random.Random, throw: int) -> Position:
    cards = tuple(None if rng.random() < 0.1 else random_card(rng) for _ in range(3))
    lost = frozenset(h for h in range(3) if throw > 1 and rng.random() < 0.2)
    return Position(cards, lost, random_dice(rng, throw), throw)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("throw", [2, 3])
def test_late_positions_agree_with_brute_force(throw: int, seed: int) -> None:
    assert_agrees(random_position(random.Random(f"{throw}-{seed}"), throw))


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("throw", [2, 3])
def test_worths_below_zero_agree_with_brute_force(throw: int, seed: int) -> None:
    """Rule 3.5 can force a card on a player, who may avoid it by losing it first (rule 3.4)."""
    rng = random.Random(f"worth-{throw}-{seed}")
    position = random_position(rng, throw)
    worths = tuple(round(rng.uniform(-3, 3), 2) for _ in range(3))
    expected = brute_value(position, dict(enumerate(worths)))
    answer = odds(replace(position, worth=worths))
    assert answer.points == pytest.approx(expected, abs=AGREEMENT)
    assert answer.chance == odds(position).chance


@pytest.mark.parametrize("seed", range(10))
def test_each_way_to_throw_is_worth_what_brute_force_says(seed: int) -> None:
    rng = random.Random(f"throwing-{seed}")
    position = random_position(rng, 2)
    assert position.dice is not None
    cards = {h: brute_groups(card) for h, card in enumerate(position.cards) if card is not None}
    solver = BruteForce(cards, {h: position.worth_of(h) for h in cards})
    lost = position.lost | solver.takeable(brute_dice(position.dice), position.change_open)
    values = []
    for count in range(6):
        for kept in combinations(position.dice, count):
            value = value_of_throwing(position, kept)
            left = list(BODIES)
            for die in kept:
                left.remove(die.body[0])
            keep = tuple(sorted((die.body[0], DEFAULT_COLOURS.index(die.colour)) for die in kept))
            assert value == pytest.approx(solver.keeping(keep, tuple(left), lost, 2), abs=AGREEMENT)
            values.append(value)
    assert max(values) <= odds(position).points + AGREEMENT


def test_after_throw_3_there_is_nothing_to_throw() -> None:
    position = Position((None,) * 3, dice=dice_of("rrrr", "gb"), throw=3)
    with pytest.raises(ValueError, match="nothing left to throw"):
        value_of_throwing(position, ())


def test_early_positions_agree_with_brute_force() -> None:
    """Two cards, the likelier one worth less: taking it, or losing it for the other (rule 3.4)."""
    cards = (Card((Group(3), Group(2, "red")), 2), None, Card((Group(4), Group(2)), 5))
    solver = BruteForce({0: brute_groups(cards[0]), 2: brute_groups(cards[2])}, {0: 2.0, 2: 5.0})
    nothing: frozenset[int] = frozenset()
    assert odds(Position(cards)).points == pytest.approx(solver.from_start(nothing), abs=AGREEMENT)
    rng = random.Random("early")
    for _ in range(20):
        dice = random_dice(rng, 1)
        after_one = Position(cards, nothing, dice, throw=1)
        expected = solver.after_throw(brute_dice(dice), after_one.change_open, nothing, 1)
        assert odds(after_one).points == pytest.approx(expected, abs=AGREEMENT)
        inherited = solver.inherited(brute_dice(dice), nothing)
        assert odds(Position(cards, nothing, dice, 0, inherited=True)).points == pytest.approx(
            inherited, abs=AGREEMENT
        )


W, B = Body.WHITE, Body.BLACK


def dice_of(whites: str, blacks: str, kept: str = "......") -> tuple[Die, ...]:
    """Dice by the first letters of their colours, whites first; `kept` marks kept dice with k."""
    names = {colour[0]: colour for colour in DEFAULT_COLOURS}
    bodies = [W] * 4 + [B] * 2
    return tuple(
        Die(body, names[c], k == "k") for body, c, k in zip(bodies, whites + blacks, kept, strict=True)
    )


def test_rule_3_4_throwing_again_costs_the_card_that_could_be_taken() -> None:
    """Four reds on the table: the rulebook's example, four alike for 2 now, or five alike for 3 by luck."""
    four, five = Card((Group(4),), 2), Card((Group(5),), 3)
    after_two = odds(Position((four, five, None), dice=dice_of("rrrr", "gb"), throw=2))
    assert after_two.chance[0] == 1.0
    assert after_two.take == 0
    assert after_two.points == 2.0
    after_one = odds(Position((four, five, None), dice=dice_of("rrrr", "gb"), throw=1))
    assert after_one.take is None
    assert after_one.keep == (0, 1, 2, 3)
    assert after_one.points == pytest.approx(3 * after_one.chance[1])


def test_rule_5_2_the_change_can_be_kept() -> None:
    """Two black greens just thrown beside four reds: one becomes red and is kept, the other thrown."""
    six = Card((Group(6, "red"),), 6)
    answer = odds(Position((six, None, None), dice=dice_of("rrrr", "gg"), throw=2))
    assert answer.change == Change(4, "red")
    assert answer.keep == (0, 1, 2, 3, 4)
    assert answer.chance[0] == pytest.approx(1 / 6)


def test_rule_5_2_the_change_can_make_a_card() -> None:
    five = Card((Group(5, "red"),), 3)
    answer = odds(Position((five, None, None), dice=dice_of("rrry", "rr"), throw=3))
    assert answer == Odds((1.0, 0.0, 0.0), 1.0, 3.0, None, None, 0)
    answer = odds(Position((five, None, None), dice=dice_of("rrry", "gg"), throw=3))
    assert answer.chance == (0.0, 0.0, 0.0)
    four = Card((Group(4, "red"),), 3)
    answer = odds(Position((four, None, None), dice=dice_of("rrry", "gg"), throw=3))
    assert answer == Odds((1.0, 0.0, 0.0), 1.0, 3.0, None, Change(3, "red"), 0)


def test_rule_5_1_kept_black_dice_give_no_change() -> None:
    four = Card((Group(4, "red"),), 3)
    answer = odds(Position((four, None, None), dice=dice_of("rrry", "gg", "....k."), throw=3))
    assert answer.points == 0.0


@pytest.mark.parametrize(
    ("position", "says"),
    [
        (lambda: Position((None, None)), "3 cards"),
        (lambda: Position((None,) * 3, throw=4), "0 to 3"),
        (lambda: Position((None,) * 3, throw=1), "dice lie there after a throw"),
        (lambda: Position((None,) * 3, dice=dice_of("rrrr", "rr"), throw=0), "dice lie there after a throw"),
        (lambda: Position((None,) * 3, inherited=True), "inherited"),
        (lambda: Position((None,) * 3, dice=dice_of("rrrr", "rr")[:5], throw=1), "four white"),
    ],
)
def test_impossible_positions_are_refused(position: object, says: str) -> None:
    assert callable(position)
    with pytest.raises(ValueError, match=says):
        position()
