"""Photographs of other dice (pips, many body colours, several sizes): are they found, and bodies named?

They show no table of ours, so they are searched by `companion.evaluation.any_dice`, which is told nothing but
the picture. The truth (middles, bodies, sizes) only scores what is found.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.evaluation.any_dice import AnyDie, find_any_dice
from companion.evaluation.truth import TruthError
from companion.evaluation.watched import Watch, unwatched
from companion.vision.colour import linear_from_srgb
from companion.vision.face_patch import PATCH_PX, cut_patches
from companion.vision.frame_view import Bytes

PHOTOGRAPHS_FILE = "dice_truth.json"
BOXES_FILE = "dice_byler_d6/annotations_all250.json"
#: A die's side in pixels, measured by hand where the truth has no boxes; the commonest where sizes differ.
SIDES_PX = {
    "1.jpg": 46.0,
    "45.jpg": 130.0,
    "49.jpg": 55.0,
    "51.jpg": 60.0,
    "53.jpg": 62.0,
    "54.jpg": 66.0,
    "58.jpg": 95.0,
}
#: Reflectance against the photograph's white from which a body is white, and up to which it is black.
WHITE_FROM, BLACK_TO = 0.35, 0.12
#: A body whose least channel is less than this share of its greatest has a colour.
GREY_FROM = 0.5
#: The bodies that are named; all others are one more.
NAMED = ("white", "black", "red")


@dataclass(frozen=True, slots=True)
class TrueDie:
    """A die's middle and side in pixels, its body or "", and whether the picture cuts it, so that it does not
    count.
    """

    x: float
    y: float
    side_px: float
    body: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photograph and its dice."""

    path: Path
    dice: tuple[TrueDie, ...]


