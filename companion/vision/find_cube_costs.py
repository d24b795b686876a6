"""How badly a supposed cube explains what is seen around a die: pixel by pixel, and by the symbol on top.

Each pixel is floor, top or side. What it would cost as either does not depend on the cube, so it is worked
out once; a cube only says which pixels are which. Floor is the empty table in any light, a little brighter or
much darker; the top has the body's colour, or ink in its middle; a side has the body's colour in a light of
its own, or anything in its middle. Costs are squares of how many units of noise something is off, up to a
limit, so that gloss or a neighbour that is not known costs little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from companion.vision.find_cubes import TOP, Indices, spans, visible_faces
from companion.vision.find_scene import Faces, Floats, samples_at
from companion.vision.find_sheet import Sheet

Values = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# How far around a die all of a leaning one is seen (sides of a die); a part of the way to where its base is.
_REACH_FRAC, _TOWARDS_BASE = 1.3, 0.3
# What a pixel costs at most: anywhere, by a face's edge (round, so that it may gleam), and beside the die.
_MOST, _MOST_AT_EDGE, _MOST_BESIDE = 6.0, 2.5, 1.5
# From here on (fraction of a side from the middle) a face is its edge; a symbol ends before.
_EDGE_FRAC = 0.40
_WHOLE_AND_MIDDLE = np.array([0.5, _EDGE_FRAC])
# What ink of whatever colour costs in the middle of a side, and what a shadow and a deep one do.
_INK, _SHADOW, _DEEP_SHADOW = 1.0, 0.6, 1.2
_SHADOW_FROM, _DEEP_FROM = 0.85, 0.2
# How bright the floor may be, by the tint: only as it is it may be lit more.
_MOST_LIT = np.array([1.12, _SHADOW_FROM, _SHADOW_FROM, _SHADOW_FROM], np.float32)[:, None]
# Colours of shadows, B G R beside the floor's in full light: as it is, and where lamp and window differ.
_SHADOW_TINTS = np.array([(1, 1, 1), (1.3, 1, 0.77), (1.65, 1.05, 0.6), (0.77, 1, 1.3)], np.float32)
# What it costs a pixel (mean) that all shadows around one die have another tint.
_TINTED = np.array([0, 0.06, 0.06, 0.06], np.float32)
# A side may be lit so differently from the top; black ones mirror a bright wall.
_SIDE_LIGHTS, _DARKEST_SIDE, _BRIGHTEST_SIDE, _MIRRORED = 12, 0.12, 1.4, 200.0
_LIGHT_VARIES = 0.15
_TOP_DARKEST, _TOP_BRIGHTEST = 0.75, 1.3
# Noise of a pixel: rounding and compression, the picture's own, and what is in proportion to the brightness.
_ROUNDING, _NOISE, _SHARE = 3.0, 0.6, 0.04
_FLOOR_SHARE = 0.03
# Another die hides what is so near to its middle along both of its axes (sides of a die).
_OTHER_FRAC = 0.56
# The symbol's middle is the face's to this (sides), and it is as long as wide to this (share).
_OFF_CENTRE, _UNEVEN, _MOST_UNEVEN = 0.05, 0.08, 40.0
_INKIEST = 1.15
_FEW_INKY, _NO_INK = 0.008, (0.03, 0.02)
# Ink is certain from this contrast on (units of noise).
_CLEAR = 4.0
_FACE = np.linspace(-0.47, 0.47, 16)
_FACE_AT = np.array([(x, y) for y in _FACE for x in _FACE], np.float32).T.copy()
_RIM = np.abs(_FACE_AT).max(axis=0) > _EDGE_FRAC
_CORE = np.hypot(*_FACE_AT) < 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """How badly cubes explain a die, each (m,); costs are means over all pixels."""

    top: Values
    sides: Values
    floor: Values
    symbol: Values
    """What the symbol costs: off the middle and squeezed."""
    off_centre: Values
    """How far from the top's middle the ink's is, sides of a die."""
    uneven: Values
    """How much longer than wide the ink is: 0 round, towards 1 a line."""

    @property
    def total(self) -> Values:
        """All costs, (m,)."""
        return np.asarray(self.top + self.sides + self.floor + self.symbol, np.float64)

    def __getitem__(self, which: slice) -> Explained:
        """By some of the cubes."""
        return Explained(*(getattr(self, field.name)[which] for field in fields(self)))

    @classmethod
    def average(cls, parts: Sequence[Explained], as_good: float) -> Explained:
        """By all cubes together, (1,): one that costs so much more than the best counts e times less, and one
        that comes up several times so often.
        """
        total = np.concatenate([part.total for part in parts])
        weights = np.exp((total.min() - total) / as_good)
        weights /= weights.sum()
        columns = (np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls))
        return cls(*(np.array([weights @ column]) for column in columns))


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The pixels around one die, a square grid, and what each costs as whatever it may be.

    A face covers a stretch of each row. So costs are summed up along the rows, and those of a stretch are
    what they come to at its end less what they come to at its beginning. Sums, (n, …), are by column (one
    more than the grid has), which of two stretches, and row.
    """

    eye_mm: Values
    die_mm: float
    side: int
    """How many rows the grid has, and columns."""
    begin: Indices
    """Where each row's sums begin, for both stretches, (side, 2)."""
    to_mm: Values
    """(3, 3): from (column, row, 1) to mm of the sheet."""
    floor: Floats
    """Sums as floor, by the shadows' tint, (n, tints), of what a die covers: just beside it; and of that with
    a pixel around it: how much more farther away."""
    all_floor: Floats
    """What all pixels cost as floor away from a die, (tints,)."""
    sides: Floats
    """Sums as a side, by its light, (n, lights), of a face: as its edge; and of its middle: how much more as
    such, which is less than nothing."""
    top: Floats
    """Sums as the top, of the same, (n, 1)."""
    inky: Floats
    """(3, k): where (column, row, 1) pixels may be ink of the top."""
    ink: Floats
    """How surely, (k,)."""
    clear: float
    """The ink's contrast to the body, in units of noise."""
    count: float
    """How many pixels count."""

    def explained(self, poses: Values) -> Explained:
        """By cubes in these poses, (m, 5) as of `find_cubes`."""
        faces, seen = visible_faces(poses, self.eye_mm, self.die_mm, self.to_mm)
        first, end = spans(faces, seen, _WHOLE_AND_MIDDLE, self.side)
        # no other rows than those that dice cover, and those beside these
        used = np.flatnonzero(np.any(end[:, 0] > first[:, 0], axis=(1, 2)))
        rows = slice(max(0, used[0] - 1), used[-1] + 2) if len(used) else slice(1)
        first, end, begin = first[rows], end[rows], self.begin[rows]
        # each side in the light that suits it best
        sides = self._summed(self.sides, begin, first[:, :, :TOP], end[:, :, :TOP]).min(axis=2).sum(axis=0)
        top = self._summed(self.top, begin, first[:, :, TOP], end[:, :, TOP])[:, 0]
        off_centre, uneven, enough = self._symbol(faces[:, :, TOP])
        return Explained(
            top=np.asarray(top / self.count, np.float64),
            sides=np.asarray(sides / self.count, np.float64),
            floor=self._beside(begin, first[:, 0], end[:, 0]),
            symbol=self._symbol_cost(off_centre, uneven, enough),
            off_centre=off_centre,
            uneven=uneven,
        )

    def _summed(self, sums: Floats, begin: Indices, first: Indices, end: Indices) -> Floats:
        """What two stretches of each row cost together, (rows, 2, …) each → (…, channels)."""
        rows = begin.reshape(-1, 2, *(1,) * (first.ndim - 2))
        stretches = sums.take(end * (2 * self.side) + rows, axis=0)
        stretches -= sums.take(first * (2 * self.side) + rows, axis=0)
        summed = stretches.reshape(2 * len(first), -1).sum(axis=0)
        return np.asarray(summed.reshape(*first.shape[2:], -1), np.float32)

    def _beside(self, begin: Indices, first: Indices, end: Indices) -> Values:
        """What pixels beside each die cost as floor, less where they touch it, faces' (rows, 3, m) → (m,)."""
        none = first == end
        firsts = np.full((len(first) + 2, 2, first.shape[2]), self.side + 1)
        ends = np.full_like(firsts, -1)
        # what is seen of a die has no dents
        np.where(none, self.side + 1, first).min(axis=1, out=firsts[1:-1, 0])
        np.where(none, -1, end).max(axis=1, out=ends[1:-1, 0])
        above_below = np.minimum(firsts[:-2, 0], firsts[2:, 0]), np.maximum(ends[:-2, 0], ends[2:, 0])
        np.minimum(firsts[1:-1, 0] - 1, above_below[0], out=firsts[1:-1, 1])
        np.maximum(ends[1:-1, 0] + 1, above_below[1], out=ends[1:-1, 1])
        first = np.minimum(np.maximum(firsts[1:-1], 0), self.side)
        end = np.maximum(np.minimum(ends[1:-1], self.side), first)
        costs = self.all_floor - self._summed(self.floor, begin, first, end)
        return np.asarray((costs / self.count + _TINTED).min(axis=1), np.float64)

    def _symbol(self, tops: Values) -> tuple[Values, Values, Flags]:
        """How far off the middle the ink on each top is, how uneven, and whether it is enough to tell."""
        by_pixel = np.asarray(tops, np.float32).reshape(3, -1).T @ self.inky
        u, v, ahead = by_pixel.reshape(3, tops.shape[-1], len(self.ink))
        here = np.maximum(np.abs(u), np.abs(v)) <= np.float32(0.5) * ahead
        ahead = np.where(here, ahead, np.float32(1))
        weight = self.ink * here
        u, v = u / ahead, v / ahead
        weighted_u, weighted_v = weight * u, weight * v
        total = weight.sum(axis=1) + 1e-6
        off_u, off_v = weighted_u.sum(axis=1) / total, weighted_v.sum(axis=1) / total
        uu, vv, uv = (
            np.einsum("mk,mk->m", one, other) / total - middle
            for one, other, middle in (
                (weighted_u, u, off_u * off_u), (weighted_v, v, off_v * off_v), (weighted_u, v, off_u * off_v)
            )
        )  # fmt: skip
        uneven = np.hypot(uu - vv, 2 * uv) / (uu + vv + 1e-6)
        enough = total >= _FEW_INKY * self.count
        return np.hypot(off_u, off_v).astype(np.float64), np.asarray(uneven, np.float64), enough

    def _symbol_cost(self, off_centre: Values, uneven: Values, enough: Flags) -> Values:
        sure = 1e-3 / (1 + (_CLEAR / max(self.clear, 0.5)) ** 2)
        costs = (
            np.where(enough, np.minimum((off / unit) ** 2, _MOST_UNEVEN) * sure, without)
            for off, unit, without in zip((off_centre, uneven), (_OFF_CENTRE, _UNEVEN), _NO_INK, strict=True)
        )
        return np.asarray(sum(costs), np.float64)


