"""From about to exactly: where the edges around a supposed die say that its outline lies.

A die's outline is a square of known size, so a shift moves two opposite edges alike, and a turn all four.
Edges are sampled along five lines across each side; a fixed matrix gives, for each turn and shift, how much
of an edge such a side then has. Where the camera sees a side face, the edge of the base belongs to the
outline as well, at a distance that is known. The best three shifts along either axis are told, for the edges
of a symbol, a shadow or a neighbour may be as strong as the die's own.
"""

from __future__ import annotations

import numpy as np

from companion.vision.find_evidence import sampled
from companion.vision.find_scene import Floats, by_channel
from companion.vision.find_seeds import Places
from companion.vision.find_sheet import Sheet

# Fractions of a die: where along a side it is sampled, the step between samples across it, and how far it
# may be shifted.
_ALONG = np.linspace(-0.36, 0.36, 5)
_STEP, _REACH = 1 / 64, 10
_TURNS = np.radians(np.arange(-9, 9.1, 1.5))
_SHIFTS = np.arange(-_REACH, _REACH + 1)
# Samples on either side whose difference is an edge there.
_HALF = 2
# What a shift or turn of full reach counts against an edge (each side's edges count from 0 to 1).
_SHIFT_COST, _TURN_COST = 0.3, 0.1
_BASE_WEIGHT = 0.5
# A side face counts as seen from this width on, fully from so much more (fractions of a die).
_SEEN_FROM, _SEEN_FULLY = 0.06, 0.12
# Edges count from this difference on (sum of three channels in grey levels, at black and per level).
_EDGE_FROM, _EDGE_PER_LEVEL = 6.0, 0.15
# Shifts that are told lie at least four samples apart.
_PEAKS, _PEAK_REACH = 3, 3


def _slanted() -> tuple[int, Floats]:
    """How far the lines reach, in steps, and what takes their edges to means along turned and shifted sides.

    (turns · shifts, along · line): for each turn and shift the mean over the lines, linear between samples.
    """
    slant = np.tan(_TURNS)[None, :] * _ALONG[:, None] / _STEP
    reach = _REACH + int(np.ceil(np.abs(slant).max()))
    weights = np.zeros((len(_ALONG), 2 * reach + 1, len(_TURNS), len(_SHIFTS)))
    for line in range(len(_ALONG)):
        for turn in range(len(_TURNS)):
            at = _SHIFTS - slant[line, turn] + reach
            below = np.minimum(np.floor(at).astype(int), 2 * reach - 1)
            columns = np.arange(len(_SHIFTS))
            weights[line, below, turn, columns] += (1 - (at - below)) / len(_ALONG)
            weights[line, below + 1, turn, columns] += (at - below) / len(_ALONG)
    by_turn = weights.reshape(-1, len(_TURNS) * len(_SHIFTS)).T
    return reach, np.ascontiguousarray(by_turn, np.float32)


_LINE_REACH, _SLANTED = _slanted()
_LINE = 2 * (_LINE_REACH + _HALF) + 1


