"""Dice of any make in a picture without a table: no zones, no empty picture, no size, pips for symbols.

The finder of `companion.vision` is fitted to one game's dice on calibrated tables. Here it has to do with
less: what it is told of a table is taken from the picture, what it expects of a symbol is asked of pips.

- Size: the whole picture is searched for dice of one size after another, from the least that can be read.
  Dice of one picture are of like sizes, so the further a size is from that of the surest, the less it counts.
- Floor: a median over windows much wider than a die. It follows folds and shadows, so a face that does not
  differ from it all over is less likely to be a die than above a true picture of the empty table.
- Places: the picture is searched part by part, each about as large as a track is in dice.
- Symbol: a die of six has a pip somewhere, not a coloured shape in its middle. So places are found by the
  outline alone, and what the finder would hear of the ink in the middle it hears of the pips.

The weights are the finder's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find import Finder
from companion.vision.find_evidence import ALONG_FRAC, FEATURES, OUTSIDE_FRAC, RIM_FRAC, measure
from companion.vision.find_scene import Floats, in_face
from companion.vision.find_score import score
from companion.vision.find_search import NOTHING, Look, search
from companion.vision.find_seeds import Places, edge_map
from companion.vision.find_sheet import Sheet
from companion.vision.frame_view import Bytes, EmptyView, check_bgr
from companion.vision.geometry import Quad, Zones, apply, as_quad, focal_px

#: Sizes that are searched for: the least side, its growth from one to the next (an outline may be a tenth
#: off), and the greatest as a share of the picture's shorter side.
LEAST_SIDE_PX, GROWTH, GREATEST_SHARE = 20.0, 1.2, 0.25
#: A side of this many millimetres is supposed; any number would do.
DIE_MM = 16.0
#: Side of a part that is searched at once, in steps of the finder's grid: sixteen dice.
PART_STEPS = 96
LOOK = Look(1.0, 1000, -np.inf, 30, 2.0, ((0.5, 2.5),), 0)
# The bar, the cost and the spread below are near what is best on either set of photographs (by the harmonic
# mean of dice found and dice among what is found): on the seven 6.0, 1 and 0.4, on the 250 6.0, 3 and 0.4.
#: Log odds from which a face counts.
LEAST_SCORE = 6.25
#: Log odds that a face loses for each unit of noise by which it differs less from the floor than it can.
CHANGE_COST, MOST_CHANGED = 2.0, 1.5
#: How much the logarithm of dice's sides is spread; sold are dice from 8 to 25 mm.
SIZE_SPREAD = 0.4
#: Two faces that do not overlap have their middles farther apart than this share of their sides' mean.
APART_FRAC = 0.9
#: The surest samples of a face, so large a share, are a pip: the single one of a one is no smaller.
PIP_SHARE = 0.05
#: What the finder hears of the colour of the ink, and of where its middle is: as of a coloured symbol.
_TINT, _OFFSET = 0.25, 0.0


def _side_samples(distance: float) -> Floats:
    """Samples along the four sides of a face at a distance from its middle, fractions of a die: (2, 20)."""
    ways = ((1, 0), (0, 1), (-1, 0), (0, -1))
    return np.array(
        [
            (distance * cos - along * sin, distance * sin + along * cos)
            for cos, sin in ways
            for along in ALONG_FRAC
        ],
        np.float32,
    ).T


_STEPS = np.linspace(-0.36, 0.36, 13)
_MIDDLE = np.array([(x, y) for y in _STEPS for x in _STEPS], np.float32).T
_RIM, _OUTSIDE = _side_samples(RIM_FRAC), _side_samples(OUTSIDE_FRAC)
_EDGES = [FEATURES.index(name) for name in ("edge1", "edge2", "edge3", "edge4", "changed")]
_UNEVEN, _CHANGED = FEATURES.index("rim_uneven"), FEATURES.index("changed")


@dataclass(frozen=True, slots=True)
class AnyDie:
    """A top face in picture pixels, its side there, and the log odds of a die."""

    top_px: Quad
    side_px: float
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class _Faces:
    """Supposed faces of all sizes: middles and their sides as vectors, (n, 2) pixels; sides' lengths and log
    odds, (n,).
    """

    middles: Places
    axes: Places
    sides: Places
    scores: Places

    def __getitem__(self, which: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> _Faces:
        return _Faces(self.middles[which], self.axes[which], self.sides[which], self.scores[which])

    def apart(self) -> _Faces:
        """The best, best first, none overlapping a better one."""
        order = np.argsort(-self.scores, kind="stable")
        left = np.ones(len(order), np.bool_)
        kept: list[int] = []
        while left.any():
            best = int(left.argmax())
            kept.append(best)
            gaps = np.linalg.norm(self.middles[order] - self.middles[order[best]], axis=1)
            left &= gaps > APART_FRAC / 2 * (self.sides[order] + self.sides[order[best]])
            left[best] = False
        return self[order[kept]]


def find_any_dice(frame_bgr: Bytes) -> tuple[AnyDie, ...]:
    """All dice in a picture taken from above, best first; none where it is too small for any.

    Raises:
        FrameError: not an 8-bit BGR picture.
    """
    check_bgr(frame_bgr)
    found = _judged(_faces(frame_bgr))
    found = found[found.scores > LEAST_SCORE].apart()
    across = np.column_stack([-found.axes[:, 1], found.axes[:, 0]])
    corners = [
        found.middles + (x * found.axes + y * across) / 2 for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return tuple(
        AnyDie(as_quad(quad), float(side), float(value))
        for quad, side, value in zip(np.stack(corners, axis=1), found.sides, found.scores, strict=True)
    )


def _faces(frame_bgr: Bytes) -> _Faces:
    """Supposed faces of every size, scored without regard to the sizes of one another."""
    shorter = min(frame_bgr.shape[:2])
    sides = []
    side = LEAST_SIDE_PX
    while side <= GREATEST_SHARE * shorter:
        sides.append(side)
        side *= GROWTH
    parts = [_of_size(frame_bgr, side) for side in sides]
    return _Faces(
        np.concatenate([np.empty((0, 2)), *(part.middles for part in parts)]),
        np.concatenate([np.empty((0, 2)), *(part.axes for part in parts)]),
        np.concatenate([np.empty(0), *(part.sides for part in parts)]),
        np.concatenate([np.empty(0), *(part.scores for part in parts)]),
    )


def _judged(found: _Faces) -> _Faces:
    """The same, scored by how like their sizes are to that of the surest as well.

    Each face votes for its size with its odds, and for others the less the farther they are.
    """
    voters = found.apart()
    if len(voters.sides) == 0:
        return found
    logs, odds = np.log(voters.sides), np.exp(voters.scores)
    votes = odds / (1 + ((logs[:, None] - logs) / SIZE_SPREAD) ** 2)
    votes = votes[votes.sum(axis=1).argmax()]
    usual = (votes * logs).sum() / votes.sum()
    # tails as long as these leave a much smaller die its chance
    cost = np.log1p(((np.log(found.sides) - usual) / SIZE_SPREAD) ** 2)
    return _Faces(found.middles, found.axes, found.sides, found.scores - cost)


def _of_size(frame_bgr: Bytes, side_px: float) -> _Faces:
    """Supposed faces about as wide as `side_px`."""
    height_px, width_px = frame_bgr.shape[:2]
    right, bottom = float(width_px), float(height_px)
    mm_per_px = DIE_MM / side_px
    zones = Zones(
        size_px=(width_px, height_px),
        track_px=((0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)),
        track_mm=(width_px * mm_per_px, height_px * mm_per_px),
        die_mm=DIE_MM,
    )
    empty = EmptyView.from_picture(_without_dice(frame_bgr, side_px))
    finder = Finder(zones, focal_px(zones), empty)
    sheet = finder.sheet(frame_bgr)
    edges = edge_map(sheet.half)
    found = NOTHING
    for part in _parts(finder.allowed):
        found = found.and_also(search(sheet, _outline_score, part, LOOK, edges=edges))
    (window,) = finder.plan.windows
    places = found.places
    turns = np.column_stack([np.cos(places[:, 2]), np.sin(places[:, 2])])
    scale = finder.plan.px_per_mm
    middles = apply(window.to_px, places[:, :2] * scale)
    axes = apply(window.to_px, (places[:, :2] + DIE_MM * turns) * scale) - middles
    return _Faces(middles, axes, np.linalg.norm(axes, axis=1), _scores(sheet, places))


def _without_dice(frame_bgr: Bytes, side_px: float) -> Bytes:
    """The table without what is smaller than some dice: a median over windows of five dice, taken small."""
    scale = 8.0 / side_px
    small = cv2.resize(frame_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smooth = cv2.medianBlur(small, 41)
    return np.asarray(cv2.resize(smooth, (frame_bgr.shape[1], frame_bgr.shape[0])), np.uint8)


def _parts(allowed: npt.NDArray[np.bool_]) -> Iterator[npt.NDArray[np.bool_]]:
    """The grid points where a die may lie, part by part."""
    rows, columns = allowed.shape
    for row in range(0, rows, PART_STEPS):
        for column in range(0, columns, PART_STEPS):
            part = np.zeros_like(allowed)
            here = (slice(row, row + PART_STEPS), slice(column, column + PART_STEPS))
            part[here] = allowed[here]
            yield part


def _outline_score(features: Floats) -> Floats:
    """What speaks for the outline of a die: its edges, and a rim of one colour that is not the floor's."""
    return np.asarray(features[:, _EDGES].sum(axis=1) - features[:, _UNEVEN], np.float32)


