"""Comparing two faces in detail: the largest *local* difference that light, place and blur do not explain.

Look-alikes differ in one figure, one word or one colour; averaged over the card that is nothing. So the known
face is brought into the seen one's light (a gain for each channel, changing linearly over the card) and
exactly into its place (inverse compositional alignment: Baker and Matthews, "Lucas-Kanade 20 years on",
2004); then a pixel differs where it lies outside all that the other face shows within half a millimetre
around it, in either direction: so remaining small shifts cost nothing, while print that is missing or added
shows in full.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.card_light import CLIPPED_TONE, gain_between, lit, polished, print_lit
from companion.vision.card_look import FACE_SIZE_PX, centred, thumbnail
from companion.vision.card_view import Bytes, Floats, Matrix, warped
from companion.vision.few import solution

#: Alignment works at half the faces' resolution, 1 mm a pixel.
_ALIGN_SIZE_PX = (FACE_SIZE_PX[0] // 2, FACE_SIZE_PX[1] // 2)
_ALIGN_BORDER_PX = 4
_ALIGN_SMOOTH_PX = 0.8
_ALIGN_ROUNDS = 6
#: A step in the last round by less than this, in mm at the card's sides, is none.
_ALIGNED_MM = 0.04
#: How far a card's rim is off where it was found: spread of the displacement at the card's sides, in mm, and
#: how much the faces' levels differ there by noise and light, per pixel and after all that pixels have in
#: common.
_PLACE_SPREAD_MM, _LEVEL_SPREAD = 1.0, 8.0
#: Print that differs by more levels than this does not pull the alignment.
_ROBUST_LEVELS = 12.0
#: A rim this wide is left out: the rim's place is uncertain, and behind it the holder begins.
_RIM_PX = 5
#: Side of the square over which differences are gathered: 3.5 mm, about a stroke of a figure and its
#: surroundings.
_GATHER_PX = 7
#: Differences of so many levels of a well lit card (of no fewer of a dark one's own), and so many times a
#: pixel's noise (twice what smoothing leaves), are none.
_QUIET_LEVELS, _QUIET_DARK_LEVELS, _QUIET_NOISE = 4.0, 1.5, 0.9
#: What is quiet may hide a difference: it counts as one of this share of it.
_HIDDEN_FRAC = 0.9
#: Gloss is looked for where the difference is larger than noise and smaller than what gloss can make.
_NO_DOUBT, _HOPELESS = 4.0, 45.0
#: Differences are told as if the bright parts of the card had this tone: contrast goes with light.
_BRIGHT_TONE = 160.0
_BRIGHT_PERCENT = 95
#: Changes of a lamp's colour and strength that happen (natural logarithm of light), beyond which a card must
#: differ in its own colour, and what each unit beyond costs.
_TINT_LOG, _EXPOSURE_LOG, _BEYOND_COST = 0.7, 1.5, 80.0
#: A channel in which more than this share of the card met the top of the range is clipped.
_CLIPPED_FRAC = 0.6
#: Where not even cells of 4 mm agree by so many tone levels, wherever within a cell's reach the print lies, a
#: card is another and has at least the misfit `PLAINLY_OTHER`.
_OTHER_CELL_LEVELS, _CELL_BORDER = 45.0, 2
PLAINLY_OTHER = 60.0
#: At half the resolution, over squares of this side, a face is another one if it differs by so many levels
#: more than so many times what the nearest one differs by.
_ROUGH_PX, _ROUGHLY_OTHER_LEVELS, _ROUGHLY_MORE = 4, 16.0, 2.0
#: The sharper of two faces is smoothed (by 0.7 px) so many times more until it is as blurred as the other: by
#: 0.7, 1, 1.4, 2 px; sharpness within two fifths is alike.
_BLUR_TIMES, _MOST_BLUR_PX = (1, 1, 2, 4), 2.0
_SHARPNESS_ALIKE = 1.4


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A face made ready for comparison.

    `tone` is (176, 126, 3) uint8, `half` the same at half the resolution; `thumb` its thumbnail of
    logarithms; `sharpness` how much finer detail there is than coarser; `noise` its noise in tone levels.
    """

    tone: Bytes
    half: Bytes
    thumb: Floats
    sharpness: float
    noise: float
    clipped: tuple[int, ...]

    @classmethod
    def of(cls, tone: Bytes) -> Face:
        """From the face's tone."""
        noise = _noise(tone)
        inner = np.ascontiguousarray(tone[_RIM_PX:-_RIM_PX:3, _RIM_PX:-_RIM_PX:3])
        full = cv2.mean(cv2.threshold(inner, CLIPPED_TONE - 1, 1, cv2.THRESH_BINARY)[1])
        clipped = tuple(channel for channel in range(3) if full[channel] > _CLIPPED_FRAC)
        half = np.asarray(cv2.resize(tone, _ALIGN_SIZE_PX, interpolation=cv2.INTER_AREA), np.uint8)
        return cls(tone, half, thumbnail(half), _sharpness(_grey(tone), noise), noise, clipped)

    def turned(self) -> Face:
        """The face the other way up."""
        return Face(
            np.asarray(cv2.rotate(self.tone, cv2.ROTATE_180), np.uint8),
            np.asarray(cv2.rotate(self.half, cv2.ROTATE_180), np.uint8),
            np.ascontiguousarray(self.thumb[::-1, ::-1]),
            self.sharpness,
            self.noise,
            self.clipped,
        )

    def centred(self) -> Floats:
        """The thumbnail without its light, flat; of the turned face it is the same, cells backwards."""
        return centred(self.thumb).ravel()


