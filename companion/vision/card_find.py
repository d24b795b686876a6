"""Where the card lies in its holder: the four edges of a rectangle of known shape, found by coherent contrast.

The holder's zone, seen from above, says where a card of 63 by 88 mm lies within some mm and degrees. Along a
straight edge the step in colour is the same everywhere, so that summing it along the edge lets a faint edge stand
out of noise and print. All four edges are sought together: their angle is one, their distances those of a card,
which tells the card's rim from a frame printed inside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.geometry import Quad, apply, as_quad, mm_to_px

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

#: The size of a card in mm; a holder's zone is taken to be a card's place, and so to have this size.
CARD_MM = (63.0, 88.0)
#: Pixels per mm of the view in which edges are sought, and how far it shows beyond the zone.
VIEW_PX_PER_MM = 2.0
MARGIN_MM = 10.0
#: A card lies at most so far beside its zone, and so much turned.
_REACH_MM = 8.0
_TURN_DEG = 8.0
_TURN_STEP_DEG = 1.0
#: How much larger or smaller than the zone the card may look: a pile brings it nearer, zones are marked by hand.
_SIZE_FRAC = 0.05
#: Each side is seen in so many pieces; a piece whose step is under this share of the side's is not seen there.
SEGMENTS = 10
_PIECE_FRAC = 0.35
#: A piece's own place may differ by this from the straight line through the side.
_SLACK_MM = 1.25
#: An edge must be this strong, in 8-bit levels of its step: fainter ones are noise.
_FAINT_LEVELS = 2.5


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card found in a holder.

    `corners_px` are its corners in the frame's pixels (corner coordinates), in the order of the zone's: NW, NE, SE,
    SW in the table's sense, whichever way up the card lies. `support` has, for the sides N, E, S, W, the share of
    the side's pieces at which the edge is seen; `contrast` its step in 8-bit levels.
    """

    corners_px: Quad
    support: tuple[float, float, float, float]
    contrast: tuple[float, float, float, float]

    @property
    def is_whole(self) -> bool:
        """Whether all of the rim is seen: nothing lies over it."""
        return min(self.support) > 1 - 1.5 / SEGMENTS


def holder_to_px(zone_px: Quad) -> Matrix:
    """The homography from a holder's millimetres (x to NE, y to SW, from its NW corner) to the frame's pixels."""
    return mm_to_px(zone_px, CARD_MM)


def find_card(frame_bgr: Bytes, zone_px: Quad) -> CardPlace | None:
    """The card in one holder of a frame, shape (h, w, 3), uint8 BGR; None where no four edges of one are seen."""
    to_px = holder_to_px(zone_px)
    view = rectified(frame_bgr, to_px, CARD_MM, VIEW_PX_PER_MM, MARGIN_MM)
    across, down = _steps(view)
    best = _rectangle(across, down)
    if best is None:
        return None
    lines = [_refined(side, *line) for side, line in zip((down, across, down, across), best, strict=True)]
    north, east, south, west = (line.place for line in lines)
    corners = [
        _crossing(west, north), _crossing(east, north), _crossing(east, south), _crossing(west, south)
    ]  # fmt: skip
    in_mm = np.array(corners) + np.array(CARD_MM) / 2
    return CardPlace(
        corners_px=as_quad(apply(to_px, in_mm)),
        support=(lines[0].support, lines[1].support, lines[2].support, lines[3].support),
        contrast=(lines[0].contrast, lines[1].contrast, lines[2].contrast, lines[3].contrast),
    )


