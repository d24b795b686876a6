"""Where the card lies in its holder: the four edges of a rectangle of known shape, found by coherent
contrast.

The holder's zone, seen from above, says where a card of 63 by 88 mm lies within some mm and degrees. Along a
straight edge the step in colour is the same everywhere, so that summing it along the edge lets a faint edge
stand out of noise and print. All four edges are sought together: their angle is one, their distances those of
a card, which tells the card's rim from a frame printed inside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.card_view import CARD_MM, Bytes, Floats, Matrix, holder_to_px, rectified
from companion.vision.geometry import Quad, apply, as_quad

#: Pixels per mm of the view in which edges are sought, and how far it shows beyond the zone.
VIEW_PX_PER_MM = 2.0
MARGIN_MM = 10.0
#: A card lies at most so far beside its zone, and so much turned.
_REACH_MM = 8.0
_TURN_DEG = 8.0
_TURN_STEP_DEG = 1.0
#: How much larger or smaller than the zone the card may look: a pile brings it nearer, zones are marked by
#: hand.
_SIZE_FRAC = 0.05
#: Each side is seen in so many pieces; a piece whose step is under this share of the side's is not seen
#: there.
SEGMENTS = 10
_PIECE_FRAC = 0.25
#: A piece's own place may differ by about this, twice at most, from where the first search saw the side.
_SLACK_MM = 0.6
#: Most cards' rims have one colour: opposite edges whose insides, so far inwards, differ by so many levels
#: count less by this share.
_INSIDE_MM, _UNLIKE_LEVELS, _UNLIKE_COST = 1.0, 40.0, 0.2
#: A card has one size: each hundredth that its width and height disagree by beyond the first costs so much
#: strength.
_EVEN_FRAC, _UNEVEN_COST = 0.01, 100.0
#: Pieces lie on the line within about this.
_ON_LINE_MM = 0.15
#: An edge must be this strong, in 8-bit levels of its step: fainter ones are noise.
_FAINT_LEVELS = 2.5

#: Pieces are smoothed along the direction in which steps are sought.
_SMOOTHING, _NO_SMOOTHING = np.array([0.25, 0.5, 0.25]), np.array([1.0])


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card found in a holder.

    `corners_px` are its corners in the frame's pixels (corner coordinates), in the order of the zone's: NW,
    NE, SE, SW in the table's sense, whichever way up the card lies. `support` has, for the sides N, E, S, W,
    the share of the side's pieces at which the edge is seen; `contrast` its step in 8-bit levels.
    """

    corners_px: Quad
    support: tuple[float, float, float, float]
    contrast: tuple[float, float, float, float]

    @property
    def is_whole(self) -> bool:
        """Whether all of the rim is seen: nothing lies over it."""
        return min(self.support) > 1 - 1.5 / SEGMENTS


def find_card(frame_bgr: Bytes, zone_px: Quad) -> CardPlace | None:
    """The card in one holder of a frame, shape (h, w, 3), uint8 BGR; None where no four edges of one are
    seen.
    """
    to_px = holder_to_px(zone_px)
    view = rectified(frame_bgr, to_px, CARD_MM, VIEW_PX_PER_MM, MARGIN_MM)
    across, down = _steps(view)
    best = _rectangle(across, down)
    if best is None:
        return None
    sides = _refined(across, down, best)
    north, east, south, west = (sides.line(side) for side in range(4))
    corners = [_crossing(west, north), _crossing(east, north), _crossing(east, south), _crossing(west, south)]
    in_mm = np.array(corners) + np.array(CARD_MM) / 2
    return CardPlace(as_quad(apply(to_px, in_mm)), _four(sides.support), _four(sides.contrast))


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """Steps in colour across one direction, summed along pieces of the sides that run the other way.

    `strip` is (SEGMENTS, n, 6): for each piece the mean step at each offset and the mean level; offsets run
    from `first_mm`, in mm from the holder's middle, by `step_mm`; `along_mm` are the pieces' middles from the
    holder's middle.
    """

    strip: Floats
    first_mm: float
    step_mm: float
    along_mm: Matrix
    half_mm: float

    def halved(self) -> _Steps:
        """The same at half the resolution, for a first search."""
        even = self.strip.shape[1] // 2 * 2
        strip = (self.strip[:, 0:even:2] + self.strip[:, 1:even:2]) / 2
        return _Steps(
            np.asarray(strip, np.float32),
            self.first_mm + self.step_mm / 2,
            2 * self.step_mm,
            self.along_mm,
            self.half_mm,
        )


