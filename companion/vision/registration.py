"""Where the table has moved to in the picture since calibration: small shifts are measured, large ones told.

Patches of the empty picture around the track (its rim, the markers, the holders' frames) are followed into
the frame by inverse compositional alignment (Baker and Matthews, "Lucas-Kanade 20 years on", 2004), each with
its own gain and offset, so that a changed light does not matter, and each with a weight, so that what has
changed (a card, a die on the rim, a hand) is outvoted. First one shift for all by voting correlation
surfaces, then shift, turn and zoom, then the small rest of a homography.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.few import inverse, median, solution
from companion.vision.frame_view import Bytes, EmptyView, Floats, Matrix, view_to_frame
from companion.vision.geometry import CORNER_TO_INDEX, INDEX_TO_CORNER, Zones, apply, mm_to_px

#: Half side of a patch in pixels of the small view: about 8 mm, half a die; every second pixel is compared.
_PATCH_RADIUS_PX, _PATCH_STEP_PX = 8, 2
#: Smoothing of the small view before it is compared, and for the first rounds, which must reach further.
_SMOOTH_PX, _COARSE_PX = 1.2, 2.5
#: How far a patch is looked for around its old place, in pixels of the small view.
_SEARCH_PX = 12
#: Patches wanted around the track; more cost time, fewer leave too little when a hand covers some.
_MAX_PATCHES = 36
#: How far outside the track anchors may lie, and how far inside (the foot of the wall), in mm.
_RING_OUT_MM, _RING_IN_MM = 32.0, 3.0
#: Normalised correlation under which a patch is hidden; from which it counts as found; and its vote is full.
COVERED_AT, _FOUND_AT, _SURE_AT = 0.45, 0.5, 0.85
#: Spread of what a homography adds to shift, turn and zoom when a camera on an arm is nudged (fractions).
_SHEAR_SPREAD, _PERSPECTIVE_SPREAD = 0.006, 0.01
#: Larger movements than these are reported, not corrected.
MAX_SHIFT_MM = 9.0
MAX_TURN_DEG = 3.0
MAX_ZOOM_FRAC = 0.03
#: Share of the patches that must agree for a registration to count.
MIN_SUPPORT_FRAC = 0.4
#: Fewer patches than this are no ground for a measurement.
_MIN_PATCHES = 6
#: A step smaller than this (pixels of the small view) ends the refinement.
_STEP_DONE_PX = 0.02


@dataclass(frozen=True, slots=True)
class Registration:
    """How the table lies in this frame.

    ``matrix`` takes the calibration's pictures to this frame (3×3, row by row, corner coordinates; a change
    of resolution is part of it); ``shift_mm`` is how far the track's worst corner moved, ``turn_deg`` and
    ``zoom_frac`` say by what; ``support_frac`` is the share of the patches that were found again where the
    matrix says. ``moved`` is set when the movement is too large to be corrected or could not be measured:
    then ``matrix`` is only the change of resolution. ``covered`` are the indices of the patches that are
    hidden or changed: their normalised correlation is under ``COVERED_AT``.
    """

    matrix: tuple[float, ...]
    shift_mm: float
    turn_deg: float
    zoom_frac: float
    support_frac: float
    moved: bool
    covered: tuple[int, ...] = ()

    def as_array(self) -> Matrix:
        """``matrix`` as a float64 array of shape (3, 3)."""
        return np.array(self.matrix, np.float64).reshape(3, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """Patches of the empty view that are followed, with all that can be computed once for a profile.

    For P patches of N pixels, in pixel indices of the small view: ``centres_px`` (P, 2), ``grid_px``
    (P, N, 2), ``templates`` (P, N) with mean 0 and length 1, ``jacobians`` (P, N, 8) of the templates for the
    eight parameters of a homography about ``origin_px`` in units of ``unit_px``, and their ``normals``
    (P, 8, 8).
    """

    frame_size_px: tuple[int, int]
    view_px: tuple[int, int]
    centres_px: Matrix
    grid_px: Floats
    templates: Floats
    jacobians: Floats
    normals: Floats
    origin_px: tuple[float, float]
    unit_px: float
    track_px: Matrix
    px_per_mm: float

    @property
    def are_enough(self) -> bool:
        """Whether they can tell how the camera moved; where the track fills the picture they are too few."""
        return len(self.centres_px) >= _MIN_PATCHES


def prepare_anchors(empty: EmptyView, zones: Zones) -> Anchors:
    """Choose the patches to follow around the track, and compute what does not depend on the frame.

    Raises:
        FrameError: the empty view can not be decoded.
    """
    grey = grey_of(empty.unpack())
    view_px = (grey.shape[1], grey.shape[0])
    scaled = zones.moved(inverse(view_to_frame(view_px, zones.size_px)))
    track = np.asarray(scaled.track_px, np.float64) - 0.5
    centres = _choose_centres(grey, scaled)
    offsets = np.arange(-_PATCH_RADIUS_PX, _PATCH_RADIUS_PX + 1, _PATCH_STEP_PX, dtype=np.float64)
    patch = np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 2)
    grid = (centres[:, None, :] + patch[None]).reshape(-1, 2)
    smooth = _smoothed(grey, _SMOOTH_PX)
    count = len(centres)
    shape = (count, len(patch))
    templates, lengths = _normalised(_sampled(smooth, grid, shape))
    along_x = _sampled(_floats(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=0.125)), grid, shape).ravel()
    along_y = _sampled(_floats(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=0.125)), grid, shape).ravel()
    origin = track.mean(axis=0)
    unit_px = float(np.abs(track - origin).max())
    x, y = ((grid - origin) / unit_px).T
    zero, one = np.zeros_like(x), np.ones_like(x)
    # d(x', y')/d(parameters) of [[1+a, b, c], [d, 1+e, f], [g, h, 1]] at the identity, in units of unit_px.
    moves_x = np.stack([x, y, one, zero, zero, zero, -x * x, -x * y], axis=1)
    moves_y = np.stack([zero, zero, zero, x, y, one, -x * y, -y * y], axis=1)
    derived = (along_x[:, None] * moves_x + along_y[:, None] * moves_y) * unit_px
    derived = derived.reshape(count, len(patch), 8) / lengths[:, None, None]
    # Gain and offset of a patch are free, so their directions are taken out of the derivatives.
    derived = derived - derived.mean(axis=1, keepdims=True)
    derived = derived - templates[:, :, None] * np.einsum("pn,pnk->pk", templates, derived)[:, None, :]
    jacobians = _floats(derived)
    return Anchors(
        frame_size_px=zones.size_px,
        view_px=view_px,
        centres_px=centres,
        grid_px=_floats(grid.reshape(count, len(patch), 2)),
        templates=templates,
        jacobians=jacobians,
        normals=_floats(np.einsum("pnj,pnk->pjk", jacobians, jacobians)),
        origin_px=(float(origin[0]), float(origin[1])),
        unit_px=unit_px,
        track_px=track,
        px_per_mm=_px_per_mm(track, zones.track_mm),
    )


def register(view_bgr: Bytes, anchors: Anchors, frame_size_px: tuple[int, int]) -> Registration:
    """Measure how the table has moved in the small view of a frame of this (width, height).

    The view must have the size of the empty one, ``anchors.view_px``.
    """
    return register_grey(grey_of(view_bgr), anchors, frame_size_px)


def register_grey(grey: Bytes, anchors: Anchors, frame_size_px: tuple[int, int]) -> Registration:
    """As ``register``, by the brightness alone of the small view, (h, w)."""
    to_frame = view_to_frame(anchors.view_px, frame_size_px)
    from_profile = view_to_frame(anchors.frame_size_px, anchors.view_px)
    unmoved = np.asarray(to_frame @ from_profile, np.float64)
    if not anchors.are_enough:
        return _unregistered(unmoved, 0.0, 0.0, 0.0, 0.0)
    smooth = _smoothed(grey, _SMOOTH_PX)
    matrix = np.eye(3)
    seen = _residual(smooth, anchors, matrix)
    if median(seen[1]) < _SURE_AT:
        # Not (nearly) where it was: look further, then let the smoother picture guide the turn and zoom.
        matrix[:2, 2] = _voted_shift(smooth, anchors)
        coarse = _smoothed(grey, _COARSE_PX)
        seen = _residual(coarse, anchors, matrix)
        matrix, _ = _align(coarse, anchors, matrix, seen, rounds=4, similar=True)
        seen = _residual(smooth, anchors, matrix)
    matrix, seen = _align(smooth, anchors, matrix, seen, rounds=3, similar=True)
    matrix, (_, likeness) = _align(smooth, anchors, matrix, seen, rounds=2, similar=False)
    support = np.count_nonzero(likeness > _FOUND_AT) / len(likeness)
    shift_mm, turn_deg, zoom_frac = _movement(matrix, anchors)
    moved = (
        support < MIN_SUPPORT_FRAC
        or shift_mm > MAX_SHIFT_MM
        or abs(turn_deg) > MAX_TURN_DEG
        or abs(zoom_frac) > MAX_ZOOM_FRAC
    )
    if moved:
        return _unregistered(unmoved, shift_mm, turn_deg, zoom_frac, support)
    in_corners = INDEX_TO_CORNER @ matrix @ CORNER_TO_INDEX
    full = np.asarray(to_frame @ in_corners @ from_profile, np.float64)
    covered = tuple(int(index) for index in np.flatnonzero(likeness < COVERED_AT))
    entries = tuple(float(entry) for entry in (full / full[2, 2]).ravel())
    return Registration(entries, shift_mm, turn_deg, zoom_frac, support, moved=False, covered=covered)


def _unregistered(
    unmoved: Matrix, shift_mm: float, turn_deg: float, zoom_frac: float, support_frac: float
) -> Registration:
    entries = tuple(float(entry) for entry in unmoved.ravel())
    return Registration(entries, shift_mm, turn_deg, zoom_frac, support_frac, moved=True)


def grey_of(view_bgr: Bytes) -> Bytes:
    """The brightness of a small view, (h, w)."""
    return np.asarray(cv2.cvtColor(view_bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def _floats(values: npt.ArrayLike) -> Floats:
    return np.asarray(values, np.float32)


def _smoothed(grey: Bytes, sigma_px: float) -> Floats:
    # as `cv2.GaussianBlur` of a picture in floats, without making it one first
    kernel = cv2.getGaussianKernel(2 * round(4 * sigma_px) + 1, sigma_px)
    return _floats(cv2.sepFilter2D(grey, cv2.CV_32F, kernel, kernel))


def _px_per_mm(track: Matrix, track_mm: tuple[float, float]) -> float:
    sides = np.linalg.norm(np.roll(track, -1, axis=0) - track, axis=1)
    return float(sides.sum() / (2 * sum(track_mm)))


def _choose_centres(grey: Bytes, scaled: Zones) -> Matrix:
    """The places (P, 2), whole pixels, with the strongest structure in a ring around the track, well apart.

    Reserve, cards and the tower's foot are left out: what is seen there changes in play.
    """
    width_mm, height_mm = scaled.track_mm
    to_view = mm_to_px(scaled.track_px, scaled.track_mm)
    mask = np.zeros(grey.shape, np.uint8)
    for out_mm, value in ((_RING_OUT_MM, 255), (-_RING_IN_MM, 0)):
        left, right, top, bottom = -out_mm, width_mm + out_mm, -out_mm, height_mm + out_mm
        _fill(mask, apply(to_view, [(left, top), (right, top), (right, bottom), (left, bottom)]), value)
    for quad in (scaled.reserve_px, scaled.tower_px, *scaled.holders_px):
        if quad is not None:
            _fill(mask, np.asarray(quad, np.float64), 0)
    edge = _PATCH_RADIUS_PX + 2
    mask[:edge], mask[-edge:], mask[:, :edge], mask[:, -edge:] = 0, 0, 0, 0
    eigen = np.sqrt(np.maximum(cv2.cornerEigenValsAndVecs(grey, 2 * _PATCH_RADIUS_PX + 1, 3)[..., :2], 0))
    strength = eigen.min(axis=2) + 0.2 * eigen.max(axis=2)
    strength[mask == 0] = 0
    limit = 0.05 * float(strength.max())
    centres: list[tuple[int, int]] = []
    while len(centres) < _MAX_PATCHES:
        row, column = (int(at) for at in np.unravel_index(int(strength.argmax()), strength.shape))
        if strength[row, column] <= limit:
            break
        centres.append((column, row))
        strength[max(0, row - edge) : row + edge + 1, max(0, column - edge) : column + edge + 1] = 0
    return np.array(centres, np.float64).reshape(-1, 2)


def _fill(mask: Bytes, quad: Matrix, value: int) -> None:
    cv2.fillConvexPoly(mask, np.round(quad - 0.5).astype(np.int32), value)


def _sampled(picture: Floats, points: Matrix, shape: tuple[int, ...]) -> Floats:
    """Values of a one-channel picture at points (P·N, 2), in this shape (P, N); bilinear."""
    if not len(points):
        return np.empty(shape, np.float32)
    # a row for each patch: OpenCV is slow with many rows of one
    columns, rows = np.ascontiguousarray(points.T, np.float32).reshape(2, *shape)
    return _floats(cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _normalised(values: Floats) -> tuple[Floats, Floats]:
    """Patches (P, N) with mean 0 and length 1, and the lengths they had (P,)."""
    # twice as quick as `mean` for so few
    centred = values - values.sum(axis=1, keepdims=True) / np.float32(values.shape[1])
    lengths = np.sqrt(np.einsum("pn,pn->p", centred, centred)) + 1e-6
    return _floats(centred / lengths[:, None]), _floats(lengths)


def _voted_shift(smooth: Floats, anchors: Anchors) -> Matrix:
    """One (x, y) shift in pixels of the small view on which most patches agree."""
    reach = _PATCH_RADIUS_PX + _SEARCH_PX
    padded = _floats(cv2.copyMakeBorder(smooth, reach, reach, reach, reach, cv2.BORDER_REPLICATE))
    side = 2 * _PATCH_RADIUS_PX // _PATCH_STEP_PX + 1
    votes = np.zeros((_SEARCH_PX + 1, _SEARCH_PX + 1), np.float32)
    templates = anchors.templates.reshape(-1, side, side)
    for (x, y), template in zip(anchors.centres_px.astype(int), templates, strict=True):
        window = padded[y : y + 2 * reach + 1 : _PATCH_STEP_PX, x : x + 2 * reach + 1 : _PATCH_STEP_PX]
        votes += np.clip(cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED), 0.3, 1.0)
    row, column = np.unravel_index(int(votes.argmax()), votes.shape)
    return np.array([column, row], np.float64) * _PATCH_STEP_PX - _SEARCH_PX


def _align(
    picture: Floats,
    anchors: Anchors,
    start: Matrix,
    seen: tuple[Floats, Floats],
    *,
    rounds: int,
    similar: bool,
) -> tuple[Matrix, tuple[Floats, Floats]]:
    """Refine ``start`` (view of the profile → this view); ``seen`` is the ``_residual`` there, and is given
    for the place that was found.

    With ``similar`` only shift, turn and zoom are free; otherwise all eight parameters, held near ``start``.
    """
    origin_x, origin_y = anchors.origin_px
    per_px = 1 / anchors.unit_px
    unit = np.array([[anchors.unit_px, 0, origin_x], [0, anchors.unit_px, origin_y], [0, 0, 1]])
    from_unit = np.array([[per_px, 0, -origin_x * per_px], [0, per_px, -origin_y * per_px], [0, 0, 1]])
    matrix = start
    residual, likeness = seen
    for _ in range(rounds):
        weights = np.clip((likeness - _FOUND_AT) / (_SURE_AT - _FOUND_AT), 0, 1)
        normal = (weights @ anchors.normals.reshape(len(weights), -1)).reshape(8, 8).astype(np.float64)
        weighted = (weights[:, None] * residual).reshape(1, -1)
        target = (weighted @ anchors.jacobians.reshape(-1, 8))[0].astype(np.float64)
        if similar:
            step = _SIMILAR @ _solved(_SIMILAR.T @ normal @ _SIMILAR, _SIMILAR.T @ target)
        else:
            noise = float((weights * (1 - likeness)).sum() / (weights.sum() + 1e-6)) * 2 / residual.shape[1]
            step = _solved(normal + max(noise, 1e-6) * _HELD, target)
        a, b, c, d, e, f, g, h = step
        change = np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1]])
        matrix = matrix @ unit @ inverse(change) @ from_unit
        matrix = matrix / matrix[2, 2]
        residual, likeness = _residual(picture, anchors, matrix)
        if float(np.abs(step).max()) * anchors.unit_px < _STEP_DONE_PX:
            break
    return matrix, (residual, likeness)


#: Columns: zoom, turn, shift across, shift down, as directions in the eight parameters.
_SIMILAR = np.array(
    [[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0] * 4, [0] * 4],
    np.float64,
)
_HELD = np.diag(
    [_SHEAR_SPREAD**-2, _SHEAR_SPREAD**-2, 0, _SHEAR_SPREAD**-2, _SHEAR_SPREAD**-2, 0]
    + [_PERSPECTIVE_SPREAD**-2] * 2
)


def _residual(picture: Floats, anchors: Anchors, matrix: Matrix) -> tuple[Floats, Floats]:
    """Patches seen through ``matrix`` minus templates (P, N), both normalised, and their correlation (P,)."""
    columns, rows = cv2.split(cv2.perspectiveTransform(anchors.grid_px, matrix))
    values = cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = _normalised(_floats(values))[0]
    likeness = np.einsum("pn,pn->p", seen, anchors.templates)
    return seen - anchors.templates, _floats(likeness)


def _solved(normal: Matrix, target: Matrix) -> Matrix:
    """Least squares step; the diagonal is raised a little: a direction without structure stays put."""
    damping = 1e-6 * float(normal.trace()) + 1e-9
    damped = normal + damping * np.eye(len(target))
    return solution(damped, target[:, None])[:, 0]


def _movement(matrix: Matrix, anchors: Anchors) -> tuple[float, float, float]:
    """(shift of the track's worst corner in mm, turn in degrees, zoom as a fraction) from view to view."""
    before = anchors.track_px
    after = apply(matrix, before)
    way = after - before
    shift_px = float(np.hypot(way[:, 0], way[:, 1]).max())
    old, new = before - before.mean(axis=0), after - after.mean(axis=0)
    sine, cosine = float(old[:, 0] @ new[:, 1] - old[:, 1] @ new[:, 0]), float(np.vdot(old, new))
    turn_deg = math.degrees(math.atan2(sine, cosine))
    zoom_frac = math.sqrt(float(np.vdot(new, new) / np.vdot(old, old))) - 1
    return shift_px / anchors.px_per_mm, turn_deg, zoom_frac