def surroundings(
    sheet: Sheet, spots: Values, which: int, eye: Values, steps_px: Sequence[float]
) -> list[Surroundings]:
    """What is seen around one of the spots (n, 4: x, y mm, angle rad, score), every so many pixels."""
    die_mm = sheet.die_mm
    bases = sheet.depth_mm(spots)
    middle = spots[which, :2] + _TOWARDS_BASE * bases[which]
    grids: list[tuple[int, Values]] = []
    places: list[Values] = []
    for step_px in steps_px:
        side = int(2 * _REACH_FRAC * die_mm * sheet.px_per_mm / step_px) + 1
        step = step_px / sheet.px_per_mm
        corner = middle - (side - 1) / 2 * step
        grids.append((side, np.array([[step, 0, corner[0]], [0, step, corner[1]], [0, 0, 1]])))
        x, y = corner[:, None] + np.arange(side) * step
        places.append(np.array([np.tile(x, side), np.repeat(y, side)]))
    x, y = np.hstack(places)
    u, v = ((along * sheet.px_per_mm - 0.5).astype(np.float32) for along in (x, y))
    first, last = sheet.rows_of(spots[which : which + 1])[0]
    counts = np.hypot(x - middle[0], y - middle[1]) <= _REACH_FRAC * die_mm
    counts &= (v >= first) & (v <= last) & (u >= 0) & (u <= sheet.layers.shape[1] - 1)
    at = np.flatnonzero(counts)
    at = at[~_of_others(sheet, spots, bases, which, x[at], y[at])]
    seen = samples_at(sheet.layers, u[None, at], v[None, at])[0]
    shown = seen[:, 3] >= 0
    at, colours = at[shown], seen[shown, :3]
    empty = samples_at(sheet.empty, u[None, at], v[None, at])[0, :, :3]
    floor = np.minimum(empty * sheet.gain_of(spots[which : which + 1])[0], 255)
    brightest = colours.max(axis=1)
    unit = _ROUNDING + _NOISE * sheet.noise[brightest.astype(np.uint8)] + _SHARE * brightest
    face = samples_at(sheet.layers, *Faces.of(sheet, spots[which : which + 1]).pixels(_FACE_AT))[0, :, :3]
    body = np.median(face[_RIM], axis=0)
    to_ink = face[_CORE].mean(axis=0) - body
    as_floor = _as_floor(colours, floor, unit)
    beside = np.minimum(as_floor, _MOST_BESIDE)
    as_side = _as_side(colours, body, unit)
    side_edge = np.minimum(as_side, _MOST_AT_EDGE)
    as_top, as_ink, share = _as_top(colours, body, to_ink, unit)
    top_edge = np.minimum(as_top, _MOST_AT_EDGE)
    side_more, top_more = np.minimum(as_side, _INK) - side_edge, np.minimum(as_top, as_ink) - top_edge
    ink = np.clip((share - 0.5) / 0.4 + 0.5, 0, 1) * (as_ink[0] < 3)
    # of a die that others hide altogether nothing is clear
    clear = float(np.linalg.norm(to_ink) / np.median(unit)) if len(unit) else 0.0
    around: list[Surroundings] = []
    before = 0
    for side, to_mm in grids:
        own = slice(*np.searchsorted(at, (before, before + side * side)))
        row, column = np.divmod(at[own] - before, side)
        before += side * side
        inky = np.flatnonzero(ink[own] > 0.05)
        around.append(
            Surroundings(
                eye_mm=eye,
                die_mm=die_mm,
                side=side,
                begin=np.arange(2 * side).reshape(2, side).T,
                to_mm=to_mm,
                floor=_sums(side, row, column, beside[:, own], (as_floor - beside)[:, own]),
                all_floor=as_floor[:, own].sum(axis=1),
                sides=_sums(side, row, column, side_edge[:, own], side_more[:, own]),
                top=_sums(side, row, column, top_edge[:, own], top_more[:, own]),
                inky=np.array([column[inky], row[inky], np.ones(len(inky))], np.float32),
                ink=ink[own][inky],
                clear=clear,
                count=float(len(row) + 1),
            )
        )
    return around


