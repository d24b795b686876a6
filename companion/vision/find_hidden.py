"""What the tower hides of a die: where it may stand in the way, and nothing has changed there.

The zones tell the tower's footprint; from there it rises towards where the camera sees higher things. How
high it is, the picture of the empty table shows. Before it a picture is as it was with the empty table. A
die looks alike from its four sides, so what is hidden of one is taken to look as its counterpart that is
seen. Where a place and all its counterparts are hidden nothing is known of it: it shows what stands before
it. A supposed die of whose middle that is so, where its ink would be, is none that can be read: it is not
found, and the reading says that a die is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find_scene import Floats, Seen, in_face
from companion.vision.geometry import Floor, Image, Points, Quad, apply

Values = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# How high a tower may be.
_HEIGHTS_MM = np.arange(20, 181, 4)
# An edge is the difference so many pixels on either side of it, and counts from so many grey levels on.
_ACROSS_PX, _EDGE_FROM = 1.5, 8.0
# A sample that changed less than this (units of noise) shows what the empty table showed.
_UNCHANGED = 0.5
#: The change that a sheet has where something is hidden: samples that mix in any of it are below 0.
HIDDEN = -100.0
# So far the rim of what hides is mixed into what it hides, in a sheet.
_RIM = np.ones((3, 3), np.uint8)
#: Side of the coarse picture of what is hidden of a face.
HIDDEN_STEPS = 16
_STEPS = (np.arange(HIDDEN_STEPS) + 0.5) / HIDDEN_STEPS - 0.5
_FACE_AT = np.array([(x, y) for y in _STEPS for x in _STEPS], np.float32).T.copy()
# From a place on a face to its counterparts: across the middle, across either axis, a quarter turn.
_TO_COUNTERPARTS = np.array(
    [[[-1, 0], [0, -1]], [[-1, 0], [0, 1]], [[1, 0], [0, -1]], [[0, -1], [1, 0]], [[0, 1], [-1, 0]]],
    np.float64,
)
# The middle of a face, where it is ink whatever its symbol.
_MIDDLE = np.hypot(*_FACE_AT) < 0.24


def behind_tower(floor: Floor, tower_px: Quad, die_mm: float, height_mm: float) -> Points:
    """The outline, in a zone's mm in the plane of the dice's tops, of what a tower of this height hides.

    `tower_px` is its footprint in the pixels that the floor's maps lead to; gives (k, 2).
    """
    foot = apply(floor.lift(0.0)[1], tower_px)
    top = apply(floor.plane_to_px(height_mm), foot)
    around = cv2.convexHull(np.vstack([tower_px, top]).astype(np.float32))[:, 0]
    return apply(floor.lift(die_mm)[1], np.asarray(around, np.float64))


def tower_outline(
    floor: Floor, tower_px: Quad, die_mm: float, empty: Sequence[Image], px_per_mm: float, corner_mm: Points
) -> Points:
    """As `behind_tower`, for the height at which the empty table shows most of an edge along the outline.

    `empty` are its channels seen from above, (h, w) each, where the zone's corner is at `corner_mm`.
    """
    best, most = np.empty((0, 2)), -1.0
    for height_mm in _HEIGHTS_MM:
        outline = behind_tower(floor, tower_px, die_mm, float(height_mm))
        edge = _edge_along((outline + corner_mm) * px_per_mm - 0.5, empty)
        if edge > most:
            best, most = outline, edge
    return best


def _edge_along(outline_px: Points, planes: Sequence[Image]) -> float:
    """How much of an edge a picture shows along a closed line, pixel indices (k, 2): 0 to 1."""
    way = np.roll(outline_px, -1, axis=0) - outline_px
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-6)
    which = np.repeat(np.arange(len(way)), np.maximum(length.astype(int), 1))
    share = np.concatenate(
        [(np.arange(count) + 0.5) / count for count in np.unique(which, return_counts=True)[1]]
    )
    middle = outline_px[which] + share[:, None] * way[which]
    across = (np.stack([way[:, 1], -way[:, 0]], axis=1) / length[:, None])[which]
    height, width = planes[0].shape
    inside = (middle > 3).all(axis=1) & (middle < (width - 4, height - 4)).all(axis=1)
    if not inside.any():
        return 0.0
    sides = [(middle + way_px * across)[inside].astype(np.float32) for way_px in (_ACROSS_PX, -_ACROSS_PX)]
    step = [
        np.subtract(
            *(cv2.remap(plane, side[:, 0], side[:, 1], cv2.INTER_LINEAR).astype(float) for side in sides)
        )
        for plane in planes
    ]
    size = np.linalg.norm(np.hstack(step), axis=1)
    return float((size / (size + _EDGE_FROM)).mean())


def mark_hidden(layers: Floats, behind: Flags, beyond: Floats) -> None:
    """Mark in a sheet's layers, (h, w, 4), what is hidden: it may be (`behind`, (h, w)) and is as it was.

    So is the rim around it. `beyond` (h, w) is how far each place is from what the empty table shows around
    it, in units of noise.
    """
    hidden = cv2.dilate((behind & (beyond < _UNCHANGED)).view(np.uint8), _RIM) > 0
    layers[..., 3][hidden] = HIDDEN


def counterparts(at: npt.ArrayLike) -> npt.NDArray[np.intp]:
    """For each of the places on a face, (k, 2), which of them are its counterparts, (5, k)."""
    places = np.asarray(at, np.float64)
    there = places @ _TO_COUNTERPARTS.transpose(0, 2, 1)
    gap = ((there[:, :, None] - places) ** 2).sum(axis=3)
    return np.asarray(gap.argmin(axis=2), np.intp)


_FACE_COUNTERPARTS = counterparts(_FACE_AT.T)


def fill_hidden(planes: Floats, others: npt.NDArray[np.intp]) -> None:
    """Give hidden samples, (channels, k, n) with the change last, what a counterpart shows, in place.

    `others` is what `counterparts` gave for the first of the k samples. Where all are hidden it stays so.
    """
    if not (planes[-1] < 0).any():
        return
    count = others.shape[1]
    some = np.flatnonzero((planes[-1, :count] < 0).any(axis=0))
    part = planes[:, :count, some]
    hidden = part[-1] < 0
    filled = part.copy()
    for other in others[::-1]:
        takes = hidden & ~hidden[other]
        filled[:, takes] = part[:, other][:, takes]
    planes[:, :count, some] = filled
    np.maximum(planes[-1], 0, out=planes[-1])


def hidden_parts(scene: Seen, spots: Values) -> Flags:
    """What is hidden of each face, spots (n, 3 or more: x, y mm, angle rad) → (n, HIDDEN_STEPS²)."""
    change = in_face(scene, spots, _FACE_AT)[..., 3]
    return np.asarray(change < 0)


def middle_hidden(hidden: Flags) -> Values:
    """The share of each face's middle that is hidden, as `hidden_parts` → (n,)."""
    return np.asarray(hidden[:, _MIDDLE].mean(axis=1), np.float64)