def _steps(view: Bytes) -> tuple[_Steps, _Steps]:
    """Steps across x (for the sides W and E) and across y (for N and S) of a holder's view."""
    both = []
    for turned in (False, True):
        across_mm, along_mm = CARD_MM[::-1] if turned else CARD_MM
        skip = round(MARGIN_MM * VIEW_PX_PER_MM) + round(0.05 * along_mm * VIEW_PX_PER_MM)
        length = (view.shape[1 if turned else 0] - 2 * skip) // SEGMENTS
        part = slice(skip, skip + length * SEGMENTS)
        # One row a piece, averaged: a resize by area is the quickest mean.
        if turned:
            tall = cv2.resize(view[:, part], (SEGMENTS, view.shape[0]), interpolation=cv2.INTER_AREA)
            pieces = cv2.transpose(tall)
        else:
            pieces = cv2.resize(view[part], (view.shape[1], SEGMENTS), interpolation=cv2.INTER_AREA)
        smooth = cv2.sepFilter2D(pieces, cv2.CV_32F, _SMOOTHING, _NO_SMOOTHING)
        level = np.asarray(smooth, np.float32)
        strip = np.concatenate([level[:, 2:] - level[:, :-2], level[:, 1:-1]], axis=2)
        middles = (np.arange(SEGMENTS) + 0.5) * length / VIEW_PX_PER_MM + skip / VIEW_PX_PER_MM
        both.append(
            _Steps(
                strip=strip,
                first_mm=1.5 / VIEW_PX_PER_MM - MARGIN_MM - across_mm / 2,
                step_mm=1 / VIEW_PX_PER_MM,
                along_mm=middles - MARGIN_MM - along_mm / 2,
                half_mm=across_mm / 2,
            )
        )
    return both[0], both[1]


#: A side as its offset in mm from the holder's middle, where it passes the middle, and its slope (mm per mm).
_Line = tuple[float, float]


def _rectangle(across: _Steps, down: _Steps) -> tuple[_Line, _Line, _Line, _Line] | None:
    """The sides N, E, S, W of the best rectangle of a card's shape, roughly."""
    # Turning by a small angle: sides that run along y lean by -turn in x, sides along x by +turn in y.
    x_sides, y_sides = _pairs(across.halved(), -1), _pairs(down.halved(), 1)
    uneven = np.abs(x_sides.sizes[:, None] - y_sides.sizes[None, :])
    cost = _UNEVEN_COST * np.maximum(uneven - _EVEN_FRAC, 0)
    total = x_sides.sums[:, :, None] + y_sides.sums[:, None, :] - cost
    index, x_size, y_size = np.unravel_index(int(np.argmax(total)), total.shape)
    if min(x_sides.faintest[index, x_size], y_sides.faintest[index, y_size]) < _FAINT_LEVELS:
        return None
    turn = float(_turns()[index])
    west, east = x_sides.places_mm[index, x_size]
    north, south = y_sides.places_mm[index, y_size]
    return (north, turn), (east, -turn), (south, turn), (west, -turn)


