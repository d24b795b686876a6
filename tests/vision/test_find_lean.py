"""A die that leans is told, whichever way and of whichever body; level ones, wherever they lie, are not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.devices.simulated.scene import Place, Scene, SceneDie, fresh_dice
from companion.game.dice import Body
from companion.vision.find_lean import WITNESSES, lean_witnesses
from companion.vision.find_lean_weights import INPUTS, OFFSETS, OUTPUT
from companion.vision.find_symbol import symbol_shapes
from tests.vision.finder_scenes import draw, finder

LEANS_DEG = (24.0, 38.0)
TOWARDS_DEG = (10.0, 100.0, 190.0, 280.0)


def test_there_is_a_row_of_weights_for_each_witness() -> None:
    assert np.shape(INPUTS) == (len(WITNESSES), len(OFFSETS))
    assert len(OUTPUT) == len(OFFSETS)
    sheet = finder().sheet(draw(Scene(fresh_dice())))
    for scene, spots in zip(sheet.scenes(), finder().spots(sheet, sheet.scenes()), strict=True):
        if len(spots):
            assert lean_witnesses(scene, spots).shape == (len(spots), len(WITNESSES))


@pytest.mark.parametrize("lean_deg", LEANS_DEG)
@pytest.mark.parametrize("body", [Body.WHITE, Body.BLACK])
def test_a_die_that_leans_is_told_whichever_way(body: Body, lean_deg: float) -> None:
    places = ((60.0, 45.0), (150.0, 45.0), (60.0, 105.0), (150.0, 105.0))
    told = 0
    for number, towards_deg in enumerate(TOWARDS_DEG):
        x_mm, y_mm = places[number]
        die = SceneDie(
            body,
            "blue",
            Place.TRACK,
            x_mm,
            y_mm,
            0.4,
            lean_rad=np.radians(lean_deg),
            lean_to_rad=np.radians(towards_deg),
        )
        found = finder().find(draw(Scene((die,)), noise=number + 3))
        told += any("leaning_die" in one.problems for one in found)
    assert told == len(TOWARDS_DEG)


@pytest.mark.parametrize("turn_deg", [0.0, 22.0, 45.0, 67.0])
def test_level_dice_do_not_lean(turn_deg: float) -> None:
    scene = Scene(fresh_dice())
    for index, die in enumerate(scene.dice):
        scene = scene.with_die(index, replace(die, yaw_rad=np.radians(turn_deg) + 0.1 * index))
    found = finder().find(draw(scene, noise=7))
    assert len(found) == 6
    assert [one.problems for one in found] == [()] * 6


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("brighter", [40, 100])
@pytest.mark.parametrize(("lean_deg", "least", "most"), [(0.0, 0.0, 0.13), (30.0, 0.15, 0.3)])
def test_a_gleam_beside_the_symbol_is_not_taken_for_ink(
    side: int, brighter: int, lean_deg: float, least: float, most: float
) -> None:
    """A symbol that reaches to a bright edge looked squeezed by half, whether the die leant or not."""
    die = SceneDie(Body.BLACK, "green", Place.TRACK, 70.0, 60.0, 0.4, lean_rad=np.radians(lean_deg))
    plain = draw(Scene((die,)), noise=3)
    corners = np.array(finder().find(plain)[0].top_px)
    start, end = corners[side], corners[(side + 1) % 4]
    inward = 0.42 * (corners.mean(axis=0) - np.array([end, start]))
    gleam = np.zeros(plain.shape[:2], np.uint8)
    strip = np.array([start, end, end + inward[0], start + inward[1]])
    cv2.fillConvexPoly(gleam, np.rint(16 * strip).astype(np.int32), 255, cv2.LINE_AA, 4)
    light = brighter / 255 * cv2.GaussianBlur(gleam.astype(np.float32), (0, 0), 1)[..., None]
    sheet = finder().sheet(np.clip(plain + light, 0, 255).astype(np.uint8))
    before = finder().sheet(plain)
    spots = finder().on_sheet(finder().spots(before, before.scenes()))
    assert least <= symbol_shapes(sheet, spots[:1])[0, 0] <= most