def _sums(side: int, row: Indices, column: Indices, one: Floats, other: Floats) -> Floats:
    """Two kinds of costs (channels, n) of pixels, summed up along the rows as of `Surroundings`."""
    costs = np.zeros((side, 2, side, len(one)), np.float32)
    costs[column, 0, row], costs[column, 1, row] = one.T, other.T
    before = np.tri(side + 1, side, -1, np.float32)
    return np.asarray((before @ costs.reshape(side, -1)).reshape(-1, len(one)), np.float32)


def _of_others(sheet: Sheet, spots: Values, bases: Values, which: int, x: Values, y: Values) -> Flags:
    """Which places (n,) are nearer to another die, or on it wherever between its top and its base."""
    die_mm = sheet.die_mm
    zone = sheet.zone_of(spots)
    own = spots[which, :2] + bases[which] / 2
    hidden = np.zeros(len(x), np.bool_)
    near = np.hypot(*(spots[:, :2] - spots[which, :2]).T) < 2 * (_REACH_FRAC + 0.2) * die_mm
    near &= (zone == zone[which]) & (spots[:, 3] > 0)
    near[which] = False
    for other in np.flatnonzero(near):
        middle = spots[other, :2] + bases[other] / 2
        hidden |= np.hypot(x - middle[0], y - middle[1]) <= np.hypot(x - own[0], y - own[1])
        cos, sin = np.cos(spots[other, 2]), np.sin(spots[other, 2])
        for part in (0, 0.5, 1):
            middle = spots[other, :2] + part * bases[other]
            off_x, off_y = x - middle[0], y - middle[1]
            reach = np.maximum(np.abs(off_x * cos + off_y * sin), np.abs(off_y * cos - off_x * sin))
            hidden |= reach < _OTHER_FRAC * die_mm
    return hidden