@lru_cache(maxsize=1)
def _turns() -> Matrix:
    """The turns that are tried, as slopes."""
    return np.asarray(np.tan(np.radians(np.arange(-_TURN_DEG, _TURN_DEG + 0.01, _TURN_STEP_DEG))), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """For each turn and each of some distances the best two parallel sides so far apart, (turns, distances).

    `sizes` are the distances in units of the zone's; `sums` the two sides' strengths added; `places_mm` where
    they are (turns, distances, 2); `faintest` the mean step in levels of the fainter one.
    """

    sizes: Matrix
    sums: Floats
    places_mm: Matrix
    faintest: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Which pieces to add up for which side, the same for every picture.

    The sides of either sort are sought at `first_mm` and at `second_mm`. `pieces` (SEGMENTS, turns, columns)
    are the pieces' places in a flat strip, the first sides' columns before the second's, each with one more
    towards the card's inside; the pair (f, partner[f, g]) is `sizes[g]` of the zone's size apart and weighs
    `weight[f, g]`.
    """

    first_mm: Matrix
    second_mm: Matrix
    pieces: npt.NDArray[np.intp]
    partner: npt.NDArray[np.intp]
    sizes: Matrix
    weight: Floats


@lru_cache(maxsize=4)
def _search(
    count: int, first_mm: float, step_mm: float, half_mm: float, along_mm: bytes, lean: int
) -> _Search:
    places = first_mm + step_mm * np.arange(count)
    first_at = np.flatnonzero(np.abs(places + half_mm) < _REACH_MM)
    gaps = np.arange(
        math.ceil(2 * half_mm * (1 - _SIZE_FRAC) / step_mm),
        math.floor(2 * half_mm * (1 + _SIZE_FRAC) / step_mm) + 1,
    )
    second_at = np.arange(first_at[0] + gaps[0], min(first_at[-1] + gaps[-1], count - 1) + 1)
    inwards = round(_INSIDE_MM / step_mm)
    columns = np.concatenate(
        [
            np.arange(first_at[0], first_at[-1] + inwards + 1),
            np.arange(second_at[0] - inwards, second_at[-1] + 1),
        ]
    )
    shift = np.rint(lean * np.frombuffer(along_mm)[:, None] * _turns()[None, :] / step_mm).astype(np.intp)
    pieces = np.clip(shift[:, :, None] + columns, 0, count - 1) + count * np.arange(SEGMENTS)[:, None, None]
    partner = first_at[:, None] + gaps[None, :] - second_at[0]
    sizes = gaps * step_mm / (2 * half_mm)
    inside = (partner < len(second_at)) & (np.abs(places[second_at] - half_mm) < _REACH_MM)[
        np.minimum(partner, len(second_at) - 1)
    ]
    # Of rectangles that fit as well, the one of the right size.
    weight = inside * (1 - 0.05 * np.abs(sizes - 1) / _SIZE_FRAC)
    return _Search(
        np.asarray(places[first_at], np.float64),
        np.asarray(places[second_at], np.float64),
        pieces,
        np.minimum(partner, len(second_at) - 1),
        np.asarray(sizes, np.float64),
        np.asarray(weight, np.float32),
    )


def _pairs(steps: _Steps, lean: int) -> _Pairs:
    count = steps.strip.shape[1]
    geometry = (count, steps.first_mm, steps.step_mm, steps.half_mm, steps.along_mm.tobytes())
    search = _search(*geometry, lean)
    first, second, first_inside, second_inside = _strengths(steps, search)
    apart = np.abs(first_inside[:, :, :, None] - second_inside.take(search.partner, axis=2)).max(axis=0)
    alike = np.minimum(apart, _UNLIKE_LEVELS) * np.float32(-_UNLIKE_COST / _UNLIKE_LEVELS) + np.float32(1)
    sums = (first[:, :, None] + second.take(search.partner, axis=1)) * (search.weight * alike)
    best = sums.argmax(axis=1)
    turn, gap = np.arange(len(first))[:, None], np.arange(len(search.sizes))[None, :]
    other = search.partner[best, gap]
    return _Pairs(
        search.sizes,
        np.asarray(sums[turn, best, gap], np.float32),
        np.stack([search.first_mm[best], search.second_mm[other]], axis=2),
        np.asarray(np.minimum(first[turn, best], second[turn, other]) ** 2, np.float32),
    )


def _strengths(steps: _Steps, search: _Search) -> tuple[Floats, Floats, Floats, Floats]:
    """How strong straight edges are at all turns and places, for the first sides and for the second ones,
    (turns, places): the root of the mean step in levels; and the mean levels just inside, (3, turns, places).

    The root keeps one glaring edge from making up for one that is not there.
    """
    along = steps.strip.reshape(-1, 6).take(search.pieces, axis=0).sum(axis=0) * np.float32(1 / SEGMENTS)
    channels = np.ascontiguousarray(along.transpose(2, 0, 1))
    strength = np.sqrt(np.abs(channels[:3]).max(axis=0))
    first, second = len(search.first_mm), len(search.second_mm)
    levels = channels[3:]
    inwards = (strength.shape[1] - first - second) // 2
    return (
        strength[:, :first],
        strength[:, -second:],
        levels[:, :, inwards : inwards + first],
        levels[:, :, first + inwards : first + inwards + second],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """The four sides N, E, S, W as lines, with support and contrast as in a place, (4,) each."""

    offset_mm: Matrix
    slope: Matrix
    support: Matrix
    contrast: Matrix

    def line(self, side: int) -> _Line:
        """One of them."""
        return float(self.offset_mm[side]), float(self.slope[side])


def _refined(across: _Steps, down: _Steps, lines: tuple[_Line, _Line, _Line, _Line]) -> _Sides:
    """The lines through the places at which each piece of a side has its own step, robustly."""
    step_mm, sides = across.step_mm, (down, across, down, across)
    reach = round(2 * _SLACK_MM / step_mm) + 1
    offset, tilt = np.array(lines).T[:, :, None]
    along = np.array([steps.along_mm for steps in sides])
    count = np.array([steps.strip.shape[1] for steps in sides])[:, None]
    edge_mm = np.array([steps.first_mm for steps in sides])[:, None]
    expected = (offset + tilt * along - edge_mm) / step_mm
    start = np.minimum(np.maximum(np.rint(expected).astype(int), reach), count - 1 - reach) - reach
    first_mm = edge_mm + step_mm * start
    # Both directions' pieces one after another, so that all four sides' windows are taken at once.
    strips = np.concatenate([down.strip[:, :, :3].reshape(-1, 3), across.strip[:, :, :3].reshape(-1, 3)])
    piece_at = np.array([[0], [down.strip.shape[1] * SEGMENTS]] * 2) + count * np.arange(SEGMENTS)
    window = strips.take((piece_at + start)[:, :, None] + np.arange(2 * reach + 1), axis=0)
    # What lies behind the card may change along a side, so that each piece has a step of its own.
    step = np.sqrt(np.einsum("spwc,spwc->spw", window, window))
    far_mm = step_mm * np.arange(-reach, reach + 1)
    peak = (step * np.exp(-0.5 * (far_mm / _SLACK_MM) ** 2))[:, :, 1:-1].argmax(axis=2) + 1
    window_at = (2 * reach + 1) * np.arange(4 * SEGMENTS).reshape(4, SEGMENTS)
    before, top, after = (step.take(window_at + peak + by) for by in (-1, 0, 1))
    part = 0.5 * (before - after) / np.minimum(before - 2 * top + after, -1e-6)
    place_mm = first_mm + step_mm * (peak + np.minimum(np.maximum(part, -0.5), 0.5))
    # the median, of an even number
    ordered = np.sort(top, axis=1)
    size = (ordered[:, SEGMENTS // 2 - 1] + ordered[:, SEGMENTS // 2]) / 2
    least = np.maximum(_PIECE_FRAC * size, _FAINT_LEVELS)[:, None]
    is_seen = top > least
    enough = is_seen.sum(axis=1, keepdims=True) >= 3
    usable = np.where(enough, is_seen, 1.0)
    weight = usable
    terms = np.array([np.ones_like(along), along, place_mm, along * along, along * place_mm])
    for _ in range(3):
        total, x, y, square, both = (weight * terms).sum(axis=2, keepdims=True)
        fitted = (both - x * y / total) / np.maximum(square - x * x / total, 1e-9)
        tilt = np.where(enough, fitted, tilt)
        offset = np.where(enough, (y - fitted * x) / total, offset)
        rest = (place_mm - offset - tilt * along) / _ON_LINE_MM
        weight = usable / (1 + rest * rest)
    # What else has an edge nearby, a printed frame or the holder's, may be stronger; the rim is there all the
    # same.
    at = np.rint((offset + tilt * along - first_mm) / step_mm).astype(int)
    near = np.minimum(np.maximum(at[:, :, None] + np.arange(-1, 2), 0), 2 * reach)
    there = step.take(window_at[:, :, None] + near).max(axis=2)
    return _Sides(offset[:, 0], tilt[:, 0], (there > least).sum(axis=1) / SEGMENTS, size)


def _four(values: Matrix) -> tuple[float, float, float, float]:
    north, east, south, west = (float(value) for value in values)
    return north, east, south, west


def _crossing(upright: _Line, level: _Line) -> tuple[float, float]:
    """Where x = a + b·y meets y = c + d·x, in mm from the holder's middle."""
    (a, b), (c, d) = upright, level
    x = (a + b * c) / (1 - b * d)
    return x, c + d * x
