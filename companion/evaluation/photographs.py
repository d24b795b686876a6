"""Photographs of other dice (pips, many body colours): are they found, and white and black bodies named?

They show no table of ours: no zones, no picture of the empty table. So the whole photograph is taken as the
track, seen from straight above, in the scale that the dice's own size gives (on a real table `zones.json`
gives it), and the empty table is made from the photograph itself: a median over windows much wider than a
die. That is harder than the real task, where both are known. Where the dice are of several sizes one of them
is taken, and the others count as missed.
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

from companion.evaluation.truth import TruthError
from companion.evaluation.watched import Watch, unwatched
from companion.vision.face_patch import measure_faces
from companion.vision.find import find_dice
from companion.vision.frame_view import Bytes, EmptyView
from companion.vision.geometry import Quad, Zones, focal_px

PHOTOGRAPHS_FILE = "dice_truth.json"
BOXES_FILE = "dice_byler_d6/annotations_all250.json"
DIE_MM = 16.0
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


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photograph, its dice (centre in pixels, body or ""), and a die's side in pixels."""

    path: Path
    dice: tuple[tuple[float, float, str], ...]
    side_px: float


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
            f"  found {row['found_frac']:.1%}, made up {row['extra']},"
            f" count right in {row['count_right']} photographs",
            f"  white and black bodies: {row['bodies_right']} of {row['bodies']} named right",
        ]
        if row["worst"]:
            lines.append("  worst: " + ", ".join(f"{file} ({wrong} wrong)" for file, wrong in row["worst"]))
    return lines


def _by_hand(folder: Path, name: str, value: dict[str, Any]) -> Photograph:
    dice = tuple((float(die["x"]), float(die["y"]), str(die["body"])) for die in value["dice"])
    return Photograph(folder / name, dice, SIDES_PX[Path(name).name])


def _boxed(folder: Path, name: str, boxes: Sequence[dict[str, float]], by_hand: dict[str, Any]) -> Photograph:
    """A die's box holds its turned top face, so on average over all turns it is 4/π times as wide."""
    known = by_hand.get(f"dice_byler_d6/images/{name}", {"dice": []})["dice"]
    dice = []
    for box in boxes:
        x, y = (box["x0"] + box["x1"]) / 2, (box["y0"] + box["y1"]) / 2
        bodies = [str(die["body"]) for die in known if math.hypot(die["x"] - x, die["y"] - y) < 8]
        dice.append((x, y, bodies[0] if bodies else ""))
    widths = [box["x1"] - box["x0"] for box in boxes]
    return Photograph(
        folder / "dice_byler_d6" / "images" / name, tuple(dice), float(np.median(widths)) * math.pi / 4
    )


def _evaluated(photographs: Sequence[Photograph], watch: Watch) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    wrong: dict[str, int] = {}
    for photograph in watch(photographs, len(photographs), "photograph"):
        picture = cv2.imread(str(photograph.path), cv2.IMREAD_COLOR)
        if picture is None:
            raise TruthError(f"{photograph.path}: this picture is missing or can not be read.")
        frame = np.asarray(picture, np.uint8)
        quads = find_in_photograph(frame, photograph.side_px)
        pairs = _matched(photograph, quads)
        bodies = _bodies(frame, quads)
        counts["dice"] += len(photograph.dice)
        counts["found"] += len(pairs)
        counts["extra"] += len(quads) - len(pairs)
        counts["count_right"] += len(quads) == len(photograph.dice)
        for index, number in pairs.items():
            body = photograph.dice[index][2]
            if body in ("white", "black"):
                counts["bodies"] += 1
                counts["bodies_right"] += bodies[number] == body
        wrong[photograph.path.name] = len(photograph.dice) + len(quads) - 2 * len(pairs)
    worst = sorted(((name, count) for name, count in wrong.items() if count), key=lambda one: -one[1])
    return {
        "photographs": len(photographs),
        "dice": counts["dice"],
        "found": counts["found"],
        "found_frac": round(counts["found"] / max(1, counts["dice"]), 4),
        "extra": counts["extra"],
        "count_right": counts["count_right"],
        "bodies": counts["bodies"],
        "bodies_right": counts["bodies_right"],
        "worst": worst[:6],
    }


def find_in_photograph(frame: Bytes, side_px: float) -> tuple[Quad, ...]:
    """Top faces in a photograph without zones, given a die's side in pixels."""
    height_px, width_px = frame.shape[:2]
    right, bottom = float(width_px), float(height_px)
    mm_per_px = DIE_MM / side_px
    zones = Zones(
        size_px=(width_px, height_px),
        track_px=((0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)),
        track_mm=(width_px * mm_per_px, height_px * mm_per_px),
        die_mm=DIE_MM,
    )
    empty = EmptyView.from_picture(_without_dice(frame, side_px))
    return tuple(die.top_px for die in find_dice(frame, zones, focal_px(zones), empty))


def _without_dice(frame: Bytes, side_px: float) -> Bytes:
    """The table without what is smaller than some dice: a median over windows of five dice, taken small."""
    scale = 8.0 / side_px
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smooth = cv2.medianBlur(small, 41)
    return np.asarray(cv2.resize(smooth, (frame.shape[1], frame.shape[0])), np.uint8)


def _matched(photograph: Photograph, quads: Sequence[Quad]) -> dict[int, int]:
    """True die → found quad, nearest first, at most half a die apart (the truth is good to a third)."""
    centres = [np.mean(quad, axis=0) for quad in quads]
    distances = sorted(
        (math.hypot(x - centre[0], y - centre[1]), index, number)
        for index, (x, y, _) in enumerate(photograph.dice)
        for number, centre in enumerate(centres)
    )
    pairs: dict[int, int] = {}
    for distance, index, number in distances:
        if index not in pairs and number not in pairs.values() and distance <= photograph.side_px / 2:
            pairs[index] = number
    return pairs


def _bodies(frame: Bytes, quads: Sequence[Quad]) -> list[str]:
    """The body of each face against the photograph's white (its brightest hundredth); else ""."""
    if not quads:
        return []
    white = np.percentile(frame.reshape(-1, 3)[:, ::-1], 99, axis=0) / 255
    light = np.maximum(((white + 0.055) / 1.055) ** 2.4, 1e-3)
    named = []
    for reflectance in measure_faces(frame, quads, corners_are_body=False).rim / light:
        white_body, black_body = reflectance.min() > WHITE_FROM, reflectance.max() < BLACK_TO
        named.append("white" if white_body else "black" if black_body else "")
    return named
