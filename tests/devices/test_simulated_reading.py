"""The simulated table is honest input: calibrated and read like a real one, and read rightly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from companion.devices.simulated import handling
from companion.devices.simulated.piles import Piles
from companion.devices.simulated.scene import Place, Scene, SceneDie
from companion.devices.simulated.table import SimulatedTable
from companion.game.deck import default_deck
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from companion.vision.reading import DieSeen, Reading

SEEDS = (1, 2, 3)
THROWS = 7
NEAR_PX = 12.0
DICE = 6


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of many pictures."""

    dice: int
    right: int
    pictures: int
    trusted: int
    trusted_but_wrong: int


def rightly_seen(table: SimulatedTable, die: SceneDie, reading: Reading) -> DieSeen | None:
    """The die of the reading that stands where this one does and is told rightly."""
    box = die.box()
    top = box.centre_mm + np.array([0.0, 0.0, box.half_mm[2]])
    place = table.pose.project(top[None])[0]
    for seen in reading.dice:
        near = np.hypot(seen.centre_px[0] - place[0], seen.centre_px[1] - place[1]) < NEAR_PX
        if near and (seen.body, seen.colour, seen.zone) == (str(die.body), die.colour, str(die.place)):
            return seen
    return None


def played(seed: int) -> Tally:
    """Throw, keep some, read; again and again."""
    table = SimulatedTable(seed)
    profile = table.calibrated()
    rng = np.random.default_rng(seed)
    right = trusted = wrong = 0
    for _ in range(THROWS):
        table.throw()
        for index in rng.permutation(DICE)[: int(rng.integers(0, DICE))]:
            table.move_die(int(index))
        reading = read_picture(table.capture(), profile)
        found = sum(rightly_seen(table, die, reading) is not None for die in table.moment().scene.dice)
        right += found
        trusted += reading.trusted
        wrong += reading.trusted and (found < DICE or len(reading.dice) != DICE)
    return Tally(DICE * THROWS, right, THROWS, trusted, wrong)


def test_thrown_and_kept_dice_are_read_rightly() -> None:
    tallies = [played(seed) for seed in SEEDS]
    dice = sum(tally.dice for tally in tallies)
    pictures = sum(tally.pictures for tally in tallies)
    assert sum(tally.trusted_but_wrong for tally in tallies) == 0
    assert sum(tally.right for tally in tallies) >= 0.99 * dice, tallies
    assert sum(tally.trusted for tally in tallies) >= 0.9 * pictures, tallies


def test_a_profile_of_the_simulated_table_is_kept_like_any_other() -> None:
    table = SimulatedTable(1)
    profile = table.calibrated()
    again = Profile.from_json(profile.to_json())
    table.throw()
    assert read_picture(table.capture(), again) == read_picture(table.capture(), profile)


@pytest.mark.parametrize("seed", SEEDS)
def test_leaning_and_lost_dice_are_never_trusted(seed: int) -> None:
    table = SimulatedTable(seed)
    profile = table.calibrated()
    for spoil in (table.lean_die, table.lose_die):
        for _ in range(3):
            table.throw()
            spoil()
            assert not read_picture(table.capture(), profile).trusted, table.moment().scene
            table.tidy()


def test_cards_in_the_holders_change_nothing_for_the_dice() -> None:
    table = SimulatedTable(4)
    profile = table.calibrated()
    table.throw()
    before = read_picture(table.capture(), profile)
    piles = Piles(default_deck().cards, "some game")
    table.show_cards((piles.visible(0, 15), piles.visible(1, 15), piles.visible(2, 15)))
    after = read_picture(table.capture(), profile)
    assert [(die.body, die.colour, die.zone) for die in after.dice] == [
        (die.body, die.colour, die.zone) for die in before.dice
    ]
    assert after.trusted == before.trusted


def test_the_seed_decides_the_throws() -> None:
    one, other = SimulatedTable(8), SimulatedTable(8)
    for table in (one, other):
        table.throw()
        table.move_die(2)
        table.throw()
    assert one.moment() == other.moment()
    assert one.moment().scene.dice[2].place is Place.RESERVE
    assert (one.capture() == other.capture()).all()


def test_with_all_dice_aside_nothing_is_thrown() -> None:
    table = SimulatedTable(1)
    for index in range(DICE):
        table.move_die(index)
    before: Scene = table.moment().scene
    assert table.throw() == ()
    assert table.moment().scene == before
    assert len(table.throw(everything=True)) == DICE
    assert handling.overlap(*table.moment().scene.dice[:2]) is False