def _lines() -> Floats:
    """Samples across the four sides, fractions of a die, and 1: (4 · along · line, 3)."""
    across = 0.5 + (np.arange(_LINE) - _LINE // 2) * _STEP
    x, y = (
        np.broadcast_to(across, (len(_ALONG), _LINE)),
        np.broadcast_to(_ALONG[:, None], (len(_ALONG), _LINE)),
    )
    lines = [np.stack([x, -y, -x, y]).ravel(), np.stack([y, x, -y, -x]).ravel(), np.ones(4 * x.size)]
    return np.array(lines, np.float32).T.copy()


_LINES = _lines()


def hypotheses(sheet: Sheet, places: Places) -> Places:
    """For each place (x, y mm, angle rad), (n, 3), nine near by whose outline has edges: (n, 9, 3)."""
    count = len(places)
    cos, sin = np.cos(places[:, 2]), np.sin(places[:, 2])
    die_mm, depth = sheet.plan.die_mm, sheet.depth_mm(places)
    own_x, own_y = (cos * depth[:, 0] + sin * depth[:, 1]), (cos * depth[:, 1] - sin * depth[:, 0])
    wide = np.stack([own_x, own_y, -own_x, -own_y]) / die_mm
    seen = _BASE_WEIGHT * np.clip((wide - _SEEN_FROM) / _SEEN_FULLY, 0, 1).astype(np.float32)
    turn = np.concatenate([places[:, 2], places[:, 2]])
    edges = _edges(sheet, np.concatenate([places[:, :2], places[:, :2] + depth]), turn)
    outline = edges[..., :count] + seen[:, None] * edges[..., count:]
    lines = outline.transpose(1, 0, 2).reshape(-1, 4 * count)
    found = (_SLANTED @ lines).reshape(len(_TURNS), len(_SHIFTS), 4, count).transpose(3, 2, 0, 1)
    cost = (_SHIFT_COST * (_SHIFTS / _REACH) ** 2).astype(np.float32)
    along_x = found[:, 0] + found[:, 2, :, ::-1] - cost
    along_y = found[:, 1] + found[:, 3, :, ::-1] - cost
    both = along_x.max(axis=2) + along_y.max(axis=2) - _TURN_COST * (_TURNS / _TURNS[-1]) ** 2
    best = both.argmax(axis=1)
    each = np.arange(count)
    peaks = _peaks(np.concatenate([along_x[each, best], along_y[each, best]])) * (_STEP * die_mm)
    shift_x, shift_y = peaks[:count, :, None], peaks[count:, None, :]
    angle = places[:, 2] + _TURNS[best]
    cos, sin = np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
    result = np.empty((count, _PEAKS, _PEAKS, 3))
    result[..., 0] = places[:, 0, None, None] + cos * shift_x - sin * shift_y
    result[..., 1] = places[:, 1, None, None] + sin * shift_x + cos * shift_y
    result[..., 2] = angle[:, None, None]
    return result.reshape(count, _PEAKS * _PEAKS, 3)


def _edges(sheet: Sheet, middles: Places, turns: Places) -> Floats:
    """Edges across four sides: middles (n, 2) mm, turns (n,) rad → (4, along · line, n), 0 to 1."""
    per_mm = sheet.plan.px_per_mm
    cos, sin = sheet.plan.die_mm * per_mm * np.cos(turns), sheet.plan.die_mm * per_mm * np.sin(turns)
    column, row = middles.T * per_mm - 0.5
    parts = np.array([cos, sin, -sin, cos, column, row], np.float32).reshape(3, -1)
    at = (_LINES @ parts).reshape(len(_LINES), 2, -1)
    samples = sampled(sheet, at[:, 0], at[:, 1])
    planes = by_channel(samples)[:3].reshape(3, 4 * len(_ALONG), _LINE, -1)
    step = np.abs(planes[:, :, 2 * _HALF :] - planes[:, :, : -2 * _HALF]).sum(axis=0)
    least = _EDGE_FROM + _EDGE_PER_LEVEL * planes[:, :, _HALF:-_HALF].max(axis=0)
    return np.asarray((step / (step + least)).reshape(4, -1, len(turns)), np.float32)


def _peaks(found: Floats) -> Places:
    """The best shifts, in steps, a few apart: (n, shifts) → (n, _PEAKS)."""
    # with room on either side for what is taken out around a peak
    left = np.full((len(found), len(_SHIFTS) + 2 * _PEAK_REACH), -np.inf, np.float32)
    left[:, _PEAK_REACH:-_PEAK_REACH] = found
    peaks = np.empty((len(found), _PEAKS))
    each = np.arange(len(found))[:, None]
    around = np.arange(-_PEAK_REACH, _PEAK_REACH + 1)
    for rank in range(_PEAKS):
        best = left.argmax(axis=1)
        peaks[:, rank] = best
        left[each, best[:, None] + around] = -np.inf
    return peaks - (_PEAK_REACH + _REACH)
