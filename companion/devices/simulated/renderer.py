"""From a scene, a lamp and a camera to the picture that the camera would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated import layout
from companion.devices.simulated.dice_rays import die_image
from companion.devices.simulated.hand import hand_shadow, with_hand
from companion.devices.simulated.layout import Box
from companion.devices.simulated.light import Lamp, Patch, shadow_on
from companion.devices.simulated.painter import picture_map
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.scene import Scene
from companion.devices.simulated.sensor import Sensor, develop
from companion.devices.simulated.still import FELT, Still, floor_patch, still_table, wall_patches

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

_LAMP_POINTS = 16
_CONTACT_MM = 2.2
_CONTACT_SHARE = 0.55
_ROOM_WITHOUT_LAMP = 0.1
_BOUNCE_BGR = FELT * 0.5


@dataclass(frozen=True, slots=True)
class Conditions:
    """Everything about a picture but the scene: camera, lamp, chip, and whether a hand is over the track."""

    pose: Pose = field(default_factory=Pose)
    lamp: Lamp = field(default_factory=Lamp)
    sensor: Sensor = field(default_factory=Sensor)
    hand: bool = False


def render(scene: Scene, conditions: Conditions, rng: np.random.Generator) -> Bytes:
    """Take a picture: uint8 BGR, shape (height, width, 3) of the pose. `rng` gives the noise."""
    return develop(light_of(scene, conditions), conditions.sensor, rng)


def light_of(scene: Scene, conditions: Conditions) -> Floats:
    """The light that reaches each pixel through a perfect lens, linear B G R, shape (h, w, 3)."""
    pose, lamp = conditions.pose, conditions.lamp
    still = still_table(pose, Lamp(place_mm=lamp.place_mm, radius_mm=lamp.radius_mm), scene.cards)
    boxes = [die.box() for die in scene.visible_dice()]
    direct, room = still.direct.copy(), still.room.copy()
    if boxes or conditions.hand:
        _shade_floor(direct, room, still, boxes, conditions)
    if boxes:
        _shade_walls(direct, still, boxes, conditions)
    arriving = room[..., None] * lamp.room_bgr() + direct[..., None] * lamp.direct_bgr()
    light = np.asarray(still.paint * arriving, dtype=np.float32)
    _lay_dice(light, scene, boxes, conditions)
    return with_hand(light, pose, lamp) if conditions.hand else light


def _shade_floor(
    direct: Floats, room: Floats, still: Still, boxes: Sequence[Box], conditions: Conditions
) -> None:
    """The shadows of dice and hand on the table's plane, and the dark where dice touch it."""
    pose, lamp = conditions.pose, conditions.lamp
    patch = floor_patch()
    hidden = cv2.GaussianBlur(shadow_on(patch, boxes, lamp.points_mm(_LAMP_POINTS)), (0, 0), 0.8)
    if conditions.hand:
        hidden = 1 - (1 - hidden) * (1 - hand_shadow(patch, lamp))
    contact = cv2.GaussianBlur(_footprints(patch, boxes), (0, 0), _CONTACT_MM * patch.px_per_mm)
    move = picture_map(patch, pose)
    size = (pose.width_px, pose.height_px)
    direct *= 1 - cv2.warpPerspective(np.asarray(hidden, np.float32), move, size) * still.floor
    room *= 1 - _CONTACT_SHARE * cv2.warpPerspective(contact, move, size) * still.floor


def _footprints(patch: Patch, boxes: Sequence[Box]) -> Floats:
    """1 where a box stands on the table's plane, shape (h, w) of the patch."""
    width, height = patch.size_px
    layer = np.zeros((height, width), np.uint8)
    for box in boxes:
        flat = (box.corners_mm()[:, :2] - patch.corner_mm[:2]) * patch.px_per_mm
        cv2.fillConvexPoly(layer, np.round(cv2.convexHull(flat.astype(np.float32))).astype(np.int32), 1)
    return layer.astype(np.float32)


def _shade_walls(direct: Floats, still: Still, boxes: Sequence[Box], conditions: Conditions) -> None:
    """The shadows of dice on the track's inner walls."""
    pose = conditions.pose
    for patch, part in zip(wall_patches(), still.walls, strict=True):
        hidden = shadow_on(patch, boxes, conditions.lamp.points_mm(_LAMP_POINTS))
        if hidden.any():
            warped = cv2.warpPerspective(hidden, picture_map(patch, pose), (pose.width_px, pose.height_px))
            direct *= 1 - warped * part


def _lay_dice(light: Floats, scene: Scene, boxes: Sequence[Box], conditions: Conditions) -> None:
    """Draw the dice over the table, the farthest first."""
    standing = layout.standing_boxes()
    images = []
    for index, die in enumerate(scene.visible_dice()):
        others = [*standing, *(box for other, box in enumerate(boxes) if other != index)]
        image = die_image(die, others, conditions.pose, conditions.lamp, _bounce(conditions.lamp))
        if image is not None:
            images.append(image)
    for image in sorted(images, key=lambda one: -one.distance_mm):
        height, width = image.coverage.shape
        part = light[image.top_px : image.top_px + height, image.left_px : image.left_px + width]
        part *= 1 - image.coverage[..., None]
        part += image.light


def _bounce(lamp: Lamp) -> Floats:
    """Light that the felt sends up at the sides of dice."""
    return np.asarray(_BOUNCE_BGR * (lamp.direct_bgr() + lamp.room_bgr()), dtype=np.float32)


def dimmed(lamp: Lamp, brightness: float, tint_rgb: tuple[float, float, float] | None = None) -> Lamp:
    """The same lamp turned up or down, perhaps with another bulb; the room's light follows it."""
    share = _ROOM_WITHOUT_LAMP + (1 - _ROOM_WITHOUT_LAMP) * min(brightness, 1.0)
    red, green, blue = lamp.room_rgb
    return replace(
        lamp,
        brightness=brightness,
        tint_rgb=lamp.tint_rgb if tint_rgb is None else tint_rgb,
        room_rgb=(red * share, green * share, blue * share),
    )