class Comparison:
    """One seen face, made ready to be compared with several known ones."""

    def __init__(self, seen: Face) -> None:
        self._seen = seen
        self._rough_best = math.inf
        self._grey = _aligning(seen.half)
        self._slopes = _slopes(self._grey)
        self._products = _products(self._slopes)
        blue, green, red = seen.tone[_RIM_PX:-_RIM_PX:4, _RIM_PX:-_RIM_PX:4].transpose(2, 0, 1)
        inner = np.maximum(np.maximum(blue, green), red).ravel()
        rank = len(inner) * _BRIGHT_PERCENT // 100
        self._scale = _BRIGHT_TONE / max(float(np.partition(inner, rank)[rank]), _BRIGHT_TONE / 4)
        self._sharp = _Within.of(seen.tone)

    def misfit(
        self, known: Face, expected_log_gain: npt.NDArray[np.float64], *, if_near: bool = False
    ) -> float:
        """The largest local difference, in tone levels of a well lit card, and what darkness and noise hide.

        `expected_log_gain` (3,), B G R: the logarithm of the seen light over the known face's, as the tables'
        white tells, in light (not in tone). With `if_near` a face that roughly differs far more than the
        nearest one so far has `PLAINLY_OTHER` and is not looked at closely: of a light or a veil that makes
        both differ nothing is concluded.
        """
        gain_field, mean_gain = gain_between(self._seen.thumb, known.thumb)
        if if_near and self._is_plainly_other(known, gain_field):
            return PLAINLY_OTHER
        grey = _aligning(lit(known.half, gain_field))
        place, rough = self._placed(grey)
        if if_near and rough > _ROUGHLY_OTHER_LEVELS + _ROUGHLY_MORE * self._rough_best:
            return PLAINLY_OTHER
        self._rough_best = min(self._rough_best, rough)
        moved = _moved(lit(known.tone, gain_field), place)
        if self._seen.clipped or known.clipped:
            moved = print_lit(self._seen.tone, moved, self._seen.clipped, known.clipped)
        seen, moved = self._equally_sharp(moved, known.sharpness)
        known_noise = known.noise * math.exp(float(mean_gain.max()))
        bottom = min(max(_QUIET_LEVELS / self._scale, _QUIET_DARK_LEVELS), _QUIET_LEVELS)
        quiet = bottom + _QUIET_NOISE * max(self._seen.noise, known_noise)
        local = _local_difference(seen, _Within.of(moved), quiet) * self._scale
        if _NO_DOUBT < local < _HOPELESS:
            # After sharpness: blur fills dark print as a veil does.
            better = polished(seen.tone, moved)
            if better is not moved:
                local = min(local, _local_difference(seen, _Within.of(better), quiet) * self._scale)
        beyond = mean_gain / 0.8 - expected_log_gain
        mean = float(beyond.sum()) / 3
        exposure = abs(mean)
        tint = float(np.abs(beyond - mean).max())
        cost = _BEYOND_COST * (max(0.0, tint - _TINT_LOG) + max(0.0, exposure - _EXPOSURE_LOG))
        return math.hypot(local, _HIDDEN_FRAC * quiet * self._scale, cost)

    def _is_plainly_other(self, known: Face, gain_field: Floats) -> bool:
        seen, there = np.exp(self._seen.thumb), np.exp(known.thumb) * gain_field
        around = np.ones((3, 3), np.uint8)
        beyond = cv2.max(seen - cv2.dilate(there, around), cv2.erode(there, around) - seen)
        inner = beyond[_CELL_BORDER:-_CELL_BORDER, _CELL_BORDER:-_CELL_BORDER]
        return float(inner.max()) * self._scale > _OTHER_CELL_LEVELS

    def _placed(self, grey: Floats) -> tuple[Matrix, float]:
        """The affine map (2, 3), in pixels of `grey`, from the seen face's places to the known one's; and how
        much the faces then differ roughly: in levels, where they do most, over some millimetres.
        """
        border = _ALIGN_BORDER_PX
        to_unit = _to_unit()
        matrix = np.eye(3)
        target = self._grey[border:-border, border:-border]
        rest = target.ravel()
        for _ in range(_ALIGN_ROUNDS):
            warped = cv2.warpAffine(
                grey,
                matrix[:2],
                _ALIGN_SIZE_PX,
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
            rest = (warped[border:-border, border:-border] - target).ravel()
            weight = 1 / (1 + (rest * np.float32(1 / _ROBUST_LEVELS)) ** 2)
            pairs = (self._products @ weight)[_PRODUCT_OF] + _HELD
            pulls = (self._slopes @ (weight * rest)).astype(np.float64)
            step = solution(pairs, pulls[:, None])
            change = np.eye(3)
            change[:2] += step.reshape(2, 3) @ to_unit
            change[:2] = cv2.invertAffineTransform(change[:2])
            matrix = matrix @ change
            if float(np.abs(step).max()) < _ALIGNED_MM:
                break
        squares = (rest * rest).reshape(target.shape)
        gathered = cv2.boxFilter(squares, -1, (_ROUGH_PX, _ROUGH_PX), borderType=cv2.BORDER_REPLICATE)
        return np.asarray(matrix[:2], np.float64), math.sqrt(cv2.minMaxLoc(gathered)[1]) * self._scale

    def _equally_sharp(self, known_tone: Bytes, known_sharpness: float) -> tuple[_Within, Bytes]:
        """Both faces, the sharper one blurred until it is as sharp as the other."""
        seen = self._seen
        if seen.sharpness > _SHARPNESS_ALIKE * known_sharpness:
            return _Within.of(_blurred_to(seen.tone, known_sharpness)), known_tone
        if known_sharpness > _SHARPNESS_ALIKE * seen.sharpness:
            return self._sharp, _blurred_to(known_tone, seen.sharpness)
        return self._sharp, known_tone


@dataclass(frozen=True, slots=True, eq=False)
class _Within:
    """A face with what lies half a millimetre around each of its pixels: the least and the most there.

    `smooth` is the tone hardly smoothed, which costs a stroke little and leaves less than half of a single
    pixel's noise; `least` and `most` are of it.
    """

    tone: Bytes
    smooth: Bytes
    least: Bytes
    most: Bytes

    @classmethod
    def of(cls, tone: Bytes) -> _Within:
        smooth = np.asarray(cv2.GaussianBlur(tone, (3, 3), 0), np.uint8)
        around = _around()
        least, most = cv2.erode(smooth, around), cv2.dilate(smooth, around)
        return cls(tone, smooth, np.asarray(least, np.uint8), np.asarray(most, np.uint8))


@lru_cache(maxsize=1)
def _around() -> Bytes:
    return np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)


