"""How badly a supposed cube explains what is seen around a die: pixel by pixel, and by the symbol on top.

Each pixel is floor, top or side. What it would cost as either does not depend on the cube, so it is worked
out once; a cube only says which pixels are which. Floor is the empty table in any light, a little brighter or
much darker; the top has the body's colour, or ink in its middle; a side has the body's colour in a light of
its own, or anything in its middle. Costs are squares of how many units of noise something is off, up to a
limit, so that gloss or a neighbour that is not known costs little.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.vision.find_cubes import visible_faces
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
# What ink of whatever colour costs in the middle of a side, and what a shadow and a deep one do.
_INK, _SHADOW, _DEEP_SHADOW = 1.0, 0.6, 1.2
_LIT_MOST, _SHADOW_FROM, _DEEP_FROM = 1.12, 0.85, 0.2
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


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The pixels around one die, and what each costs as whatever it may be."""

    eye_mm: Values
    die_mm: float
    points: Floats
    """(3, n): where the pixels are, homogeneous mm of the sheet: a square grid, row by row."""
    floor_beside: Floats
    """As floor just beside a die, by the shadows' tint, (n, tints)."""
    floor_more: Floats
    """And how much more farther away."""
    side_edge: Floats
    """As the edge of a side, by its light, (n, lights)."""
    side_saved: Floats
    """And how much less as its middle."""
    top_edge: Floats
    """As the edge of the top, (n,)."""
    top_saved: Floats
    """And how much less as its middle."""
    inky: npt.NDArray[np.intp]
    """Which pixels may be ink of the top, (k,)."""
    ink: Floats
    """How surely, (k,)."""
    clear: float
    """The ink's contrast to the body, in units of noise."""
    count: float
    """How many pixels count."""

    @classmethod
    def of(cls, sheet: Sheet, spots: Values, which: int, eye: Values, step_px: float) -> Surroundings:
        """What is seen around one of the spots (n, 4: x, y mm, angle rad, score), every `step_px`."""
        die_mm = sheet.die_mm
        bases = sheet.depth_mm(spots)
        side = int(2 * _REACH_FRAC * die_mm * sheet.px_per_mm / step_px) + 1
        steps = (np.arange(side) - (side - 1) / 2) * step_px / sheet.px_per_mm
        x, y = (grid.ravel() for grid in np.meshgrid(steps, steps))
        counts = np.hypot(x, y) <= _REACH_FRAC * die_mm
        middle = spots[which, :2] + _TOWARDS_BASE * bases[which]
        x, y = x + middle[0], y + middle[1]
        u, v = ((along * sheet.px_per_mm - 0.5).astype(np.float32)[None] for along in (x, y))
        first, last = sheet.rows_of(spots[which : which + 1])[0]
        counts &= (v[0] >= first) & (v[0] <= last) & (u[0] >= 0) & (u[0] <= sheet.layers.shape[1] - 1)
        counts &= ~_of_others(sheet, spots, bases, which, x, y)
        seen, empty = (samples_at(picture, u, v)[0, :] for picture in (sheet.layers, sheet.empty))
        weight = (counts & (seen[:, 3] >= 0)).astype(np.float32)
        colours, empty = seen[:, :3], empty[:, :3]
        floor = np.minimum(empty * sheet.gain_of(spots[which : which + 1])[0], 255)
        brightest = colours.max(axis=1)
        unit = _ROUNDING + _NOISE * sheet.noise[brightest.astype(np.uint8)] + _SHARE * brightest
        face = samples_at(sheet.layers, *Faces.of(sheet, spots[which : which + 1]).pixels(_FACE_AT))[0, :, :3]
        body = np.median(face[_RIM], axis=0)
        to_ink = face[_CORE].mean(axis=0) - body
        as_floor = _as_floor(colours, floor, unit) * weight[:, None]
        floor_beside = np.minimum(as_floor, _MOST_BESIDE)
        as_side = _as_side(colours, body, unit) * weight[:, None]
        side_edge = np.minimum(as_side, _MOST_AT_EDGE)
        as_top, as_ink, share = _as_top(colours, body, to_ink, unit)
        top_edge = np.minimum(as_top, _MOST_AT_EDGE) * weight
        ink = np.clip((share - 0.5) / 0.4 + 0.5, 0, 1) * (as_ink < 3) * weight
        inky = np.flatnonzero(ink > 0.05)
        return cls(
            eye_mm=eye,
            die_mm=die_mm,
            points=np.stack([x, y, np.ones_like(x)]).astype(np.float32),
            floor_beside=floor_beside,
            floor_more=as_floor - floor_beside,
            side_edge=side_edge,
            side_saved=side_edge - np.minimum(as_side, _INK * weight[:, None]),
            top_edge=top_edge,
            top_saved=top_edge - np.minimum(as_top, as_ink) * weight,
            inky=inky,
            ink=ink[inky],
            clear=float(np.linalg.norm(to_ink) / np.median(unit)),
            count=float(weight.sum() + 1),
        )

    def explained(self, poses: Values) -> Explained:
        """By cubes in these poses, (m, 5) as of `find_cubes`."""
        maps, seen = visible_faces(poses, self.eye_mm, self.die_mm)
        # fractions of a side from the middle, times how much nearer what lies higher appears
        u_v_w = np.asarray(np.linalg.inv(maps), np.float32) @ self.points
        reach = np.abs(u_v_w[:, :, 0])
        np.maximum(reach, np.abs(u_v_w[:, :, 1]), out=reach)
        inside = reach <= u_v_w[:, :, 2] * np.float32(0.5)
        inside &= seen[:, :, None]
        middle = reach <= u_v_w[:, :, 2] * np.float32(_EDGE_FRAC)
        middle &= seen[:, :, None]
        on_face, in_middle = inside.astype(np.float32), middle.astype(np.float32)
        top = on_face[:, 0] @ self.top_edge - in_middle[:, 0] @ self.top_saved
        # each side in the light that suits it best
        sides = on_face[:, 1:] @ self.side_edge - in_middle[:, 1:] @ self.side_saved
        off_centre, uneven, enough = self._symbol(u_v_w[:, 0], inside[:, 0])
        return Explained(
            top=top / self.count,
            sides=sides.min(axis=2).sum(axis=1) / self.count,
            floor=self._beside(inside[:, 0] | inside[:, 1] | inside[:, 2]),
            symbol=self._symbol_cost(off_centre, uneven, enough),
            off_centre=off_centre,
            uneven=uneven,
        )

    def _beside(self, on_die: Flags) -> Values:
        """What pixels beside each die cost as floor, less where they touch it, (m, n) → (m,)."""
        side = int(np.sqrt(on_die.shape[1]))
        grid = on_die.reshape(-1, side, side)
        wider = grid.copy()
        wider[:, 1:] |= grid[:, :-1]
        wider[:, :-1] |= grid[:, 1:]
        wider[:, :, 1:] |= grid[:, :, :-1]
        wider[:, :, :-1] |= grid[:, :, 1:]
        off, far = (~part.reshape(on_die.shape) for part in (grid, wider))
        costs = off.astype(np.float32) @ self.floor_beside + far.astype(np.float32) @ self.floor_more
        return np.asarray((costs / self.count + _TINTED).min(axis=1), np.float64)

    def _symbol(self, u_v_w: Floats, on_top: Flags) -> tuple[Values, Values, Flags]:
        """How far off the middle the ink on each top is, how uneven, and whether it is enough to tell."""
        here = on_top[:, self.inky]
        weight = self.ink * here
        total = weight.sum(axis=1) + 1e-6
        inky = u_v_w[:, :, self.inky]
        u, v = (np.where(here, inky[:, axis] / inky[:, 2], 0) for axis in (0, 1))
        off_u, off_v = ((weight * along).sum(axis=1) / total for along in (u, v))
        u, v = u - off_u[:, None], v - off_v[:, None]
        uu, vv, uv = ((weight * one * other).sum(axis=1) / total for one, other in ((u, u), (v, v), (u, v)))
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


