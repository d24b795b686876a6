"""Bringing a known face into the light of a seen one: gain, gloss, and light above the camera's range.

In tone (see `card_look`) one face in two lights differs by a gain for each channel, which changes slowly over
the card. Where paper meets the top of the camera's range its gain is not to be seen, and the print must tell
it. Gloss lays a veil of the lamp's light over part of a card, which shows in dark print (Shafer's dichromatic
model, 1985). What differs in print between two cards is outvoted in all three.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.card_look import FACE_SIZE_PX, FLOOR_TONE, THUMB_SIZE
from companion.vision.card_view import Bytes, Floats, Matrix
from companion.vision.few import solution

#: The gain fit gives up cells that differ by more than about this (natural logarithm).
_ROBUST_LOG = 0.05
#: Tone from which a pixel met the top of the range.
CLIPPED_TONE = 243
#: Share of a thumbnail's cells below the top of the range that are enough to tell the gain.
_ENOUGH_CELLS_FRAC = 0.3
#: By how much of tone light may have been above the range; tone below which print is too dark to tell a
#: ratio.
_MOST_CLIPPED, _DARK_TONE = 1.7, 12
#: Print is darker than this share of the paper's tone; the darker part of it shows a veil. So many pixels
#: tell.
_PRINT_FRAC, _DARK_FRAC, _ENOUGH_PIXELS = 0.8, 0.5, 40
#: A veil of less than this share of the paper's tone is left alone; more than this is none.
_LEAST_VEIL, _MOST_VEIL, _ROBUST_VEIL = 0.015, 0.3, 0.04
#: Bright is what has more than this share of the tone that so much of a card keeps below; its light may
#: differ from the ground's by this factor; less than that is left alone.
_BRIGHT_FRAC, _TOP_FRAC, _MOST_POLISH, _LEAST_POLISH = 0.7, 0.93, 1.25, 0.01
#: Bright print of which more than this share met the top of the range is not asked.
_CLIPPED_FRAC = 0.3
#: Every so many pixels are looked at; a rim as wide as this is not.
_STEP_PX, _RIM_PX = 4, 5


@lru_cache(maxsize=1)
def _plane() -> Matrix:
    """1, x, y at the thumbnail's cells, (cells, 3), x and y from -1 to 1."""
    width, height = THUMB_SIZE
    x = np.linspace(-1, 1, width)[None, :].repeat(height, axis=0)
    y = np.linspace(-1, 1, height)[:, None].repeat(width, axis=1)
    return np.stack([np.ones(width * height), x.ravel(), y.ravel()], axis=1)


def gain_between(seen: Floats, known: Floats) -> tuple[Floats, npt.NDArray[np.float64]]:
    """The gain by which a known face becomes as light as the seen one, from both thumbnails.

    As a field of the thumbnail's size, (22, 16, 3), and as the logarithm of its mean, (3,); channels B G R.
    """
    plane = _plane()
    before, now = (np.ascontiguousarray(one.reshape(-1, 3).T) for one in (known, seen))
    gap = (now - before).astype(np.float64)
    cells = gap.shape[1]
    full = np.float32(np.log(CLIPPED_TONE + FLOOR_TONE))
    tells = np.maximum(now, before).max(axis=0) < full
    told = gap[:, tells]
    if told.shape[1] <= _ENOUGH_CELLS_FRAC * cells:
        tells, told = np.ones_like(tells), gap
    # Paper or ground is what most of a card is: begin from the median.
    middle = told.shape[1] // 2
    rest = gap - np.partition(told, middle, axis=1)[:, middle, None]
    terms = np.concatenate([plane, gap.T], axis=1)
    fitted = np.zeros((3, 3))
    for robust_log in (4 * _ROBUST_LOG, _ROBUST_LOG):
        weight = tells / (1 + (np.abs(rest).max(axis=0) / robust_log) ** 2)
        sums = (plane.T * weight) @ terms
        fitted = solution(sums[:, :3] + 1e-6 * np.eye(3), sums[:, 3:])
        rest = gap - fitted.T @ plane.T
    field = np.exp((plane @ fitted).astype(np.float32)).reshape(seen.shape)
    return field, np.asarray(fitted[0], np.float64)


