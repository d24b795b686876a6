"""The scene: dice lie where dice can lie, and people's hands change what they mean to."""

import math
from collections import Counter

import numpy as np
import pytest

from companion.devices.simulated import handling, layout
from companion.devices.simulated.inks import COLOURS
from companion.devices.simulated.piles import Piles
from companion.devices.simulated.scene import FACE_AXES, Place, Scene, SceneDie, fresh_dice
from companion.game.cards import Card
from companion.game.deck import default_deck
from companion.game.dice import Body
from companion.game.events import PILE_SIZE

ALL_SIX = range(6)


def on_track(scene: Scene) -> list[SceneDie]:
    return [die for die in scene.dice if die.place is Place.TRACK]


@pytest.mark.parametrize("seed", range(20))
def test_thrown_dice_lie_on_the_track_and_not_in_each_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene(fresh_dice())
    for _ in range(10):
        scene = handling.throw(scene, ALL_SIX, rng, touch_share=0.5)
        for die in scene.dice:
            corners = die.footprint_mm()
            assert (corners >= 0).all()
            assert (corners <= layout.TRACK_MM).all()
        for index, die in enumerate(scene.dice):
            assert not any(handling.overlap(die, other) for other in scene.dice[index + 1 :])


def test_touching_dice_do_occur() -> None:
    rng = np.random.default_rng(3)
    nearest = []
    for _ in range(40):
        dice = handling.throw(Scene(fresh_dice()), ALL_SIX, rng).dice
        nearest += [
            min(math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for b in dice if b is not a) for a in dice
        ]
    touching = sum(distance < 1.25 * layout.DIE_MM for distance in nearest)
    assert 0.05 < touching / len(nearest) < 0.6


def test_faces_come_up_equally_often() -> None:
    rng = np.random.default_rng(11)
    scene = Scene(fresh_dice())
    counts: Counter[str] = Counter()
    for _ in range(300):
        scene = handling.throw(scene, ALL_SIX, rng)
        counts.update(die.colour for die in scene.dice)
    assert set(counts) == set(COLOURS)
    # 1800 faces, 300 expected of each: five standard deviations are 79.
    assert all(abs(count - 300) < 79 for count in counts.values())


def test_the_same_seed_throws_the_same() -> None:
    one = handling.throw(Scene(fresh_dice()), ALL_SIX, np.random.default_rng(5))
    assert one == handling.throw(Scene(fresh_dice()), ALL_SIX, np.random.default_rng(5))


def test_dice_set_aside_keep_their_face_and_are_not_thrown() -> None:
    rng = np.random.default_rng(1)
    scene = handling.throw(Scene(fresh_dice()), ALL_SIX, rng)
    for index in (4, 1):
        scene = handling.set_aside(scene, index, rng)
    aside = [scene.dice[1], scene.dice[4]]
    scene = handling.throw(scene, (0, 2, 3, 5), rng)
    assert [scene.dice[1], scene.dice[4]] == aside
    for die in aside:
        corners = die.footprint_mm()
        assert (corners[:, 0] > 0).all()
        assert (corners[:, 0] < layout.RESERVE_MM[0]).all()
        assert (corners[:, 1] > layout.RESERVE_NORTH_MM).all()
        assert (corners[:, 1] < layout.RESERVE_NORTH_MM + layout.RESERVE_MM[1]).all()


def test_all_six_fit_in_the_reserve_and_come_back() -> None:
    rng = np.random.default_rng(2)
    scene = handling.throw(Scene(fresh_dice()), ALL_SIX, rng)
    before = Counter((die.body, die.colour) for die in scene.dice)
    for index in (3, 0, 5, 1, 4, 2):
        scene = handling.set_aside(scene, index, rng)
    assert not on_track(scene)
    for index, die in enumerate(scene.dice):
        assert not any(handling.overlap(die, other) for other in scene.dice[index + 1 :])
    for index in ALL_SIX:
        scene = handling.take_back(scene, index, rng)
    assert len(on_track(scene)) == 6
    assert Counter((die.body, die.colour) for die in scene.dice) == before


@pytest.mark.parametrize("colour", COLOURS)
def test_the_colour_named_is_the_face_that_is_up(colour: str) -> None:
    die = SceneDie(Body.WHITE, colour, Place.TRACK, 50, 50, 0.7)
    axis, way = next((axis, way) for name, axis, way in FACE_AXES if name == colour)
    assert die.rotation()[2, axis] * way == pytest.approx(1)
    assert np.linalg.det(die.rotation()) == pytest.approx(1)


def test_a_die_is_printed_with_each_colour_once() -> None:
    assert Counter(name for name, _, _ in FACE_AXES) == Counter(COLOURS)
    assert len({(axis, way) for _, axis, way in FACE_AXES}) == 6


@pytest.mark.parametrize("seed", range(5))
def test_a_leaning_die_stands_on_the_felt_and_touches_the_wall(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = handling.lean_on_wall(handling.throw(Scene(fresh_dice()), ALL_SIX, rng), 2, rng)
    corners = scene.dice[2].box().corners_mm()
    assert corners[:, 2].min() == pytest.approx(0)
    assert 0 <= corners[:, 1].min() < 0.5
    assert scene.dice[2].box().corners_mm()[:, 2].max() > layout.DIE_MM + 2
    touching = corners[corners[:, 1] < 0.5]
    assert (touching[:, 2] < layout.WALL_HIGH_MM).all()


def test_a_die_in_the_tower_is_not_seen_and_comes_out_by_hand() -> None:
    rng = np.random.default_rng(1)
    scene = handling.stick_in_tower(Scene(fresh_dice()), 3)
    assert len(scene.visible_dice()) == 5
    assert len(handling.take_back(scene, 3, rng).visible_dice()) == 6


def test_piles_follow_from_the_game_alone() -> None:
    deck = default_deck().cards
    piles, again = Piles(deck, "a game"), Piles(deck, "a game")
    order = [piles.visible(holder, left) for holder in range(3) for left in range(PILE_SIZE, 0, -1)]
    assert order == [again.visible(holder, left) for holder in range(3) for left in range(PILE_SIZE, 0, -1)]
    assert Counter(order) == Counter[Card | None](deck)
    other = Piles(deck, "another")
    assert order != [other.visible(holder, left) for holder in range(3) for left in range(PILE_SIZE, 0, -1)]


def test_an_empty_pile_shows_no_card() -> None:
    assert Piles(default_deck().cards, "x").visible(1, 0) is None


def test_piles_need_a_whole_deck() -> None:
    with pytest.raises(ValueError, match="45"):
        Piles(default_deck().cards[:44], "x")
