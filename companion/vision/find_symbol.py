"""How far the symbol on a face is squeezed: a level face shows it as long as it is wide.

Symbols look alike after some part of a turn (discs, squares, stars, triangles), so whatever goes around twice
in one turn of their outline comes from the view: a face that leans is foreshortened across its lean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.few import median
from companion.vision.find_hidden import counterparts, fill_hidden
from companion.vision.find_scene import Faces, Floats, Seen, samples_at

Values = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# Lengths are fractions of a die.
_FACE = np.linspace(-0.47, 0.47, 16)
_FACE_AT = np.array([(x, y) for y in _FACE for x in _FACE], np.float32).T.copy()
_RIM = np.flatnonzero(np.abs(_FACE_AT).max(axis=0) > 0.40)
_CORE = np.flatnonzero(np.hypot(*_FACE_AT) < 0.15)
_COUNTERPARTS = counterparts(_FACE_AT.T)
_MOST_CHANGED = 1.5
# Rays from the middle of the ink, and where the outline is looked for along them.
_RAYS = 32
_ALONG = np.linspace(0.02, 0.5, 25).astype(np.float32)
# Means over what lies nearest to the middle on all rays.
_INNERMOST = np.repeat(np.arange(len(_ALONG)) < 5, _RAYS).astype(np.float32) / (5 * _RAYS)
_TURN = np.arange(_RAYS) * 2 * np.pi / _RAYS
# Steps first, then rays: what is done step by step is done for all rays at once.
_RAYS_AT = np.stack([np.outer(_ALONG, way).ravel() for way in (np.cos(_TURN), np.sin(_TURN))])
_RAYS_AT = _RAYS_AT.astype(np.float32)
_ONCE = np.exp(1j * _TURN)
_TWICE = np.exp(2j * _TURN)
# Where the body is looked for along a ray, and the least step from there to the ink that tells an outline.
_BODY_ALONG = slice(*np.searchsorted(_ALONG, (0.29, 0.47)).tolist())
# How many steps out ink may end.
_INK_STEPS = int((_ALONG < 0.42).sum())
_LEAST_STEP = 0.3
# Between these shares of ink the outline goes from inside to outside.
_OUTLINE_WIDTH = 0.3
# How much of what all channels share counts for ink, by tint and by all colour: light has it too, a gleam
# along an edge or a shade.
_BY_TINT, _BY_COLOUR = 0.1, 1.0
# Looks: the middle is found again from the outline each time.
_LOOKS = 3
# So far from the face's middle a symbol's may be found.
_FARTHEST_OFF = 0.15


def symbol_shapes(scene: Seen, places: Values) -> Values:
    """Four witnesses of each face, (n, 3 or more) → (n, 4).

    Roots of how far the outline is from round (0 round, towards 0.6 squeezed), the least of the ways to draw
    it, and with more weight on what reaches far; the logarithm of the ink's contrast in units of noise; how
    much the face differs from the empty table (as the scene's change, 0 to 1.5). Places are x, y (mm) and
    angle (rad).
    """
    faces = Faces.of(scene, places)
    samples = samples_at(scene.layers, *faces.pixels(_FACE_AT))
    fill_hidden(samples.transpose(2, 1, 0), _COUNTERPARTS)
    colours = samples[..., :3]
    body = median(samples.take(_RIM, axis=1)[..., :3], axis=1)
    ink = samples.take(_CORE, axis=1)[..., :3].sum(axis=1) / np.float32(len(_CORE))
    noise = scene.noise[colours.max(axis=(1, 2)).astype(np.uint8)]
    contrast = np.log1p(np.minimum(np.sqrt(((ink - body) ** 2).sum(axis=1)) / (noise + 3) / 2, 8))
    changed = np.minimum(samples[..., 3], _MOST_CHANGED).mean(axis=1)
    level, own_level = _outlines(scene, faces, body)
    squeezed = _twice(np.concatenate([level, own_level]) ** 2, 0.3).min(axis=0)
    return np.column_stack([squeezed, _twice(own_level**4, 0.4).min(axis=0), contrast, changed])


def _twice(around: Values, most: float) -> Values:
    """The root of the share that goes around twice in one turn, at most `most`: (…, rays) → (…)."""
    part = np.abs(around @ _TWICE) / (around.sum(axis=-1) + 1e-9)
    return np.asarray(np.sqrt(np.minimum(part, most)), np.float64)


def _outlines(scene: Seen, faces: Faces, body: Floats) -> tuple[Values, Values]:
    """How far the ink reaches in all directions from its middle, (2, n, rays) twice, fractions of a die.

    As half the way from body to ink draws the outline; and with the body of each direction, since light may
    differ from side to side (but a bright edge beside the ink may be taken for ink then). Each by all colour,
    and by little more than what tints: ink of a body's tint is hardly told so, but no gleam taken for ink.
    All seldom err at once.
    """
    middle = np.zeros((len(body), 2, 1), np.float32)
    for _ in range(_LOOKS - 1):
        share, hidden = _share_along(scene, faces.moved(middle), body, [_BY_TINT])
        reach = _seen_or_opposite(_reach(share[0]), hidden)
        off = (reach**3) @ _ONCE / ((reach**2).sum(axis=1) + 1e-9) * (2 / 3)
        middle[:, 0, 0] += off.real
        middle[:, 1, 0] += off.imag
        np.minimum(np.maximum(middle, -_FARTHEST_OFF, out=middle), _FARTHEST_OFF, out=middle)
    share, hidden = _share_along(scene, faces.moved(middle), body, [_BY_TINT, _BY_COLOUR])
    own = share[:, :, _BODY_ALONG].min(axis=2, keepdims=True)
    own_share = (share - own) / np.maximum(1 - own, _LEAST_STEP)
    return _seen_or_opposite(_reach(share), hidden), _seen_or_opposite(_reach(own_share), hidden)


def _share_along(
    scene: Seen, faces: Faces, body: Floats, grey_counts: Sequence[float]
) -> tuple[Floats, Flags]:
    """How inky each sample along the rays is, (k, n, steps, rays): 0 as the body, 1 as the middle of the ink.

    Once for each of k weights of what all channels share. Beside it, of which rays something is hidden where
    ink may end, (n, rays).
    """
    samples = samples_at(scene.layers, *faces.pixels(_RAYS_AT))
    change = samples[:, : _INK_STEPS * _RAYS, 3].reshape(len(body), _INK_STEPS, _RAYS)
    way = _INNERMOST @ samples
    way[:, :3] -= body
    way[:, 3] = 0  # the change does not count
    along = np.repeat(way[:, :, None], len(grey_counts), axis=2)
    along[:, :3] -= way[:, :3].mean(axis=1)[:, None, None] * (1 - np.asarray(grey_counts, np.float32))
    along /= (way[:, :, None] * along).sum(axis=1, keepdims=True) + np.float32(1e-3)
    from_body = samples @ along - body[:, None] @ along[:, :3]
    share = np.moveaxis(from_body, 2, 0).reshape(len(grey_counts), len(body), -1, _RAYS)
    return np.asarray(share, np.float32), np.asarray(change.min(axis=1) < 0, np.bool_)


def _seen_or_opposite(reach: Values, hidden: Flags) -> Values:
    """Rays, (…, n, rays): hidden ones, (n, rays), reach as far as those opposite, or as others on average.

    A symbol that is squeezed is so on both sides of its middle.
    """
    if not hidden.any():
        return reach
    seen = ~hidden
    usual = (reach * seen).sum(axis=-1, keepdims=True) / np.maximum(seen.sum(axis=-1, keepdims=True), 1)
    half = _RAYS // 2
    opposite = np.where(np.roll(seen, half, axis=-1), np.roll(reach, half, axis=-1), usual)
    return np.where(seen, reach, opposite)


def _reach(share: Floats) -> Values:
    """How far ink goes along each ray before its first gap (beyond may be other ink, or a bright edge)."""
    inside = np.minimum(np.maximum((share - 0.5) / _OUTLINE_WIDTH + 0.5, 0), 1)
    reach = np.minimum.accumulate(inside, axis=-2).sum(axis=-2) * (_ALONG[1] - _ALONG[0])
    return np.asarray(reach, np.float64)