def _as_floor(colours: Floats, floor: Floats, unit: Floats) -> Floats:
    """What pixels (n, 3) cost as the floor there in whatever light, by the shadows' tint, (tints, n)."""
    along = _SHADOW_TINTS @ (colours * floor).T
    bright = (_SHADOW_TINTS * _SHADOW_TINTS) @ (floor * floor).T
    light = np.minimum(along / (bright + 1), _MOST_LIT)
    costs = (colours * colours).sum(axis=1) + light * (light * bright - 2 * along)
    costs /= (unit + _FLOOR_SHARE * floor.max(axis=1)) ** 2
    costs += _SHADOW * (light < _SHADOW_FROM) + _DEEP_SHADOW * (light < _DEEP_FROM)
    costs = np.minimum(costs, np.minimum(costs[0], _MOST))
    return np.asarray(np.maximum(costs, 0), np.float32)


def _as_side(colours: Floats, body: Floats, unit: Floats) -> Floats:
    """What pixels (n, 3) cost as a body (3,) in other lights, (lights, n)."""
    bright = float(np.linalg.norm(body)) + 1e-3
    most = max(_BRIGHTEST_SIDE * bright, _MIRRORED)
    lights = np.geomspace(max(14.0, _DARKEST_SIDE * bright), min(most, 441.0), _SIDE_LIGHTS)
    darkest, brightest = (
        np.asarray(lights * (1 + off), np.float32) for off in (-_LIGHT_VARIES, _LIGHT_VARIES)
    )
    return _beyond(colours, body / bright, darkest, brightest, unit)


