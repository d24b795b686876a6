"""Whole-frame checks: light, sharpness, a moved camera, a hand; each against the profile's empty table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.few import inverse
from companion.vision.frame_blur import BlurReference, added_blur_px, prepare_blur
from companion.vision.frame_light import (
    LightChange,
    LightReference,
    compare_light,
    fill_half,
    prepare_light,
)
from companion.vision.frame_view import Bytes, EmptyView, Matrix, halvings, small_view, view_to_frame
from companion.vision.geometry import CORNER_TO_INDEX, INDEX_TO_CORNER, Zones, apply
from companion.vision.registration import Anchors, Registration, grey_of, prepare_anchors, register_grey

Triple = tuple[float, float, float]

#: White bodies darker than this (linear, brightest channel) are under 8-bit value 48: inks differ by less
#: than the picture's noise and rounding.
DARK_WHITE_LINEAR = 0.03
#: White bodies so many times brighter than the picture's white, in light that grew by at least that factor
#: since calibration: strong inks clip as well. What calibration took as it was is not blamed, nor what lamps
#: do in an evening (1.6 times as bright): there each face tells how sure it is.
BRIGHT_WHITE_LINEAR, BRIGHTER_GAIN = 4.0, 1.75
#: Share of the track's floor that is clipped in all channels: nothing can be told from it.
CLIPPED_FLOOR_FRAC = 0.5
#: Ratio between the channels' gains (natural logarithm): lamps that drift or are dimmed stay below 0.6,
#: changing a 2700 K lamp for daylight gives 2.3.
LAMP_COLOUR_LOG = 1.0
#: Share of the watched table that is lit otherwise than the rest by more than `UNEVEN_LOG` (new shadow, sun).
UNEVEN_FRAC, UNEVEN_LOG = 0.3, 0.7
#: Added blur, as a fraction of a die's side.
BLURRED_DIE_FRAC = 0.1
#: A smaller shift than this does not matter when light is compared.
_ALIGNED_MM = 0.4
#: A difference to the empty table counts as something lying there from this log ratio on.
_SOMETHING_LOG = 0.5
#: A hand is at least this large, in areas of a die's top face (two finger ends), beside dice and shadows.
_HAND_DICE = 2.5
#: Six dice in one heap, with sides and shadows, in areas of a die's top face.
_SIX_DICE = 14.0
#: How far a die's sides and shadow reach: its top face is enlarged by this factor.
_DIE_REACH = 2.6
#: A lamp alone changes the colour of a shadow or its depth by less than these log ratios.
_OTHER_COLOUR_LOG, _OTHER_LIGHT_LOG = 0.5, 1.3


@dataclass(frozen=True, slots=True, eq=False)
class FrameModel:
    """All that the whole-frame checks can compute once for a profile."""

    zones: Zones
    zones_in_view: Zones
    anchors: Anchors
    light: LightReference
    blur: BlurReference

    @classmethod
    def prepare(cls, empty: EmptyView, zones: Zones) -> FrameModel:
        """Some tens of milliseconds of work; keep the result as long as the profile.

        Raises:
            FrameError: the empty view can not be decoded.
        """
        view = empty.unpack()
        view_px = (view.shape[1], view.shape[0])
        in_view = zones.moved(inverse(view_to_frame(view_px, zones.size_px)), view_px)
        anchors = prepare_anchors(empty, zones)
        return cls(
            zones=zones,
            zones_in_view=in_view,
            anchors=anchors,
            light=prepare_light(view, in_view),
            blur=prepare_blur(view, anchors.centres_px),
        )


@dataclass(frozen=True, slots=True, eq=False)
class FrameLook:
    """What one frame looks like as a whole, before any die is sought.

    ``registration.matrix`` takes the profile's pictures to this frame: move the zones by it before reading.
    ``light`` is compared in the calibration's place; ``added_blur_mm`` is the standard deviation of the blur
    that came since.
    """

    frame_size_px: tuple[int, int]
    levels: tuple[Bytes, ...]
    """The frame, and it halved once, twice and so on (``halvings``)."""
    registration: Registration
    light: LightChange
    added_blur_mm: float


def look_at_frame(frame_bgr: Bytes, model: FrameModel) -> FrameLook:
    """Register a frame (H, W, 3), uint8 BGR, of the profile's shape, and compare its light and sharpness.

    Raises:
        FrameError: not a uint8 array of shape (H, W, 3), or too small.
    """
    size_px = (frame_bgr.shape[1], frame_bgr.shape[0])
    levels = halvings(frame_bgr, model.anchors.view_px)
    view = small_view(levels[-1], model.anchors.view_px)
    grey = grey_of(view)
    registration = register_grey(grey, model.anchors, size_px)
    to_view = _view_matrix(registration, model, size_px)
    blur_px = added_blur_px(grey, model.blur, CORNER_TO_INDEX @ to_view @ INDEX_TO_CORNER)
    aligned = view
    if registration.shift_mm > _ALIGNED_MM and not registration.moved:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        matrix = CORNER_TO_INDEX @ to_view @ INDEX_TO_CORNER
        aligned = np.asarray(
            cv2.warpPerspective(
                view, matrix, model.anchors.view_px, flags=flags, borderMode=cv2.BORDER_REPLICATE
            ),
            np.uint8,
        )
    light = compare_light(aligned, model.light)
    return FrameLook(size_px, levels, registration, light, blur_px / model.anchors.px_per_mm)


def check_frame(
    look: FrameLook,
    model: FrameModel,
    top_faces_px: Sequence[Sequence[tuple[float, float]]],
    white_rgb: Triple | None = None,
) -> tuple[str, ...]:
    """The problem codes of the frame as a whole, in the order of `formats.md`.

    ``top_faces_px`` are the quads of the dice that were found, in the frame's pixels; ``white_rgb`` the white
    bodies' linear light at calibration (0..1), white paper's where it is not known.
    """
    gains = np.array(look.light.gain_bgr[::-1])
    white = float((np.array(white_rgb or (0.8, 0.8, 0.8)) * gains).max())
    moved = ("camera_moved",) if look.registration.moved else ()
    # Light that is buried in noise or clipped can not be compared, so nothing else is told but a camera that
    # looks elsewhere.
    if white < DARK_WHITE_LINEAR:
        return ("too_dark", *moved)
    brighter = float(gains.max()) > BRIGHTER_GAIN
    if (brighter and white > BRIGHT_WHITE_LINEAR) or look.light.clipped_floor_frac > CLIPPED_FLOOR_FRAC:
        return ("too_bright", *moved)
    if moved:
        return moved
    codes = []
    if _is_other_light(look, model):
        codes.append("light_changed")
    if look.added_blur_mm > BLURRED_DIE_FRAC * model.zones.die_mm:
        codes.append("blurred")
    if hand_area_mm2(look, model, top_faces_px) > 0:
        codes.append("hand_in_view")
    return tuple(codes)


def hand_area_mm2(
    look: FrameLook, model: FrameModel, top_faces_px: Sequence[Sequence[tuple[float, float]]]
) -> float:
    """Area over the track and the reserve that neither dice nor a change of light explain, 0 where small.

    A region that differs from the empty table counts when it is too large for a die and a lamp can not have
    made it: it covers what registration follows, or has another colour, or is far brighter or darker.
    """
    if look.registration.moved:
        return 0.0
    differs = _differing(look.light)
    to_frame = look.registration.as_array() @ view_to_frame(model.anchors.view_px, model.zones.size_px)
    back = inverse(to_frame)
    corners = apply(back, np.asarray(top_faces_px, np.float64).reshape(-1, 2)).reshape(-1, 4, 2)
    centres = corners.mean(axis=1, keepdims=True)
    fill_half(differs, centres + (corners - centres) * _DIE_REACH, 0)
    regions = _regions(differs, look.light, model, look.registration.covered)
    return sum(region.area_mm2 for region in regions if region.is_thing)


def reaches_in(light: LightChange, model: FrameModel) -> bool:
    """Whether something large reaches over the rim into the track, whatever dice lie there: an arm, a hand.

    Needs no dice found, so it can be asked of frames in which they still roll: what lies partly beyond the
    wall, or is larger than six dice side by side with their shadows, is none.
    """
    larger_mm2 = _SIX_DICE * model.zones.die_mm**2
    return any(
        region.is_thing and region.is_inside and (region.is_outside or region.area_mm2 > larger_mm2)
        for region in _regions(_differing(light), light, model, ())
    )


@dataclass(frozen=True, slots=True)
class _Region:
    """A large region that differs from the empty table."""

    area_mm2: float
    is_thing: bool
    is_inside: bool
    is_outside: bool


def _differing(light: LightChange) -> Bytes:
    alike = cv2.inRange(light.rest, (-_SOMETHING_LOG,) * 3, (_SOMETHING_LOG,) * 3)
    return np.asarray(cv2.bitwise_not(alike), np.uint8)


def _regions(
    differs: Bytes, light: LightChange, model: FrameModel, covered: Sequence[int]
) -> tuple[_Region, ...]:
    """The connected regions of ``differs`` (half view) that are at least as large as a hand."""
    large_px = _HAND_DICE * model.zones.die_mm**2 / model.light.mm2_per_px
    if cv2.countNonZero(differs) < large_px:
        return ()
    opened = np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    covered_at = (model.anchors.centres_px[list(covered)] / 2).astype(int)
    regions = []
    for label in range(1, count):
        area_mm2 = float(stats[label, cv2.CC_STAT_AREA]) * model.light.mm2_per_px
        if area_mm2 < _HAND_DICE * model.zones.die_mm**2:
            continue
        inside = labels == label
        there = light.rest[inside]
        other_colour = (there.max(axis=1) - there.min(axis=1)) > _OTHER_COLOUR_LOG
        other_light = np.abs(there).max(axis=1) > _OTHER_LIGHT_LOG
        hidden = int(inside[covered_at[:, 1], covered_at[:, 0]].sum()) if len(covered_at) else 0
        regions.append(
            _Region(
                area_mm2=area_mm2,
                is_thing=hidden >= 2 or float(np.mean(other_colour | other_light)) > 0.5,
                is_inside=bool((inside & model.light.floor).any()),
                is_outside=bool((inside & model.light.outside).any()),
            )
        )
    return tuple(regions)


def _is_other_light(look: FrameLook, model: FrameModel) -> bool:
    logs = np.log(np.array(look.light.gain_bgr))
    if float(logs.max() - logs.min()) > LAMP_COLOUR_LOG:
        return True
    mean = cv2.transform(look.light.rest, np.full((1, 3), 1 / 3))
    uneven = mean.size - cv2.countNonZero(cv2.inRange(mean, -UNEVEN_LOG, UNEVEN_LOG))
    return bool(uneven > UNEVEN_FRAC * np.count_nonzero(model.light.watched))


def _view_matrix(registration: Registration, model: FrameModel, frame_px: tuple[int, int]) -> Matrix:
    """The registration from the empty small view to the frame's, in corner coordinates (3, 3)."""
    view_px = model.anchors.view_px
    to_profile = view_to_frame(view_px, model.zones.size_px)
    from_frame = view_to_frame(frame_px, view_px)
    return np.asarray(from_frame @ registration.as_array() @ to_profile, np.float64)