def lit(tone: Bytes, gain_field: Floats) -> Bytes:
    """A face's tone under a gain of the thumbnail's size."""
    gains = cv2.resize(gain_field, (tone.shape[1], tone.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(tone, gains, dtype=cv2.CV_8U), np.uint8)


def print_lit(
    seen: Bytes, known: Bytes, seen_clipped: tuple[int, ...], known_clipped: tuple[int, ...]
) -> Bytes:
    """The known face (lit, in place) in the light that the print tells, in channels clipped in either face.

    Paper that was clipped in the known picture is as light as may be.
    """
    result = known.copy()
    for channel in {*seen_clipped, *known_clipped}:
        now, before = seen[::2, ::2, channel], known[::2, ::2, channel]
        paper = float(np.percentile(before, 90))
        usable = (now > _DARK_TONE) & (now < CLIPPED_TONE) & (before > _DARK_TONE)
        is_print = usable & (before < _PRINT_FRAC * paper)
        if is_print.sum() < _ENOUGH_PIXELS:
            continue
        ratio = float(np.median(now[is_print] / before[is_print].astype(np.float32)))
        low = 1.0 if channel not in known_clipped else 1 / _MOST_CLIPPED
        high = 1.0 if channel not in seen_clipped else _MOST_CLIPPED
        gain = np.float32(min(max(ratio, low), high))
        changed = np.asarray(np.minimum(known[:, :, channel] * gain, 255), np.uint8)
        if channel in known_clipped:
            is_paper = known[:, :, channel] > 0.9 * paper
            changed = np.where(is_paper, np.maximum(changed, seen[:, :, channel]), changed)
        result[:, :, channel] = changed
    return result


def polished(seen: Bytes, known: Bytes) -> Bytes:
    """The known face (lit, in place) in the light that bright print shows, under the veil that dark print
    shows.

    Bright print matters on cards with a dark ground, which tells the gain badly. A veil may be negative: then
    it lay over the known face.
    """
    part = slice(_RIM_PX, -_RIM_PX, _STEP_PX)
    now, before = (
        np.ascontiguousarray(one[part, part].transpose(2, 0, 1), np.float32) for one in (seen, known)
    )
    rank = int(_TOP_FRAC * before[0].size)
    top = np.partition(before.reshape(3, -1), rank, axis=1)[:, rank]
    gain = np.ones(3, np.float32)
    for channel in range(3):
        is_bright = before[channel] > _BRIGHT_FRAC * top[channel]
        there = now[channel][is_bright]
        # What met the top of the range tells nothing; the few pixels beside it are edges of print.
        if len(there) >= _ENOUGH_PIXELS and np.count_nonzero(there >= CLIPPED_TONE) < _CLIPPED_FRAC * len(
            there
        ):
            ratio = there / before[channel][is_bright]
            middle = float(np.partition(ratio, len(ratio) // 2)[len(ratio) // 2])
            gain[channel] = min(max(middle, 1 / _MOST_POLISH), _MOST_POLISH)
    bright = known
    if float(np.abs(gain - 1).max()) > _LEAST_POLISH:
        blue, green, red = (float(one) for one in gain)
        bright = np.asarray(cv2.multiply(known, np.array([blue, green, red, 0.0])), np.uint8)
        before = before * gain[:, None, None]
    return _veiled(bright, now, before, top * gain)


def _veiled(known: Bytes, now: Floats, before: Floats, paper: Floats) -> Bytes:
    """The known face under the veil that some of its pixels, `now` and `before` (3, rows, columns), show."""
    room = paper[:, None, None] - before
    dark = room > _DARK_FRAC * paper[:, None, None]
    if np.count_nonzero(dark) < _ENOUGH_PIXELS:
        return known
    lift = ((now - before)[dark] / room[dark]).astype(np.float64)
    middle, upper = len(lift) // 2, len(lift) * 3 // 4
    ordered = np.partition(lift, (middle, upper))
    start = float(ordered[middle])
    if abs(start) < _LEAST_VEIL and abs(float(ordered[upper]) - start) < _LEAST_VEIL:
        return known
    _, rows, columns = np.nonzero(dark)
    height, width = dark.shape[1:]
    plane = np.stack([np.ones(len(rows)), 2 * columns / width - 1, 2 * rows / height - 1])
    weight = 1 / (1 + ((lift - start) / (2 * _ROBUST_VEIL)) ** 2)
    fitted = np.zeros(3)
    # A slope is believed as far as print all over the card tells it.
    held = np.diag([0.0, 0.05, 0.05]) * len(rows)
    for _ in range(3):
        weighted = plane * weight
        fitted = np.linalg.solve(weighted @ plane.T + held, weighted @ lift)
        weight = 1 / (1 + ((lift - fitted @ plane) / _ROBUST_VEIL) ** 2)
    field = np.clip((_plane() @ fitted).reshape(THUMB_SIZE[::-1]), -_MOST_VEIL, _MOST_VEIL)
    veil = cv2.resize(field.astype(np.float32), FACE_SIZE_PX, interpolation=cv2.INTER_LINEAR)
    blue, green, red = (float(one) for one in paper)
    bare = cv2.subtract(np.array([blue, green, red, 0.0]), known)
    added = cv2.multiply(bare, cv2.merge([veil, veil, veil]), dtype=cv2.CV_32F)
    return np.asarray(cv2.add(known, added, dtype=cv2.CV_8U), np.uint8)