def evaluate_photographs(folder: Path, watch: Watch = unwatched) -> dict[str, Any]:
    """Figures by set.

    Raises:
        TruthError: the truth or a photograph can not be read.
    """
    try:
        by_hand = json.loads((folder / PHOTOGRAPHS_FILE).read_text(encoding="utf-8"))["images"]
        boxed = json.loads((folder / BOXES_FILE).read_text(encoding="utf-8"))
        sets = {
            "dice_mixed_kp": [_by_hand(folder, name, one) for name, one in by_hand.items() if "_kp/" in name],
            "dice_byler_d6": [_boxed(folder, name, one["boxes"], by_hand) for name, one in boxed.items()],
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TruthError(f"{folder}: the truth of the photographs can not be read ({error}).") from error
    return {name: _evaluated(photographs, watch) for name, photographs in sets.items()}


def told_photographs(found: dict[str, Any]) -> list[str]:
    """The figures for a person."""
    lines = []
    for name, row in found.items():
        lines += [
            f"{name}: {row['photographs']} photographs, {row['dice']} dice",
            f"  found {row['found_frac']:.1%}, made up {row['extra']}"
            f" ({row['dice_among_found_frac']:.1%} of what is found is dice)",
            f"  count right in {row['count_right']} photographs, all found and no more in {row['all_right']}",
            f"  bodies: {row['bodies_right']} of {row['bodies']} named right (white, black, red, another)",
        ]
        if row["worst"]:
            lines.append("  worst: " + ", ".join(f"{file} ({wrong} wrong)" for file, wrong in row["worst"]))
    return lines


def _by_hand(folder: Path, name: str, value: dict[str, Any]) -> Photograph:
    side_px = SIDES_PX[Path(name).name]
    dice = tuple(
        TrueDie(float(die["x"]), float(die["y"]), side_px, str(die["body"]), bool(die.get("outside")))
        for die in value["dice"]
    )
    return Photograph(folder / name, dice)


def _boxed(folder: Path, name: str, boxes: Sequence[dict[str, float]], by_hand: dict[str, Any]) -> Photograph:
    """A die's box holds its turned top face, so on average over all turns it is 4/π times as wide."""
    known = by_hand.get(f"dice_byler_d6/images/{name}", {"dice": []})["dice"]
    dice = []
    for box in boxes:
        x, y = (box["x0"] + box["x1"]) / 2, (box["y0"] + box["y1"]) / 2
        side_px = (box["x1"] - box["x0"]) * math.pi / 4
        bodies = [str(die["body"]) for die in known if math.hypot(die["x"] - x, die["y"] - y) < side_px / 2]
        dice.append(TrueDie(x, y, side_px, bodies[0] if bodies else ""))
    return Photograph(folder / "dice_byler_d6" / "images" / name, tuple(dice))


def _evaluated(photographs: Sequence[Photograph], watch: Watch) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    wrong: dict[str, int] = {}
    for photograph in watch(photographs, len(photographs), "photograph"):
        picture = cv2.imread(str(photograph.path), cv2.IMREAD_COLOR)
        if picture is None:
            raise TruthError(f"{photograph.path}: this picture is missing or can not be read.")
        frame = np.asarray(picture, np.uint8)
        found = find_any_dice(frame)
        pairs = matched(photograph.dice, found)
        bodies = named_bodies(frame, found)
        whole = [die for die in photograph.dice if not die.cut]
        right = [(die, bodies[number]) for die, number in pairs if not die.cut]
        extra = len(found) - len(pairs)
        missed = len(whole) - len(right)
        counts["dice"] += len(whole)
        counts["found"] += len(right)
        counts["extra"] += extra
        counts["count_right"] += len(right) + extra == len(whole)
        counts["all_right"] += missed + extra == 0
        for die, named in right:
            if die.body:
                counts["bodies"] += 1
                counts["bodies_right"] += named == (die.body if die.body in NAMED else "")
        wrong[photograph.path.name] = missed + extra
    worst = sorted(((name, count) for name, count in wrong.items() if count), key=lambda one: -one[1])
    return {
        "photographs": len(photographs),
        "dice": counts["dice"],
        "found": counts["found"],
        "found_frac": round(counts["found"] / max(1, counts["dice"]), 4),
        "extra": counts["extra"],
        "dice_among_found_frac": round(counts["found"] / max(1, counts["found"] + counts["extra"]), 4),
        "count_right": counts["count_right"],
        "all_right": counts["all_right"],
        "bodies": counts["bodies"],
        "bodies_right": counts["bodies_right"],
        "worst": worst[:6],
    }


def matched(dice: Sequence[TrueDie], found: Sequence[AnyDie]) -> list[tuple[TrueDie, int]]:
    """True dice with the number of the face that is theirs, nearest first.

    They are at most half a side apart, of the die and of the face (the truth is good to a third).
    """
    centres = [np.mean(face.top_px, axis=0) for face in found]
    distances = sorted(
        (math.hypot(die.x - centre[0], die.y - centre[1]), index, number)
        for index, die in enumerate(dice)
        for number, centre in enumerate(centres)
    )
    pairs: dict[int, int] = {}
    for distance, index, number in distances:
        near = distance <= min(dice[index].side_px, found[number].side_px) / 2
        if near and index not in pairs and number not in pairs.values():
            pairs[index] = number
    return [(dice[index], number) for index, number in pairs.items()]


def named_bodies(frame: Bytes, found: Sequence[AnyDie]) -> list[str]:
    """The body of each face, one of `NAMED` or "" for any other.

    It is the usual light of the face, of which pips take less than half, against the photograph's white (its
    brightest hundredth).
    """
    if not found:
        return []
    white = np.percentile(frame.reshape(-1, 3)[:, ::-1], 99, axis=0)
    flat = slice(PATCH_PX // 8, PATCH_PX - PATCH_PX // 8)
    patches = cut_patches(frame, [face.top_px for face in found])[:, flat, flat]
    usual = np.median(patches.reshape(len(found), -1, 3), axis=1)
    reflectances = linear_from_srgb(usual) / np.maximum(linear_from_srgb(white), 1e-3)
    return [_named(reflectance.tolist()) for reflectance in reflectances]


def _named(reflectance: Sequence[float]) -> str:
    """The name of a body by its reflectance, red, green and blue."""
    red, green, blue = reflectance
    if max(reflectance) < BLACK_TO:
        return "black"
    if min(reflectance) > GREY_FROM * max(reflectance):
        return "white" if min(reflectance) > WHITE_FROM else ""
    return "red" if max(green, blue) < GREY_FROM * red else ""
