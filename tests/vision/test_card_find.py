"""Finding a card in its holder: where it is, however it lies, and that nothing is found where nothing is."""

import numpy as np
import pytest

from companion.vision.card_find import find_card
from companion.vision.card_view import CARD_MM, holder_to_px, rectified
from companion.vision.geometry import apply
from tests.vision.card_scenes import FOUR_TWO, HOLDERS, PAIRS, Lying, Seen, picture


@pytest.mark.parametrize(
    ("shift_mm", "turn_deg"),
    [((0, 0), 0), ((2.5, -1.5), 1.5), ((-2.0, 3.0), -3.0), ((1.0, 1.0), 5.0), ((3.0, -3.0), -2.0)],
)
def test_the_corners_are_found_to_half_a_millimetre(shift_mm: tuple[float, float], turn_deg: float) -> None:
    frame = picture((None, Lying(FOUR_TWO, shift_mm, turn_deg), None))
    place = find_card(frame, HOLDERS[1])
    assert place is not None
    assert place.is_whole
    turn = np.radians(turn_deg)
    middle = np.array(CARD_MM) / 2
    corners = np.array([(0, 0), (63, 0), (63, 88), (0, 88)]) - middle
    true = (
        corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + middle + shift_mm
    )
    to_mm = np.asarray(np.linalg.inv(holder_to_px(HOLDERS[1])), np.float64)
    found = apply(to_mm, place.corners_px)
    assert np.abs(found - true).max() < 0.5


def test_an_empty_holder_has_no_card() -> None:
    frame = picture((PAIRS, None, PAIRS))
    assert find_card(frame, HOLDERS[1]) is None
    assert find_card(frame, HOLDERS[0]) is not None


@pytest.mark.parametrize(
    "seen", [Seen((0.3, 0.3, 0.3)), Seen((0.5, 0.8, 1.1)), Seen(blur_px=1.8), Seen(noise=5.0)]
)
def test_other_light_blur_and_noise_do_not_hide_it(seen: Seen) -> None:
    place = find_card(picture((None, Lying(PAIRS, (1.0, -2.0), 2.0), None), seen), HOLDERS[1])
    assert place is not None
    assert place.is_whole


@pytest.mark.parametrize("scale", [0.5, 1, 2, 3])
def test_a_rectified_view_shows_the_same_whatever_the_resolution(scale: float) -> None:
    ramp = np.zeros((600, 800, 3), np.uint8)
    ramp[:, :, 0] = np.linspace(0, 255, 800)
    ramp[:, :, 1] = np.linspace(0, 255, 600)[:, None]
    quad = (
        (100.0, 100.0),
        (100 + 126 * scale, 100.0),
        (100 + 126 * scale, 100 + 176 * scale),
        (100.0, 100 + 176 * scale),
    )
    view = rectified(ramp, holder_to_px(quad), CARD_MM, 2)
    assert view.shape == (176, 126, 3)
    assert abs(int(view[88, 63, 0]) - (100 + 63 * scale) / 800 * 255) < 2
    assert abs(int(view[88, 63, 1]) - (100 + 88 * scale) / 600 * 255) < 2
