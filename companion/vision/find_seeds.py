"""Where dice may lie at a first glance: squares of edges with ink in the middle, where the table changed.

The glance has twelve pixels to a die. Around every second of them that lies in or near what changed, edges
are looked for along the outline of a die at six angles; those across the outline count (a square's edges
agree modulo a quarter turn, so directions are unit vectors of four times their angle). A linear score of this
and of what the middle, the face and the surroundings show ranks the places; only the best few are looked at
closely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.find_evidence import sorted_four
from companion.vision.find_plan import Plan
from companion.vision.find_scene import Floats, by_channel
from companion.vision.find_sheet import Sheet

Places = npt.NDArray[np.float64]
Spots = npt.NDArray[np.intp]

GLANCE_PX = 12
"""Pixels to a die on a sheet at half size."""
GRID_PX = 2
ANGLES = 6
# Seeds are apart by a quarter of a die, as the search for the best place reaches that far.
_APART = cv2.getStructuringElement(cv2.MORPH_CROSS, (5, 5))
# A place counts where a share of the square window around it has changed.
_WINDOW_PX, _SHARE = 7, 0.35
# Edges count from this gradient on (grey levels, at black and per level of brightness).
_EDGE_FROM, _EDGE_PER_LEVEL = 2.0, 0.05
# A change counts no more than this (units of noise), a tint no more than that.
_CHANGE_LIMIT, _TINT_LIMIT = 3.0, 0.1

# Samples, fractions of a die: along the four sides, and in rings around the middle.
_ALONG = np.linspace(-0.36, 0.36, 5)
_RINGS_FRAC = (0.15, 0.3, 0.42, 0.8)

SEED_FEATURES = (
    "side1", "side2", "side3", "side4", "edges_core", "edges_symbol", "edges_rim", "edges_around",
    "changed_core", "changed_symbol", "changed_rim", "changed_around", "ink", "tint_low", "uneven",
)  # fmt: skip


def edge_map(layers: Floats) -> Floats:
    """Strength of the edges in a sheet's layers, 0 to 1, times 1, cosine and sine of their fourfold angle.

    (3, h, w), smoothed so that a place a pixel off still has its share.
    """
    colours = cv2.cvtColor(layers, cv2.COLOR_BGRA2BGR)
    along_x = np.asarray(cv2.Sobel(colours, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8), np.float32)
    along_y = np.asarray(cv2.Sobel(colours, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8), np.float32)
    # The structure tensor over all channels: a vector with twice the edges' angle.
    imaginary = cv2.transform(along_x * along_y, 2 * _TOTAL)
    along_x *= along_x
    along_y *= along_y
    along_x -= along_y
    real = cv2.transform(along_x, _TOTAL)
    real_square, imaginary_square = real * real, imaginary * imaginary
    square = real_square + imaginary_square
    strength = np.sqrt(np.sqrt(square))
    strength /= strength + (_EDGE_FROM + cv2.transform(colours, _EDGE_PER_LEVEL / 3 * _TOTAL))
    share = strength / (square + np.float32(1e-6))
    edges = np.empty((3, *strength.shape), np.float32)
    parts = (strength, (real_square - imaginary_square) * share, 2 * real * imaginary * share)
    for part, smooth in zip(parts, edges, strict=True):
        cv2.GaussianBlur(part, (5, 5), 1.0, dst=smooth)
    return edges


_TOTAL = np.ones((1, 3), np.float32)


def allowed(plan: Plan, slack_mm: Mapping[str, float]) -> npt.NDArray[np.bool_]:
    """Grid points where a die's middle may lie: in a zone or, at most `slack_mm`, outside of it."""
    rows, columns = ((size // 2 - GRID_PX // 2 - 1) // GRID_PX + 1 for size in plan.size_px[::-1])
    inside = np.zeros((rows, columns), np.bool_)
    down, across = (_at_mm(np.arange(count), plan) for count in (rows, columns))
    for window in plan.windows:
        slack, corner = slack_mm[window.floor.zone], window.corner_mm
        width, height = window.floor.size_mm
        fits_down = (down > corner[1] - slack) & (down < corner[1] + height + slack)
        inside |= fits_down[:, None] & (across > corner[0] - slack) & (across < corner[0] + width + slack)
    return inside


def near_places(plan: Plan, shape: tuple[int, ...], places: Places, apart_mm: float) -> npt.NDArray[np.bool_]:
    """Grid points, of a grid of this shape, nearer than `apart_mm` to any place on the sheet, (n, 2) mm."""
    down, across = (_at_mm(np.arange(count), plan) for count in shape)
    near = np.zeros(shape, np.bool_)
    for x, y in places[:, :2]:
        near |= (down[:, None] - y) ** 2 + (across - x) ** 2 < apart_mm**2
    return near


def places_worth_a_look(sheet: Sheet, where: npt.NDArray[np.bool_], changed_from: float) -> Spots:
    """Grid points near what changed, (2, n): row and column in steps of the grid, all of them `allowed`."""
    _, changed = cv2.threshold(cv2.extractChannel(sheet.half, 3), changed_from, 1, cv2.THRESH_BINARY)
    start = GRID_PX // 2
    share = cv2.blur(changed, (_WINDOW_PX, _WINDOW_PX))[start::GRID_PX, start::GRID_PX]
    # quicker than `np.nonzero` of two axes
    return np.stack(np.divmod(np.flatnonzero((share > _SHARE) & where), where.shape[1]))


def _at_mm(steps: npt.NDArray[np.intp], plan: Plan) -> Places:
    """Where steps of the grid lie on the sheet."""
    at_px = steps * GRID_PX + GRID_PX // 2 + 0.5
    return np.asarray(at_px * (plan.die_mm / GLANCE_PX), np.float64)


def _outlines() -> Floats:
    """Samples along the outline, in pixels of the glance, for each angle: (ANGLES, 2, 4 · along, 1)."""
    points = []
    for side in range(4):
        cos, sin = np.cos(side * np.pi / 2), np.sin(side * np.pi / 2)
        points += [(cos / 2 - sin * step, sin / 2 + cos * step) for step in _ALONG]
    x, y = GLANCE_PX * np.array(points).T
    cos, sin = np.cos(_TURNS)[:, None], np.sin(_TURNS)[:, None]
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=1).astype(np.float32)[..., None]


def _rings() -> Floats:
    """The middle and eight samples on each ring, in pixels of the glance, (2, n, 1)."""
    turn = np.arange(8) * np.pi / 4
    x = np.concatenate([[0.0], *(GLANCE_PX * ring * np.cos(turn) for ring in _RINGS_FRAC)])
    y = np.concatenate([[0.0], *(GLANCE_PX * ring * np.sin(turn) for ring in _RINGS_FRAC)])
    return np.stack([x, y]).astype(np.float32)[..., None]


_TURNS = np.arange(ANGLES) * (np.pi / 2 / ANGLES)
_OUTLINES, _RINGS = _outlines(), _rings()
# What of an edge map is along a side at each angle, (ANGLES, 3).
_ACROSS = (np.stack([np.ones(ANGLES), np.cos(4 * _TURNS), np.sin(4 * _TURNS)], axis=1) / 2).astype(np.float32)
_SIDE_MEANS = np.kron(np.eye(4), np.full((1, len(_ALONG)), 1 / len(_ALONG))).astype(np.float32)
# The innermost ring with the middle, then ring by ring.
_RING_MEANS = np.kron(np.eye(4), np.full((1, 8), 1 / 8))
_RING_MEANS = np.hstack([[[1], [0], [0], [0]], _RING_MEANS])
_RING_MEANS = (_RING_MEANS / _RING_MEANS.sum(axis=1, keepdims=True)).astype(np.float32)
_RIM = slice(17, 25)


def side_edges(edges: Floats, spots: Spots) -> Floats:
    """How much of an edge each side of a die there has, sorted: (2, n) → (4, ANGLES, n), 0 to 1."""
    row, column = _pixels(spots)
    sides = np.empty((4, ANGLES, spots.shape[1]), np.float32)
    # one channel is sampled faster than three
    along = (_ACROSS @ edges.reshape(3, -1)).reshape(ANGLES, *edges.shape[1:])
    for index in range(ANGLES):
        np.matmul(_SIDE_MEANS, _sampled(along[index], _OUTLINES[index], row, column), out=sides[:, index])
    return sorted_four(sides)


def _pixels(spots: Spots) -> Floats:
    """Pixel indices of grid points, (2, n)."""
    return (spots * GRID_PX + GRID_PX // 2).astype(np.float32)


def _sampled(layers: Floats, points: Floats, row: Floats, column: Floats) -> Floats:
    """Layers around pixels: points (2, k, 1) and pixels (n,) → (k, n, layers), of but one (k, n)."""
    how = cv2.INTER_LINEAR
    found = cv2.remap(layers, points[0] + column, points[1] + row, how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32)


def surroundings(sheet: Sheet, edges: Floats, spots: Spots) -> Floats:
    """What middle, symbol, rim and surroundings of a die there show: (2, n) → (features but sides, n)."""
    row, column = _pixels(spots)
    planes = by_channel(_sampled(sheet.half, _RINGS, row, column))
    np.minimum(planes[3], _CHANGE_LIMIT, out=planes[3])
    means = _RING_MEANS @ planes
    core, rim = means[:3, 0], planes[:3, _RIM]
    body = (rim.sum(axis=1) - rim.max(axis=1) - rim.min(axis=1)) / 6
    contrast = np.sqrt(((core - body) ** 2).sum(axis=0))
    tint = core / (core.sum(axis=0) + 30) - body / (body.sum(axis=0) + 30)
    tint_low = np.minimum(np.sqrt((tint * tint).sum(axis=0)), _TINT_LIMIT)
    ink = contrast / (contrast + 8 + _EDGE_PER_LEVEL * body.max(axis=0))
    uneven = np.abs(rim - body[:, None]).sum(axis=(0, 1)) / 8 / (contrast + 20)
    around = _RING_MEANS @ _sampled(edges[0], _RINGS, row, column)
    return np.vstack([around, means[3], ink, tint_low, uneven])


# Logistic regression, dice and other places in balance (`companion.evaluation.seeds_fit`). With each table
# left out in turn, of 837 dice 11 are not among the first twelve places, most of them half hidden.
_SIDE_SCORES = np.array([8.6677, 4.6574, 6.2464, 7.2705], np.float32)
_OTHER_SCORES = np.array([
    -8.6694, 10.0941, -11.2237, -1.1100, 0.5278, -1.8764, 1.2339, -1.3500, 4.3130, 20.8363, -4.9456,
], np.float32)  # fmt: skip
_BIAS = np.float32(-4.7742)


@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """Grid points where dice may lie, with log odds for each of the six angles."""

    sheet: Sheet
    spots: Spots
    """(2, n): row and column in steps of the grid."""
    odds: Floats
    """(ANGLES, n): of a die there at that angle against anything else."""

    def places(self, which: Spots | None = None) -> Places:
        """x, y (mm on the sheet) and angle (rad) of each angle at each point, (ANGLES · n, 3), or of some."""
        turn, spot = np.divmod(np.arange(self.odds.size) if which is None else which, self.odds.shape[1])
        row, column = _at_mm(self.spots[:, spot], self.sheet.plan)
        return np.column_stack([column, row, _TURNS[turn]])

    def best(self, least: float, most: int) -> Places:
        """The likeliest places, best first, some apart: at most `most`, with odds above `least`.

        Gives x, y (mm on the sheet) and angle (rad), (n, 3).
        """
        turn, odds = self.odds.argmax(axis=0), self.odds.max(axis=0)
        grid = np.full(self.spots.max(axis=1) + 1, -np.inf, np.float32)
        grid[self.spots[0], self.spots[1]] = odds
        around = cv2.dilate(grid, _APART)[self.spots[0], self.spots[1]]
        peaks = np.flatnonzero((odds >= around) & (odds > least))
        peaks = peaks[np.argsort(-odds[peaks], kind="stable")[:most]]
        row, column = _at_mm(self.spots[:, peaks], self.sheet.plan)
        return np.column_stack([column, row, _TURNS[turn[peaks]]])


def guesses(
    sheet: Sheet, where: npt.NDArray[np.bool_], changed_from: float, edges: Floats | None = None
) -> Guesses | None:
    """What a first glance tells of all places where enough has changed; None where there are none.

    `edges` are the `edge_map` of the sheet's half, where it is known.
    """
    spots = places_worth_a_look(sheet, where, changed_from)
    if spots.shape[1] == 0:
        return None
    edges = edge_map(sheet.half) if edges is None else edges
    sides = side_edges(edges, spots)
    odds = (_SIDE_SCORES @ sides.reshape(4, -1)).reshape(ANGLES, -1)
    odds += _OTHER_SCORES @ surroundings(sheet, edges, spots) + _BIAS
    return Guesses(sheet, spots, np.asarray(odds, np.float32))