def rectified(
    frame_bgr: Bytes,
    mm_to_frame: Matrix,
    size_mm: tuple[float, float],
    px_per_mm: float,
    margin_mm: float = 0.0,
) -> Bytes:
    """A rectangle of millimetres as the frame shows it, `margin_mm` wider on each side, uint8 BGR.

    A frame of twice the view's resolution or more is averaged first: sampling alone would pick single noisy
    pixels and alias fine print. Outside the frame the nearest pixel is repeated.
    """
    to_view = np.array([[1 / px_per_mm, 0, -margin_mm], [0, 1 / px_per_mm, -margin_mm], [0, 0, 1]])
    size_px = tuple(round((side + 2 * margin_mm) * px_per_mm) for side in size_mm)
    view_to_px = mm_to_frame @ to_view
    corners = apply(view_to_px, [(0, 0), (size_px[0], 0), size_px, (0, size_px[1])])
    low = np.floor(corners.min(axis=0)).astype(int) - 2
    high = np.ceil(corners.max(axis=0)).astype(int) + 2
    frame_px = np.array([frame_bgr.shape[1], frame_bgr.shape[0]])
    low, high = np.clip(low, 0, frame_px - 1), np.clip(high, 1, frame_px)
    high = np.maximum(high, low + 1)
    part = frame_bgr[low[1] : high[1], low[0] : high[0]]
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], dtype=np.float64)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    finer = float(sides.sum()) / (2 * sum(size_px))
    while finer >= 2 and min(part.shape[:2]) >= 2:
        even = part[: part.shape[0] // 2 * 2, : part.shape[1] // 2 * 2]
        part = np.asarray(cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        shift = np.diag([0.5, 0.5, 1.0]) @ shift
        finer /= 2
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    matrix = np.linalg.inv(half) @ shift @ view_to_px @ half
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(part, matrix, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """Steps in colour across one direction, summed along pieces of the sides that run the other way.

    `strip` is (SEGMENTS, n, 3): for each piece the mean step at each offset; offsets run from `first_mm`, in mm
    from the holder's middle, by `step_mm`; `along_mm` are the pieces' middles from the holder's middle.
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
    smooth = cv2.GaussianBlur(view, (3, 3), 0)
    both = []
    for turned in (False, True):
        picture = cv2.transpose(smooth) if turned else smooth
        across_mm, along_mm = CARD_MM[::-1] if turned else CARD_MM
        skip = round(MARGIN_MM * VIEW_PX_PER_MM) + round(0.05 * along_mm * VIEW_PX_PER_MM)
        length = (picture.shape[0] - 2 * skip) // SEGMENTS
        rows = picture[skip : skip + length * SEGMENTS]
        width = rows.shape[1]
        # One row a piece, averaged: a resize by area is the quickest mean.
        pieces = np.asarray(cv2.resize(rows, (width, SEGMENTS), interpolation=cv2.INTER_AREA), np.float32)
        strip = pieces[:, 2:] - pieces[:, :-2]
        middles = (np.arange(SEGMENTS) + 0.5) * length / VIEW_PX_PER_MM + skip / VIEW_PX_PER_MM
        both.append(
            _Steps(
                strip=np.asarray(strip, np.float32),
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
    index = int(np.argmax(x_sides.sums + y_sides.sums))
    if min(x_sides.faintest[index], y_sides.faintest[index]) < _FAINT_LEVELS:
        return None
    turn = float(_turns()[index])
    west, east = x_sides.places_mm[index]
    north, south = y_sides.places_mm[index]
    return (north, turn), (east, -turn), (south, turn), (west, -turn)


@lru_cache(maxsize=1)
def _turns() -> Matrix:
    """The turns that are tried, as slopes."""
    return np.tan(np.radians(np.arange(-_TURN_DEG, _TURN_DEG + 0.01, _TURN_STEP_DEG)))


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """For each turn the best two parallel sides a card apart: the sum of their strengths, where they are (n, 2), and
    the mean step in levels of the fainter one.
    """

    sums: Floats
    places_mm: Matrix
    faintest: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Which pieces to add up for which side: `first` and `second` (turns, SEGMENTS, offsets) are offsets of the pieces
    for the sides at `first_at` and `second_at`; pairs of them are a card apart by `weight` (first, second), 0 to 1.
    """

    first_at: npt.NDArray[np.int64]
    second_at: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    weight: Floats


@lru_cache(maxsize=4)
def _search(
    count: int, first_mm: float, step_mm: float, half_mm: float, along_mm: bytes, lean: int
) -> _Search:
    places = first_mm + step_mm * np.arange(count)
    first_at = np.flatnonzero(np.abs(places + half_mm) < _REACH_MM)
    second_at = np.flatnonzero(np.abs(places - half_mm) < _REACH_MM)
    shift = np.rint(lean * _turns()[:, None] * np.frombuffer(along_mm)[None, :] / step_mm).astype(np.int64)
    size = (places[second_at][None, :] - places[first_at][:, None]) / (2 * half_mm)
    bent = np.abs(size - 1) / _SIZE_FRAC
    # Of rectangles that fit as well, the one of the right size.
    weight = np.where(bent <= 1 + step_mm / half_mm, 1 - 0.05 * bent, 0.0)
    return _Search(
        first_at,
        second_at,
        np.clip(shift[:, :, None] + first_at, 0, count - 1),
        np.clip(shift[:, :, None] + second_at, 0, count - 1),
        np.asarray(weight, np.float32),
    )


def _pairs(steps: _Steps, lean: int) -> _Pairs:
    count = steps.strip.shape[1]
    search = _search(
        count, steps.first_mm, steps.step_mm, steps.half_mm, steps.along_mm.tobytes(), lean
    )  # fmt: skip
    first, second = _strength(steps.strip, search.first), _strength(steps.strip, search.second)
    sums = ((first[:, :, None] + second[:, None, :]) * search.weight).reshape(len(first), -1)
    best = sums.argmax(axis=1)
    rows, columns = np.divmod(best, len(search.second_at))
    turn = np.arange(len(first))
    faintest = np.minimum(first[turn, rows], second[turn, columns]) ** 2
    at = np.stack([search.first_at[rows], search.second_at[columns]], axis=1)
    return _Pairs(
        np.asarray(sums[turn, best], np.float32),
        steps.first_mm + steps.step_mm * at,
        np.asarray(faintest, np.float32),
    )


def _strength(strip: Floats, at: npt.NDArray[np.int64]) -> Floats:
    """How strong a straight edge is, (turns, offsets): the root of its mean step in levels.

    The root keeps one glaring edge from making up for one that is not there.
    """
    lined = strip[np.arange(SEGMENTS)[None, :, None], at]
    return np.asarray(np.sqrt(np.abs(lined.mean(axis=1)).max(axis=2)), np.float32)


@dataclass(frozen=True, slots=True)
class _Side:
    place: _Line
    support: float
    contrast: float


def _refined(steps: _Steps, offset_mm: float, slope: float) -> _Side:
    """The line through the places at which each piece of the side has its own step, robustly."""
    count = steps.strip.shape[1]
    reach = round(_SLACK_MM / steps.step_mm)
    expected = (offset_mm + slope * steps.along_mm - steps.first_mm) / steps.step_mm
    at = np.clip(np.rint(expected).astype(int)[:, None] + np.arange(-reach, reach + 1)[None, :], 1, count - 2)
    pieces = np.arange(SEGMENTS)[:, None]
    near = steps.strip[pieces, at]
    # The side's own step: what most pieces show, as a direction in colour.
    typical = np.median(near[np.arange(SEGMENTS), np.abs(near).max(axis=2).argmax(axis=1)], axis=0)
    size = float(np.linalg.norm(typical))
    direction = typical / max(size, 1e-6)
    along = steps.strip @ direction.astype(np.float32)
    seen = along[pieces, at]
    peak = at[np.arange(SEGMENTS), seen.argmax(axis=1)]
    before, top, after = (along[np.arange(SEGMENTS), peak + step] for step in (-1, 0, 1))
    bend = np.minimum(before - 2 * top + after, -1e-6)
    place = peak + np.clip(0.5 * (before - after) / bend, -0.5, 0.5)
    place_mm = steps.first_mm + steps.step_mm * place
    is_seen = top > _PIECE_FRAC * size
    if is_seen.sum() < 3:
        return _Side((offset_mm, slope), float(is_seen.mean()), size)
    weight = is_seen.astype(np.float64)
    fitted, rest = (offset_mm, slope), np.zeros(SEGMENTS)
    for _ in range(3):
        fitted = _weighted_line(steps.along_mm, place_mm, weight)
        rest = np.abs(place_mm - fitted[0] - fitted[1] * steps.along_mm)
        weight = is_seen / (1 + (rest / 0.15) ** 2)
    on_line = is_seen & (rest < 0.6)
    return _Side(fitted, float(on_line.mean()), size)


def _weighted_line(x: Matrix, y: Matrix, weight: Matrix) -> _Line:
    total = weight.sum()
    mean_x, mean_y = (weight * x).sum() / total, (weight * y).sum() / total
    spread = (weight * (x - mean_x) ** 2).sum()
    slope = (weight * (x - mean_x) * (y - mean_y)).sum() / max(spread, 1e-9)
    return float(mean_y - slope * mean_x), float(slope)


def _crossing(upright: _Line, level: _Line) -> tuple[float, float]:
    """Where x = a + b·y meets y = c + d·x, in mm from the holder's middle."""
    (a, b), (c, d) = upright, level
    x = (a + b * c) / (1 - b * d)
    return x, c + d * x