def middle_unseen(hidden: Flags) -> Values:
    """The share of each face's middle that neither it nor a counterpart shows, as `hidden_parts` → (n,)."""
    return middle_hidden(hidden & hidden[:, _FACE_COUNTERPARTS].all(axis=1))


def may_lean_on(foot_mm: Points, faces_mm: Points, die_mm: float) -> Flags:
    """Which faces, by their middles (n, 2), are so near a tower's foot, (k, 2), that it may prop them up.

    A die that leans at an angle against a wall has the middle of its top within half a side times cos + 2 sin
    of it: less than a side for all that stay cocked, up to 38 degrees.
    """
    foot = foot_mm.astype(np.float32)[:, None]
    away = [-cv2.pointPolygonTest(foot, (float(x), float(y)), True) for x, y in faces_mm]
    return np.array(away) < die_mm


def uncovered(frame_bgr: Image, faces: Sequence[tuple[Quad, Flags]]) -> Image:
    """The frame in which the hidden parts of faces look as their counterparts do; itself where none are.

    Each face is its corners in the frame's pixels and what `hidden_parts` gave for it.
    """
    covered = [(quad, hidden) for quad, hidden in faces if hidden.any()]
    if not covered:
        return frame_bgr
    frame = frame_bgr.copy()
    for quad, hidden in covered:
        _uncover(frame, np.asarray(quad, np.float64), hidden.reshape(HIDDEN_STEPS, HIDDEN_STEPS))
    return frame


def _uncover(frame: Image, corners: Points, hidden: Flags) -> None:
    unit = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], np.float32)
    to_px = np.asarray(cv2.getPerspectiveTransform(unit, corners.astype(np.float32)), np.float64)
    low = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, [frame.shape[1], frame.shape[0]])
    high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, low, [frame.shape[1], frame.shape[0]])
    part = frame[low[1] : high[1], low[0] : high[0]]
    if part.size == 0:
        return
    columns, rows = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    own = apply(
        np.asarray(np.linalg.inv(to_px), np.float64), np.column_stack([columns.ravel(), rows.ravel()])
    )
    # the rim of what hides a face is blurred into it
    wide = cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    to_fill = _at(wide, own) & (np.abs(own).max(axis=1) < 0.55)
    target = own.copy()
    for way in _TO_COUNTERPARTS[::-1]:
        there = own @ way.T
        target = np.where((to_fill & ~_at(wide, there))[:, None], there, target)
    source = (apply(to_px, target) - 0.5).astype(np.float32).reshape(*part.shape[:2], 2)
    seen = cv2.remap(frame, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    part[...] = np.where(to_fill.reshape(part.shape[:2])[..., None], seen, part)


def _at(flags: Flags, own: Points) -> Flags:
    """A face's flags at places on it, fractions of a die from its middle, (k, 2) → (k,)."""
    steps = np.clip(((own + 0.5) * HIDDEN_STEPS).astype(int), 0, HIDDEN_STEPS - 1)
    return np.asarray(flags[steps[:, 1], steps[:, 0]], np.bool_)