def _as_top(colours: Floats, body: Floats, to_ink: Floats, unit: Floats) -> tuple[Floats, Floats, Floats]:
    """What pixels (n, 3) cost as the top's body and its ink, (1, n) each; how inky: 0 body, 1 ink, (n,)."""
    bright, apart = (float(np.linalg.norm(one)) + 1e-3 for one in (body, to_ink))
    darkest, brightest = (np.array([light * bright], np.float32) for light in (_TOP_DARKEST, _TOP_BRIGHTEST))
    none, inkiest = np.zeros(1, np.float32), np.array([_INKIEST * apart], np.float32)
    off = colours - body
    as_body = _beyond(colours, body / bright, darkest, brightest, unit)
    as_ink = _beyond(off, to_ink / apart, none, inkiest, unit)
    return as_body, as_ink, np.asarray(off @ to_ink / apart**2, np.float32)


def _beyond(colours: Floats, way: Floats, least: Floats, most: Floats, unit: Floats) -> Floats:
    """What colours (n, 3) cost that should lie along a unit vector, from `least` to `most` (k,), (k, n)."""
    along = colours @ way
    beside = (colours * colours).sum(axis=1) - along * along
    off = np.maximum(least[:, None] - along, along - most[:, None])
    np.maximum(off, 0, out=off)
    off *= off
    off += beside
    off /= unit * unit
    return np.asarray(np.minimum(np.maximum(off, 0), _MOST), np.float32)
