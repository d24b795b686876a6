"""Makes pictures of leaning and level dice from pictures of empty tables, for fitting `find_lean`.

`python -m companion.evaluation.made_pictures DIR OUT [--pictures N] [--seed S]` takes a folder of tables as
for `companion evaluate` and writes to OUT, laid out alike, so many pictures of each table with dice drawn
onto its empty one: placed, turned, tipped, lit, blurred and grained by chance. White dice are as bright as
in the table's picture of colours.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.evaluation.made_dice import (
    BODIES,
    COLOURS,
    STYLES,
    Camera,
    Light,
    MadeDie,
    Values,
    drawn,
    turned,
)
from companion.evaluation.sheets import table_folders
from companion.evaluation.truth import load_table
from companion.vision.colour import linear_from_srgb
from companion.vision.geometry import Floor, Zones, apply, floors, focal_px

PICTURES = 24
LEANING_SHARE, RESERVE_SHARE, TOUCHING_SHARE = 0.5, 0.3, 0.25
LEAST_LEAN_DEG, MOST_LEAN_DEG = 16.0, 42.0
# In sides of a die.
_FROM_WALL, _APART, _FROM_TOWER = 0.75, 1.5, 0.94
_NOISES, _BLURS_PX, _QUALITIES = (0.6, 1.0, 1.8, 3.2), (0.35, 0.6, 1.0, 1.5), (92, 92, 80, 60)
_PAD_PX = 6
_LAMP_POINTS = 8
_SHARPENED = 0.35


def make(folder: Path, out: Path, pictures: int, rng: np.random.Generator) -> None:
    """Write the pictures of one table."""
    zones = load_table(folder).zones
    shots = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["pictures"]
    dice = next(shot["dice"] for shot in shots if shot["kind"] == "colours")
    empty = np.asarray(cv2.imread(str(folder / "empty.jpg")), np.uint8)
    white = _white(np.asarray(cv2.imread(str(folder / "colours.jpg")), np.uint8), dice)
    out.mkdir(parents=True, exist_ok=True)
    (out / "zones.json").write_text(json.dumps(zones.to_dict()), encoding="utf-8")
    cv2.imwrite(str(out / "empty.jpg"), empty, [cv2.IMWRITE_JPEG_QUALITY, 97])
    told: list[dict[str, Any]] = [{"file": "empty.jpg", "kind": "empty", "dice": []}]
    for number in range(1, pictures + 1):
        picture, truth = _picture(empty, white, zones, rng)
        name = f"throw{number}.jpg"
        cv2.imwrite(str(out / name), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.choice(_QUALITIES))])
        told.append({"file": name, "kind": "cocked" if any(die["cocked"] for die in truth) else "throw"})
        told[-1]["dice"] = truth
    (out / "truth.json").write_text(json.dumps({"light": "made", "pictures": told}), encoding="utf-8")


def _white(colours_bgr: npt.NDArray[np.uint8], dice: Sequence[dict[str, Any]]) -> Values:
    """The light of white bodies beside their symbols, linear B G R."""
    seen = []
    for die in dice:
        if die["body"] == "white":
            centre, top = np.array(die["centre"]), np.array(die["top"])
            places = [
                *(centre + (top - centre) * 0.8),
                *(centre + ((top + np.roll(top, 1, 0)) / 2 - centre) * 0.9),
            ]
            seen.append(linear_from_srgb(np.median([colours_bgr[int(y), int(x)] for x, y in places], axis=0)))
    return np.asarray(np.median(seen, axis=0))


def _picture(
    empty: npt.NDArray[np.uint8], white: Values, zones: Zones, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], list[dict[str, Any]]]:
    on_floors = floors(zones, focal_px(zones))
    cameras = {floor.zone: Camera(floor) for floor in on_floors}
    light, lamp = _light(rng), np.ones(3)
    if rng.random() < 0.5:
        lamp = np.exp(rng.normal(0, 0.35)) * np.exp(rng.normal(0, 0.06, 3))
    picture = linear_from_srgb(empty) * lamp
    dice = _thrown(zones, on_floors, rng)
    for die in dice:
        picture *= _shadow(die, cameras[die.zone], light, picture.shape[:2])[..., None]
    covered = np.zeros(picture.shape[:2])
    blur_px = float(rng.choice(_BLURS_PX))
    for die in sorted(dice, key=lambda one: -np.linalg.norm(cameras[one.zone].place_mm - one.middle_mm)):
        _lay(picture, covered, die, cameras[die.zone], light, white / 0.8 * lamp, blur_px)
    truth = [_told(die, cameras[die.zone], zones.size_px) for die in dice]
    return _taken(picture, covered, rng), truth


def _light(rng: np.random.Generator) -> Light:
    height, turn = np.radians(rng.uniform(25, 88)), rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn), np.sin(height)])
    ways = way + rng.uniform(0.02, 0.5) * rng.normal(0, 0.5, (_LAMP_POINTS, 3)) * (1, 1, 0.4)
    ways[:, 2] = np.maximum(ways[:, 2], 0.2)
    return Light(ways / np.linalg.norm(ways, axis=1, keepdims=True), float(rng.uniform(0.25, 0.92)))


def _thrown(zones: Zones, on_floors: Sequence[Floor], rng: np.random.Generator) -> list[MadeDie]:
    """Six dice at chance places, some side by side, none where the tower stands; half of them lean."""
    palette = {
        name: linear_from_srgb(np.clip(np.array(ink) + rng.normal(0, 11, 3), 0, 255))[::-1]
        for name, ink in COLOURS.items()
    }
    style, round_mm = str(rng.choice(STYLES, p=(0.45, 0.2, 0.2, 0.15))), float(rng.uniform(1.0, 2.8))
    tower = None if zones.tower_px is None else apply(on_floors[0].lift(0.0)[1], zones.tower_px)
    dice: list[MadeDie] = []
    taken: list[tuple[str, Values, float]] = []
    for number in range(6):
        leaning = bool(rng.random() < LEANING_SHARE)
        kept = len(on_floors) > 1 and not leaning and rng.random() < RESERVE_SHARE
        floor = on_floors[1 if kept else 0]
        spot = _spot(
            floor, [(at, yaw) for zone, at, yaw in taken if zone == floor.zone], tower, zones.die_mm, rng
        )
        if spot is None:
            continue
        at, yaw = spot
        taken.append((floor.zone, at, yaw))
        rotation, high_mm = turned((0, 0, 1), yaw), zones.die_mm / 2
        if leaning:
            lean, turn = np.radians(rng.uniform(LEAST_LEAN_DEG, MOST_LEAN_DEG)), rng.uniform(0, 2 * np.pi)
            rotation = turned((np.cos(turn), np.sin(turn), 0), lean) @ rotation
            on_edge = rng.random() < 0.6
            high_mm *= np.cos(lean) + np.sin(lean) if on_edge else np.abs(rotation[2]).sum()
        dice.append(
            MadeDie(
                zone=floor.zone,
                half_mm=zones.die_mm / 2,
                middle_mm=np.array([*at, high_mm]),
                rotation=rotation,
                body=list(BODIES)[number >= 4],
                inks=tuple(rng.permutation(list(COLOURS))),
                style=style,
                palette=palette,
                round_mm=round_mm,
                gloss=(float(rng.choice((0, 0.05, 0.15, 0.4))), float(rng.choice((20, 60)))),
                veils=0.15 * rng.choice((0.2, 1)) * rng.uniform(0, 0.05, 6) * rng.choice((1, 1, 5), 6),
                leaning=leaning,
            )
        )
    return dice


def _spot(
    floor: Floor,
    taken: Sequence[tuple[Values, float]],
    tower: Values | None,
    die_mm: float,
    rng: np.random.Generator,
) -> tuple[Values, float] | None:
    size = np.array(floor.size_mm)
    for _ in range(300):
        yaw = rng.uniform(0, 2 * np.pi) if floor.zone == "track" else rng.normal(0, 0.25)
        least = np.minimum(_FROM_WALL * die_mm, size / 2 - 7)
        at, apart_mm = rng.uniform(least, size - least), _APART * die_mm
        if taken and floor.zone == "track" and rng.random() < TOUCHING_SHARE:
            beside, yaw = taken[int(rng.integers(len(taken)))]
            way = yaw + rng.integers(4) * np.pi / 2
            at = beside + (die_mm + 0.1) * np.array([np.cos(way), np.sin(way)])
            at = at + rng.uniform(-5, 5) * np.array([-np.sin(way), np.cos(way)])
            apart_mm = die_mm
        by_tower = tower is not None and floor.zone == "track"
        if by_tower and tower is not None:
            low, high = tower.min(axis=0) - _FROM_TOWER * die_mm, tower.max(axis=0) + _FROM_TOWER * die_mm
            if (at > low).all() and (at < high).all():
                continue
        inside = (at >= least - 2).all() and (at <= size - least + 2).all()
        if inside and all(np.hypot(*(at - other)) >= apart_mm for other, _ in taken):
            return at, float(yaw)
    return None


def _shadow(die: MadeDie, camera: Camera, light: Light, shape: tuple[int, ...]) -> Values:
    """What part of the light a die leaves to the floor, (h, w)."""
    corners = die.corners_mm
    corners[:, 2] = np.maximum(corners[:, 2], 0)
    hidden = np.zeros(shape, np.float32)
    for way in light.ways:
        hidden += _filled(camera.project(corners - way * (corners[:, 2:] / way[2])), shape) / len(light.ways)
    below = _filled(camera.project(corners * (1, 1, 0)), shape)
    hidden = np.asarray(cv2.GaussianBlur(hidden, (0, 0), 1.2), np.float32)
    contact = np.asarray(cv2.GaussianBlur(below, (0, 0), 4), np.float32)
    return np.asarray((1 - 0.95 * light.share * hidden) * (1 - 0.35 * contact), np.float64)


def _filled(points: Values, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    mask = np.zeros(shape, np.uint8)
    hull = cv2.convexHull(points.astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 16 - 8).astype(np.int32), 1, cv2.LINE_8, 4)
    return mask.astype(np.float32)


def _lay(
    picture: Values,
    covered: Values,
    die: MadeDie,
    camera: Camera,
    light: Light,
    white: Values,
    blur_px: float,
) -> None:
    """Draw a die over the picture, linear (h, w, 3), and into what dice cover, (h, w)."""
    bounds = np.array(picture.shape[1::-1])
    outline = camera.project(die.corners_mm)
    low = np.clip(np.floor(outline.min(axis=0)) - _PAD_PX, 0, bounds)
    high = np.clip(np.ceil(outline.max(axis=0)) + _PAD_PX, 0, bounds)
    if (high - low < 3).any():
        return
    shown, cover = drawn(die, camera, light, low, high)
    shown = np.asarray(cv2.GaussianBlur(shown * white, (0, 0), blur_px))
    cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), blur_px))
    part = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    picture[part] = picture[part] * (1 - cover[..., None]) + shown
    covered[part] = np.maximum(covered[part], cover)


def _taken(light: Values, covered: Values, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """The picture a camera takes; what shows the empty table has its grain and sharpness already."""
    near = cv2.GaussianBlur((covered > 0.02).astype(np.float64), (0, 0), 2)[..., None]
    near = np.minimum(1.5 * near, 1)
    grain = np.sqrt(np.maximum(light, 0) * 0.0009 + 2e-5) * float(rng.choice(_NOISES))
    seen = light + rng.normal(0, 1, light.shape) * grain * near
    grey = seen.mean(axis=2, keepdims=True)
    seen = np.clip(np.where(near > 0.7, grey + (seen - grey) * rng.uniform(0.9, 1.25), seen), 0, 1)
    levels = 255 * np.where(seen <= 0.0031308, seen * 12.92, 1.055 * seen ** (1 / 2.4) - 0.055)
    levels = levels + _SHARPENED * (levels - cv2.GaussianBlur(levels, (0, 0), 1.2)) * near
    return np.asarray(np.clip(levels + 0.5, 0, 255), np.uint8)


def _told(die: MadeDie, camera: Camera, size_px: tuple[int, int]) -> dict[str, Any]:
    """As in a `truth.json`."""
    ink, corners, middle = die.top
    top = camera.project(corners)
    return {
        "body": die.body,
        "colour": str(ink),
        "zone": die.zone,
        "centre": camera.project(middle[None])[0].tolist(),
        "top": top.tolist(),
        "cocked": die.leaning,
        "cut": bool((top < 0).any() or (top > size_px).any()),
    }


def main(arguments: Sequence[str]) -> int:
    """Make pictures of every table; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    rng = np.random.default_rng(given.seed)
    for folder in table_folders([str(given.tables)]):
        make(folder, given.out / folder.name, given.pictures, rng)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