def _scores(sheet: Sheet, places: Places) -> Places:
    """Log odds of dice with pips, places (n, 3) on the sheet → (n,)."""
    if len(places) == 0:
        return np.empty(0)
    features = measure(sheet, places)
    middle, rim, outside = (in_face(sheet, places, at)[..., :3] for at in (_MIDDLE, _RIM, _OUTSIDE))
    body = np.median(rim, axis=1)
    noise = sheet.noise[np.clip(body.max(axis=1), 0, 255).astype(np.uint8)]
    from_body = np.sort(np.linalg.norm(middle - body[:, None], axis=2), axis=1)
    pip = from_body[:, -round(PIP_SHARE * from_body.shape[1]) :].mean(axis=1)
    uneven = np.linalg.norm(rim - body[:, None], axis=2).mean(axis=1) / (pip + 30 + noise)
    lines = (rim - outside).reshape(len(places), 4, -1, 3).mean(axis=2)
    step = np.linalg.norm(lines, axis=2).mean(axis=1)
    # as `companion.vision.find_evidence` tells them of the core
    ink = pip / (pip + 3 + noise / 2)
    share = pip / (pip + step / 4 + 1 + 0.3 * noise)
    heard = {
        "rim_uneven": uneven,
        "rim_uneven_root": np.sqrt(uneven),
        "ink": ink,
        "ink_low": np.maximum(0.5 - ink, 0),
        "ink_offset": _OFFSET,
        "ink_tint": _TINT,
        "ink_tint_low": 0.0,
        "ink_share": share,
        "ink_share_low": np.maximum(0.4 - share, 0),
    }
    for name, values in heard.items():
        features[:, FEATURES.index(name)] = values
    unchanged = MOST_CHANGED - features[:, _CHANGED]
    return np.asarray(score(features) - CHANGE_COST * unchanged, np.float64)
