"""Measuring top faces: a small upright patch of each, and in it the light of the ink and of the body around
it.

Coordinates of pictures are corner coordinates (the middle of the first pixel is 0.5, 0.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.colour import linear_from_srgb
from companion.vision.face_ceiling import CLIPPED_LEVEL, ceilings
from companion.vision.few import median

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Quad = Sequence[tuple[float, float]]

#: Side of a patch. A die of 16 mm in a frame of 1024 px is 38 px wide; more pixels only cost time.
PATCH_PX = 40

_LINEAR = linear_from_srgb(np.arange(256)).astype(np.float32)
_AXIS = (np.arange(PATCH_PX) + 0.5) / PATCH_PX - 0.5
#: Distance of each pixel from the middle in shares of the side: to the nearest edge's line, and straight.
_REACH = np.maximum(abs(_AXIS)[None, :], abs(_AXIS)[:, None])
_RADIUS = np.hypot(_AXIS[None, :], _AXIS[:, None])
_MIDDLE = np.flatnonzero(_RADIUS < 0.10)
#: The square in which ink is looked for, and the middle in it.
_INNER = slice(round(0.17 * PATCH_PX), PATCH_PX - round(0.17 * PATCH_PX))
_INNER_MIDDLE = (_RADIUS < 0.10)[_INNER, _INNER]
#: Where a symbol is ink whatever its shape, or nearly; and the plane that is laid through its light there.
_SLOPED = np.flatnonzero((_RADIUS < 0.24)[_INNER, _INNER])
_PLANE = np.stack(
    [
        np.ones(_SLOPED.size),
        np.tile(_AXIS[_INNER], len(_AXIS[_INNER]))[_SLOPED],
        np.repeat(_AXIS[_INNER], len(_AXIS[_INNER]))[_SLOPED],
    ],
    axis=1,
).astype(np.float32)
_PLANE_PRODUCTS = (_PLANE[:, :, None] * _PLANE[:, None, :]).reshape(-1, 9)
#: So many pixels of a patch share their noise: enlarging, sharpening and JPEG.
_SLOPE_TOGETHER = 2.0
#: Side of the coarse picture of which pixels are inky.
SHARE_PX = PATCH_PX // 2
_SHARE_AXIS = (np.arange(SHARE_PX) + 0.5) / SHARE_PX - 0.5
_IN_RIM = (_REACH > 0.405) & (_REACH < 0.475)
_RIM = np.flatnonzero(_IN_RIM)
#: The corners of the flat part: body on dice whose symbols are round or pointed. Unlike the rounded rim they
#: lie in one plane with the ink, and so have its light and its gloss.
_IN_CORNERS = (_REACH > 0.26) & (_REACH < 0.36) & (_RADIUS > 0.40)
_CORNERS = np.flatnonzero(_IN_CORNERS)
_QUADRANTS = np.stack(
    [
        _IN_CORNERS & (down * _AXIS[:, None] > 0) & (right * _AXIS[None, :] > 0)
        for down in (-1, 1)
        for right in (-1, 1)
    ]
)
_QUADRANT_MEANS = (_QUADRANTS / _QUADRANTS.sum(axis=(1, 2), keepdims=True)).astype(np.float32).reshape(4, -1)
_ONES = np.ones(3, np.float32)
_SIDES = [
    np.flatnonzero(_IN_RIM & (abs(across) < 0.405) & (sign * along > 0.405))
    for across, along in ((_AXIS[None, :], _AXIS[:, None]), (_AXIS[:, None], _AXIS[None, :]))
    for sign in (-1, 1)
]
#: How much each of the four corners counts at each pixel of the share: linear in between, (4, SHARE_PX ** 2).
_BLEND = np.stack(
    [
        ((0.5 + down * _SHARE_AXIS[:, None] / 0.66) * (0.5 + right * _SHARE_AXIS[None, :] / 0.66)).ravel()
        for down in (-1, 1)
        for right in (-1, 1)
    ]
).astype(np.float32)


@dataclass(frozen=True, slots=True)
class FacePatches:
    """The faces of one picture, measured; f faces.

    `image` is (f, PATCH_PX, PATCH_PX, 3) uint8 RGB. `ink`, `body` and `rim` are (f, 3) linear RGB 0..1,
    `…_clipped` (f, 3) whether that channel met the top of the range. `ink_share` (f, SHARE_PX, SHARE_PX) is
    how much each pixel looks like ink rather than body (0..1); `contrast` (f,) the distance of ink and body
    in levels, `noise` (f,) the scatter of the ink's pixels in levels; `slope` (f, 2, 3) how fast the ink's
    light changes over the face to the right and down, with `slope_error` (f, 3); `uneven` (f,) how much the
    light differs over the face, as a natural log; `place` (f, 2) where its middle lies in the picture, in
    widths of a die. `corners_are_body` tells where body was looked for: in the corners of the flat part, or
    (False) only in the rim, which is rounded and so lit otherwise than the face.
    """

    image: Bytes
    ink: Floats
    body: Floats
    rim: Floats
    ink_clipped: Flags
    body_clipped: Flags
    rim_clipped: Flags
    slope: Floats
    slope_error: Floats
    ink_share: npt.NDArray[np.float32]
    contrast: Floats
    noise: Floats
    uneven: Floats
    place: Floats
    corners_are_body: bool


def cut_patches(frame_bgr: Bytes, quads: Sequence[Quad]) -> Bytes:
    """Each quad of the frame as an upright square patch, (f, n, n, 3) uint8 RGB."""
    # pixels of four bytes are looked up more than twice as fast as those of three
    patches = np.empty((len(quads), PATCH_PX, PATCH_PX, 4), np.uint8)
    side = PATCH_PX - 0.5
    target = np.array([[-0.5, -0.5], [side, -0.5], [side, side], [-0.5, side]], np.float32)
    size = (PATCH_PX, PATCH_PX)
    for patch, (source, corners) in zip(patches, _near(frame_bgr, quads), strict=True):
        matrix = cv2.getPerspectiveTransform((corners - 0.5).astype(np.float32), target)
        own = cv2.cvtColor(source, cv2.COLOR_BGR2RGBA)
        cv2.warpPerspective(own, matrix, size, dst=patch, borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(patches[..., :3])


def _near(frame_bgr: Bytes, quads: Sequence[Quad]) -> Iterator[tuple[Bytes, Floats]]:
    """The part of the frame around each quad, shrunk where its pixels are much finer than the patch's, and
    the quad's corners in it.
    """
    corners = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    last = np.array([frame_bgr.shape[1], frame_bgr.shape[0]])
    low = np.minimum(np.maximum(np.floor(corners.min(axis=1)) - 2, 0), last - 2).astype(int)
    high = np.minimum(np.maximum(np.ceil(corners.max(axis=1)) + 3, low + 2), last).astype(int)
    inside = corners - low[:, None]
    times = np.sqrt(_areas(corners)) // PATCH_PX
    for (left, top), (right, bottom), own, often in zip(
        low.tolist(), high.tolist(), inside, times.astype(int).tolist(), strict=True
    ):
        part = frame_bgr[top:bottom, left:right]
        if often >= 2:
            size = (max(2, (right - left) // often), max(2, (bottom - top) // often))
            scale = np.array([size[0] / (right - left), size[1] / (bottom - top)])
            part, own = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA)), own * scale
        yield part, own


def measure_faces(
    frame_bgr: Bytes, quads: Sequence[Quad], corners_are_body: bool | None = None
) -> FacePatches:
    """Measure ink and body of each top face, uint8 BGR frame, quads with any start corner.

    The middle is ink. Body is what lies in the corners of the flat part or, where the ink fills those, in the
    rim; `corners_are_body` says which (calibration has learned it), None decides by the majority of the
    faces.
    """
    image = cut_patches(frame_bgr, quads)
    levels = image.astype(np.float32)
    ceiling = ceilings(image)
    linear = _linear(image, ceiling)
    middle = median(_at(levels, _MIDDLE), axis=1)
    if corners_are_body is None:
        corners_are_body = _corners_differ(levels, middle)
    clipped_level = (CLIPPED_LEVEL / 255 * ceiling).astype(np.float32)
    measure = _body_in_corners if corners_are_body else _body_in_rim
    body, body_levels, body_clipped = measure(levels, linear, clipped_level, middle)
    rim = median(_at(levels, _RIM), axis=1)
    axis = middle - body_levels
    contrast = np.linalg.norm(axis, axis=1)
    unit = axis / np.maximum(contrast, 1e-6)[:, None]
    inner = levels[:, _INNER, _INNER].reshape(len(image), -1, 3)
    along = (inner @ unit[:, :, None])[:, :, 0] - (body_levels * unit).sum(axis=1, keepdims=True)
    inky = (along > 0.75 * np.maximum(contrast, 6.0)[:, None]) | _INNER_MIDDLE.ravel()
    weight = (inky / inky.sum(axis=1, keepdims=True)).astype(np.float32)[:, None]
    inner_linear = linear[:, _INNER, _INNER].reshape(len(image), -1, 3)
    ink = (weight @ inner_linear)[:, 0]
    ink_levels = (weight @ inner)[:, 0]
    ink_clipped = (weight @ (inner >= clipped_level).astype(np.float32))[:, 0]
    variance = (weight @ (inner * inner))[:, 0] - ink_levels**2
    noise = np.sqrt(np.maximum(variance.mean(axis=1), 0.0))
    slope, slope_error = _slopes(inner_linear, inky)
    mixed, uneven = _mixture(linear, ink, body, corners_are_body)
    return FacePatches(
        image=image,
        ink=ink.astype(np.float64),
        body=body.astype(np.float64),
        rim=linear_from_srgb(rim) / _LINEAR[ceiling],
        ink_clipped=ink_clipped > 0.25,
        body_clipped=body_clipped > 0.25,
        rim_clipped=rim >= clipped_level,
        slope=slope,
        slope_error=slope_error,
        ink_share=mixed,
        uneven=uneven,
        contrast=contrast.astype(np.float64),
        noise=noise.astype(np.float64),
        place=_places(quads),
        corners_are_body=corners_are_body,
    )


def _places(quads: Sequence[Quad]) -> Floats:
    """The middles of quads, (f, 2), in units of their usual side."""
    corners = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    if not len(corners):
        return np.zeros((0, 2))
    return np.asarray(corners.mean(axis=1) / median(np.sqrt(_areas(corners))))


def _areas(corners: Floats) -> Floats:
    """The areas of quads (f, 4, 2), (f,): half the cross product of the diagonals."""
    one, other = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.asarray(abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2)


_Array = npt.NDArray[np.float32]


def _at(patches: _Array, where: npt.NDArray[np.intp]) -> _Array:
    """The pixels of patches (f, n, n, 3) at flat indices (p,): (f, p, 3); quicker than through a mask."""
    return patches.reshape(len(patches), -1, 3).take(where, axis=1)


def _linear(image: Bytes, ceiling: npt.NDArray[np.intp]) -> _Array:
    """Linear light of patches (f, n, n, 3), 1 where a channel meets its ceiling (3,)."""
    table = (_LINEAR[:, None] / _LINEAR[ceiling])[None]
    rows = cv2.LUT(image.reshape(-1, PATCH_PX, 3), table)
    return np.asarray(rows, np.float32).reshape(image.shape)


def _body_in_corners(
    levels: _Array, linear: _Array, clipped_level: _Array, middle: _Array
) -> tuple[_Array, _Array, Floats]:
    """The body's light, its levels, and the share of clipped pixels, each (f, 3): of the corners' usual
    pixels.
    """
    return _usual(_at(levels, _CORNERS), _at(linear, _CORNERS), clipped_level, middle, 0.2, 0.8)


def _body_in_rim(
    levels: _Array, linear: _Array, clipped_level: _Array, middle: _Array
) -> tuple[_Array, _Array, Floats]:
    """The same of the rim's four sides, without the brightest and the darkest: there a neighbour may look in.

    Of a side, pixels far from the ink's colour count: blur mixes ink into the others.
    """
    sides = [_usual(_at(levels, s), _at(linear, s), clipped_level, middle, 0.6, 0.95) for s in _SIDES]
    light, shown, cut = (np.stack([side[k] for side in sides], axis=1) for k in range(3))
    rows = np.arange(len(levels))[:, None]
    chosen = np.argsort(light.sum(axis=2), axis=1)[:, 1:3]
    return light[rows, chosen].mean(axis=1), shown[rows, chosen].mean(axis=1), cut[rows, chosen].mean(axis=1)


def _usual(
    levels: _Array, linear: _Array, clipped_level: _Array, middle: _Array, low: float, high: float
) -> tuple[_Array, _Array, Floats]:
    """Means over the pixels, (f, p, 3), whose distance to the ink's levels (f, 3) is from one rank to
    another.
    """
    order = np.argsort(((levels - middle[:, None]) ** 2).sum(axis=2), axis=1)
    chosen = order[:, round(low * order.shape[1]) : round(high * order.shape[1])]
    rows = np.arange(len(levels))[:, None]
    shown = levels[rows, chosen]
    # with a sum and a share numpy takes half as long as with a mean
    share = np.float32(1 / chosen.shape[1])
    return (
        linear[rows, chosen].sum(axis=1) * share,
        shown.sum(axis=1) * share,
        (shown >= clipped_level).sum(axis=1) * float(share),
    )


def _mixture(
    linear: npt.NDArray[np.float32],
    ink: npt.NDArray[np.float32],
    body: npt.NDArray[np.float32],
    corners_are_body: bool,
) -> tuple[npt.NDArray[np.float32], Floats]:
    """How much of each pixel is ink, (f, SHARE_PX, SHARE_PX) 0..1, and how uneven the light is, (f,) natural
    log.

    Blur mixes light, so the share is linear in it. Where the body is seen in all four corners, the light
    between them is taken to change evenly: a shadow's edge then is no ink.
    """
    faces = len(linear)
    # the patches one below another, so that each is halved by itself
    column = linear.reshape(-1, PATCH_PX, 3)
    halved = cv2.resize(column, (SHARE_PX, faces * SHARE_PX), interpolation=cv2.INTER_AREA)
    pixels = np.asarray(halved, np.float32).reshape(faces, -1, 3)
    if corners_are_body:
        corners = _QUADRANT_MEANS @ linear.reshape(faces, -1, 3)
        whole = corners.mean(axis=1)[:, None]
        local = _BLEND.T @ corners
        uneven = np.log(corners.mean(axis=2) + 0.002).std(axis=1)
        darker = (ink.sum(axis=1) < whole.sum(axis=(1, 2)))[:, None, None]
        # where the ink takes light away it does so by a factor
        times = np.where(darker, ink[:, None] / np.maximum(whole, 1e-4), 1)
        ink_there = local * times + np.where(darker, 0, ink[:, None] - whole)
    else:
        local, ink_there = body[:, None], ink[:, None]
        uneven = np.zeros(faces)
    across = ink_there - local
    # multiplying by ones is how numpy adds up three channels fastest
    along = ((pixels - local) * across) @ _ONES / np.maximum((across * across) @ _ONES, 1e-6)
    share = np.clip(along, 0, 1).reshape(faces, SHARE_PX, SHARE_PX)
    return np.asarray(share, np.float32), np.asarray(uneven, np.float64)


def _slopes(linear: npt.NDArray[np.float32], inky: Flags) -> tuple[Floats, Floats]:
    """How fast the ink's light (f, p, 3) changes over a face to the right and down, (f, 2, 3), and its error,
    (f, 3).
    """
    weight, linear = inky[:, _SLOPED].astype(np.float32), linear[:, _SLOPED]
    normal = (weight @ _PLANE_PRODUCTS).reshape(-1, 3, 3) + 1e-3 * np.eye(3)
    weighted = weight[:, :, None] * linear
    moments = _PLANE.T @ weighted
    inverse = np.linalg.inv(normal)
    plane = inverse @ moments
    off = (weighted * linear).sum(axis=1) - (moments * plane).sum(axis=1)
    scatter = np.maximum(off, 0.0) / np.maximum(weight.sum(axis=1), 4.0)[:, None]
    room = (inverse[:, 1, 1] + inverse[:, 2, 2]) / 2
    error = _SLOPE_TOGETHER * np.sqrt(scatter * room[:, None])
    return np.asarray(plane[:, 1:], np.float64), np.asarray(error, np.float64)


def _corners_differ(levels: npt.NDArray[np.float32], middle: npt.NDArray[np.float32]) -> bool:
    """Whether on most faces the corners of the flat part look like the rim rather than like the middle."""
    to_corners = np.linalg.norm(np.median(_at(levels, _CORNERS), axis=1) - middle, axis=1)
    to_rim = np.linalg.norm(np.median(_at(levels, _RIM), axis=1) - middle, axis=1)
    return bool(np.median(to_corners / np.maximum(to_rim, 1.0)) > 0.62) if len(levels) else True
