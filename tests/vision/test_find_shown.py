"""What a shadow or a blurred corner shows is floor; what a die shows is not, even in gloom."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.vision.find_plan import Plan
from companion.vision.find_scene import Scene
from companion.vision.find_sheet import make_sheet
from companion.vision.find_shown import is_shown, unlike_floor
from companion.vision.geometry import Zones, floors, focal_px

Bytes = npt.NDArray[np.uint8]

SIZE_PX = (500, 400)
ZONES = Zones.from_dict(
    {
        "size": SIZE_PX,
        "track": [[30, 50], [470, 50], [470, 350], [30, 350]],
        "track_mm": [220, 150],
        "die_mm": 16,
    }
)
PLACE = np.array([[110.0, 75.0, 0.3]])


def floor_picture(level: float, seed: int = 1) -> Bytes:
    """A reddish floor with grain, brightest channel `level`."""
    grain = np.random.default_rng(seed).normal(0, 2, (SIZE_PX[1], SIZE_PX[0], 3))
    return np.clip(np.array([0.3, 0.4, 1.0]) * level + grain, 0, 255).astype(np.uint8)


def scene_of(picture: Bytes, empty: Bytes) -> Scene:
    plan = Plan.prepare(floors(ZONES, focal_px(ZONES)), {"track": 4.0}, 40, 16.0, empty, np.eye(3))
    return make_sheet([picture], plan, np.eye(3)).scenes()[0]


def unlike(picture: Bytes, empty: Bytes) -> float:
    return float(unlike_floor(scene_of(picture, empty), PLACE)[0])


def painted(picture: Bytes, bgr: tuple[int, int, int], die_mm: float = 16) -> Bytes:
    """The picture with a square of this colour where `PLACE` is."""
    view = scene_of(picture, picture).view
    half = die_mm / 2
    cos, sin = np.cos(PLACE[0, 2]), np.sin(PLACE[0, 2])
    mm = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) @ [[cos, sin], [-sin, cos]]
    corners = view.mm_to_view(mm + PLACE[0, :2])
    px = np.hstack([corners, np.ones((4, 1))]) @ view.to_px.T
    changed = picture.copy()
    cv2.fillConvexPoly(changed, np.rint(px[:, :2] / px[:, 2:]).astype(np.int32), bgr)
    return changed


def test_the_same_floor_is_floor_in_any_light() -> None:
    empty = floor_picture(120)
    for level in (40, 80, 120, 130):
        assert unlike(floor_picture(level, 2), empty) < 1.2


def test_a_shadow_is_floor() -> None:
    empty = floor_picture(120)
    for depth in (0.2, 0.5, 0.8):
        shadow = tuple(int(value * depth) for value in (36, 48, 120))
        assert unlike(painted(floor_picture(120, 2), (shadow[0], shadow[1], shadow[2])), empty) < 1.2


@pytest.mark.parametrize("bgr", [(200, 200, 200), (90, 90, 90), (25, 25, 25), (130, 40, 20)])
def test_a_die_is_none(bgr: tuple[int, int, int]) -> None:
    empty = floor_picture(120)
    assert unlike(painted(floor_picture(120, 2), bgr), empty) > 2.4


def test_the_symbol_alone_tells_a_die_whose_body_is_like_the_floor() -> None:
    empty = floor_picture(120)
    assert unlike(painted(floor_picture(120, 2), (120, 60, 20), die_mm=8), empty) > 2.4


def test_a_faint_one_counts_only_where_nothing_is_plainer() -> None:
    empty = floor_picture(60)
    picture = painted(floor_picture(60, 2), (24, 26, 56))
    scene = scene_of(picture, empty)
    faint = float(unlike_floor(scene, PLACE)[0])
    assert 1.2 < faint < 2.4
    assert is_shown(scene, PLACE).tolist() == [True]
    beside = painted(floor_picture(60, 2), (230, 230, 230))
    plain = scene_of(beside, empty)
    elsewhere = np.array([[40.0, 40.0, 0.0]])
    assert is_shown(plain, np.vstack([PLACE, elsewhere])).tolist() == [True, False]


def test_no_places_give_no_answers() -> None:
    scene = scene_of(floor_picture(60), floor_picture(60))
    assert len(is_shown(scene, np.empty((0, 3)))) == 0