def _off(apart: npt.NDArray[np.floating], unit: Floats) -> Floats:
    """What colours (…, n, 3) away from what was expected cost, (…, n)."""
    return np.asarray(np.minimum((apart * apart).sum(axis=-1) / unit**2, _MOST), np.float32)


def _as_floor(colours: Floats, floor: Floats, unit: Floats) -> Floats:
    """What pixels (n, 3) cost as the floor there in whatever light, by the shadows' tint, (n, tints)."""
    tinted = floor * _SHADOW_TINTS[:, None]
    light = (colours * tinted).sum(axis=2) / ((tinted * tinted).sum(axis=2) + 1)
    light = np.minimum(np.maximum(light, 0), _LIT_MOST)
    light[1:] = np.minimum(light[1:], _SHADOW_FROM)
    costs = _off(colours - light[..., None] * tinted, unit + _FLOOR_SHARE * floor.max(axis=1))
    costs = costs + _SHADOW * (light < _SHADOW_FROM) + _DEEP_SHADOW * (light < _DEEP_FROM)
    costs[1:] = np.minimum(costs[1:], costs[0])
    return np.asarray(np.minimum(costs, _MOST).T, np.float32)


def _as_side(colours: Floats, body: Floats, unit: Floats) -> Floats:
    """What pixels (n, 3) cost as a body (3,) in other lights, (n, lights)."""
    bright = float(np.linalg.norm(body)) + 1e-3
    along = colours @ (body / bright)
    most = max(_BRIGHTEST_SIDE * bright, _MIRRORED)
    lights = np.geomspace(max(14.0, _DARKEST_SIDE * bright), min(most, 441.0), _SIDE_LIGHTS)
    lights = lights.astype(np.float32)
    near = np.clip(along[:, None], (1 - _LIGHT_VARIES) * lights, (1 + _LIGHT_VARIES) * lights)
    square = (colours * colours).sum(axis=1)[:, None] - 2 * near * along[:, None] + near * near
    return np.asarray(np.clip(square / (unit**2)[:, None], 0, _MOST), np.float32)


def _as_top(colours: Floats, body: Floats, to_ink: Floats, unit: Floats) -> tuple[Floats, Floats, Floats]:
    """What pixels (n, 3) cost as the top's body and as its ink, and how inky they are (0 body, 1 ink)."""
    light = np.clip(colours @ body / (body @ body + 1e-3), _TOP_DARKEST, _TOP_BRIGHTEST)
    share = (colours - body) @ to_ink / (to_ink @ to_ink + 1e-3)
    inked = np.clip(share, 0, 1.15)[:, None] * to_ink
    return _off(colours - light[:, None] * body, unit), _off(colours - body - inked, unit), share