def _grey(tone: Bytes) -> Bytes:
    """A face's grey without its rim."""
    inner = tone[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX]
    return np.asarray(cv2.cvtColor(inner, cv2.COLOR_BGR2GRAY), np.uint8)


def _aligning(half: Bytes) -> Floats:
    grey = cv2.cvtColor(half, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), _ALIGN_SMOOTH_PX), np.float32)


_SECOND_STEP = np.array([1.0, -2.0, 1.0])


def _noise(tone: Bytes) -> float:
    """The noise of one pixel in levels: what the finest detail (Immerkær's mask, 1996) mostly is."""
    green = cv2.extractChannel(tone, 1)
    detail = cv2.sepFilter2D(green, cv2.CV_16S, _SECOND_STEP, _SECOND_STEP)
    inner = np.abs(detail[2:-2:3, 2:-2:3]).ravel()
    up_to = np.bincount(inner).cumsum()
    return int(up_to.searchsorted(len(inner) // 2, side="right")) * 1.4826 / 6


def _sharpness(grey: Bytes, noise: float) -> float:
    """Energy of fine steps over that of coarse ones, the noise's own share taken off."""
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32)
    coarse = np.asarray(cv2.GaussianBlur(half, (0, 0), _MOST_BLUR_PX / 2), np.float32)
    # A step of white noise has twice its variance; smoothing by s pixels leaves 1 / (8 π s⁴) of it for a
    # slope. A pixel of the coarse picture is two of the fine one's.
    return (_steps_energy(grey) - 4 * (0.6 * noise) ** 2) / max(_steps_energy(coarse) / 4, 1e-3)


def _steps_energy(grey: Bytes | Floats) -> float:
    """Mean square of the steps from pixel to pixel, across and down."""
    across = cv2.norm(grey[:, 1:], grey[:, :-1], cv2.NORM_L2SQR) / (grey.shape[0] * (grey.shape[1] - 1))
    down = cv2.norm(grey[1:], grey[:-1], cv2.NORM_L2SQR) / ((grey.shape[0] - 1) * grey.shape[1])
    return float(across + down)


@lru_cache(maxsize=1)
def _to_unit() -> Matrix:
    """Pixels of the aligning size → units of half the card's width about its middle, (3, 3)."""
    half_x, half_y = (_ALIGN_SIZE_PX[0] - 1) / 2, (_ALIGN_SIZE_PX[1] - 1) / 2
    return np.array([[1 / half_x, 0, -1], [0, 1 / half_x, -half_y / half_x], [0, 0, 1]])


def _slopes(grey: Floats) -> Floats:
    """How each pixel changes with the six parameters of an affine map, (6, pixels)."""
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    unit = _to_unit()
    x = (unit[0, 0] * np.arange(_ALIGN_SIZE_PX[0]) + unit[0, 2]).astype(np.float32)[None, :]
    y = (unit[1, 1] * np.arange(_ALIGN_SIZE_PX[1]) + unit[1, 2]).astype(np.float32)[:, None]
    border = _ALIGN_BORDER_PX
    inner = (slice(border, -border), slice(border, -border))
    across, down, x, y = across[inner], down[inner], x[:, border:-border], y[border:-border]
    rows = np.array([across * x, across * y, across, down * x, down * y, down], np.float32)
    return rows.reshape(6, -1)


#: How the place of the rim, as found, holds the six parameters against the faces' levels.
_HELD = np.eye(6) * (_LEVEL_SPREAD / _PLACE_SPREAD_MM) ** 2
#: Which of `_products` belongs to two parameters, (6, 6).
_PRODUCT_OF = np.array(
    [[6 * min(i, j) - min(i, j) * (min(i, j) + 1) // 2 + max(i, j) for i in range(6)] for j in range(6)]
)


def _products(slopes: Floats) -> Floats:
    """The products of every two parameters' slopes, each pair once, (21, pixels).

    With them the sums that weights change are a product with a vector, a quarter of the work.
    """
    products = np.empty((21, slopes.shape[1]), np.float32)
    last = 0
    for at, row in enumerate(slopes):
        first, last = last, last + len(slopes) - at
        np.multiply(slopes[at:], row, out=products[first:last])
    return products


def _moved(tone: Bytes, matrix: Matrix) -> Bytes:
    """The face in the place that `matrix`, in pixels of half the resolution, gives it."""
    # The middle of pixel i there is at 2 i + 0.5 here.
    full = np.eye(3)
    full[:2] = matrix
    full[:2, 2] = 2 * matrix[:, 2] + 0.5 * (1 - matrix[:, 0] - matrix[:, 1])
    return warped(tone, full, FACE_SIZE_PX)


def _blurred_to(tone: Bytes, sharpness: float) -> Bytes:
    """The face blurred just so far that it is as blurred as that, at most by `_MOST_BLUR_PX`.

    Between two steps of blur their mixture is taken: a whole step more would thin out a figure.
    """
    blurred, blurred_sharpness = tone, _sharpness(_grey(tone), 0.0)
    for times in _BLUR_TIMES:
        last, last_sharpness = blurred, blurred_sharpness
        for _ in range(times):
            blurred = np.asarray(cv2.GaussianBlur(blurred, (3, 3), 0), np.uint8)
        blurred_sharpness = _sharpness(_grey(blurred), 0.0)
        if blurred_sharpness <= sharpness:
            if last_sharpness > sharpness > 0 and blurred_sharpness > 0:
                share = math.log(last_sharpness / sharpness) / math.log(last_sharpness / blurred_sharpness)
                blurred = np.asarray(cv2.addWeighted(blurred, share, last, 1 - share, 0), np.uint8)
            break
    return blurred


def _local_difference(seen: _Within, known: _Within, quiet_levels: float) -> float:
    """Root mean square of the differences beyond `quiet_levels` in the square where it is largest."""
    gap = cv2.max(
        cv2.max(cv2.subtract(seen.smooth, known.most), cv2.subtract(known.least, seen.smooth)),
        cv2.max(cv2.subtract(known.smooth, seen.most), cv2.subtract(seen.least, known.smooth)),
    )
    blue, green, red = cv2.split(gap)
    strongest = cv2.max(cv2.max(blue, green), red)[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX]
    loud = np.maximum(np.arange(256, dtype=np.float32) - np.float32(quiet_levels), 0)
    squares = cv2.LUT(strongest, loud * loud)
    gathered = cv2.boxFilter(squares, -1, (_GATHER_PX, _GATHER_PX), borderType=cv2.BORDER_REPLICATE)
    return math.sqrt(max(0.0, cv2.minMaxLoc(gathered)[1]))
