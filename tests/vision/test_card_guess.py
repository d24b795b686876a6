"""First guesses: dice drawn on a face, counted, named and put in groups; points as is usual."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.game.cards import Card, Group
from companion.game.dice import DEFAULT_COLOURS
from companion.vision.card_guess import CardGuesser, DrawnDie, groups_of
from companion.vision.card_look import FACE_SIZE_PX
from companion.vision.card_value import usual_points
from companion.vision.colour import linear_from_srgb
from companion.vision.face import FaceReferences, InkReference

# Linear light of inks in units of white, told here and not taken from the product's own drawings.
INKS = {
    "red": (0.62, 0.02, 0.03),
    "orange": (0.95, 0.25, 0.02),
    "yellow": (1.0, 0.75, 0.03),
    "green": (0.02, 0.35, 0.08),
    "blue": (0.02, 0.12, 0.6),
    "purple": (0.22, 0.04, 0.38),
}
SPREAD = (1e-3, 0.0, 0.0, 1e-3, 0.0, 1e-3)
BLANK = ("0" * 20,) * 20


def guesser() -> CardGuesser:
    inks = tuple(InkReference(name, ratio, SPREAD, BLANK) for name, ratio in INKS.items())
    return CardGuesser(FaceReferences(inks, (0.6, 0.6, 0.6), (0.02, 0.02, 0.02), corners_are_body=True))


def levels(light_rgb: npt.ArrayLike) -> tuple[int, int, int]:
    light = np.clip(np.asarray(light_rgb, np.float64), 0, 1)
    red, green, blue = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055) * 255
    return round(blue), round(green), round(red)


def face(
    rows: list[list[str | None]], shape: str = "disc", side_mm: float = 9.0, white: float = 0.55
) -> npt.NDArray[np.uint8]:
    """A face with dice in rows; None is a wheel of all six colours."""
    large = np.full((FACE_SIZE_PX[1] * 4, FACE_SIZE_PX[0] * 4, 3), levels([white] * 3), np.uint8)
    scale = 8.0
    for number, row in enumerate(rows):
        y = 44 + (number - (len(rows) - 1) / 2) * (side_mm + 3)
        for place, colour in enumerate(row):
            x = 31.5 + (place - (len(row) - 1) / 2) * (side_mm + 2.5)
            _draw(large, x * scale, y * scale, side_mm * scale, colour, shape, white)
    cv2.putText(large, "4", (40, 110), cv2.FONT_HERSHEY_SIMPLEX, 3, levels([0.02] * 3), 10, cv2.LINE_AA)
    cv2.putText(large, "THEFT", (200, 660), cv2.FONT_HERSHEY_SIMPLEX, 1.6, levels([0.02] * 3), 5, cv2.LINE_AA)
    small = cv2.resize(large, FACE_SIZE_PX, interpolation=cv2.INTER_AREA)
    noisy = cv2.GaussianBlur(small, (0, 0), 0.8) + np.random.default_rng(3).normal(0, 1.5, small.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)


def _draw(
    canvas: npt.NDArray[np.uint8],
    x: float,
    y: float,
    side: float,
    colour: str | None,
    shape: str,
    white: float,
) -> None:
    middle, half = (round(x), round(y)), round(side / 2)
    if colour is None:
        for index, ink in enumerate(INKS.values()):
            paint = levels(np.array(ink) * white)
            cv2.ellipse(canvas, middle, (half, half), 0, 60 * index, 60 * index + 60, paint, -1, cv2.LINE_AA)
        return
    paint = levels(np.array(INKS[colour]) * white)
    if shape == "disc":
        cv2.circle(canvas, middle, half, paint, -1, cv2.LINE_AA)
    else:
        low, high = (middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half)
        cv2.rectangle(canvas, low, high, paint, -1)
        cv2.circle(canvas, middle, half // 2, levels([white] * 3), -1, cv2.LINE_AA)


@pytest.mark.parametrize("shape", ["disc", "square_with_a_hole"])
@pytest.mark.parametrize("white", [0.2, 0.55])
@pytest.mark.parametrize(
    ("rows", "groups"),
    [
        ([["red"] * 3], ((3, "red"),)),
        ([["orange"] * 3], ((3, "orange"),)),
        ([[None] * 3, [None] * 2], ((3, None), (2, None))),
        ([["blue"] * 4, ["yellow"] * 2], ((4, "blue"), (2, "yellow"))),
        ([["green"] * 2, ["purple"] * 2, ["red"] * 2], ((2, "green"), (2, "purple"), (2, "red"))),
        ([["purple"] * 3, [None] * 2], ((3, "purple"), (2, None))),
        ([["yellow"] * 3, ["yellow"] * 2], ((5, "yellow"),)),
        ([["red", "red", "red", "blue", "blue"]], ((3, "red"), (2, "blue"))),
    ],
)
def test_dice_are_counted_and_named(
    rows: list[list[str | None]], groups: tuple[tuple[int, str | None], ...], shape: str, white: float
) -> None:
    side = 6.5 if max(map(len, rows)) > 4 else 9.0
    card = guesser().guess(face(rows, shape, side, white))
    assert card is not None
    assert card.groups == tuple(Group(size, colour) for size, colour in groups)


def test_a_face_without_dice_gives_no_guess() -> None:
    assert guesser().guess(face([])) is None


@pytest.mark.parametrize("colour", DEFAULT_COLOURS)
def test_a_veil_of_gloss_does_not_change_the_colour(colour: str) -> None:
    light = linear_from_srgb(face([[colour] * 3]))
    veil = np.linspace(0.06, 0.14, light.shape[0])[:, None, None]
    glossy = np.clip(light + veil, 0, 1)
    shown = np.where(glossy <= 0.0031308, 12.92 * glossy, 1.055 * glossy ** (1 / 2.4) - 0.055) * 255
    card = guesser().guess(np.asarray(np.rint(shown), np.uint8))
    assert card is not None
    assert card.groups == (Group(3, colour),)


def test_a_wide_gap_in_a_row_ends_a_free_group() -> None:
    places = [(5.0, None), (13.0, None), (21.0, None), (37.0, None), (45.0, None)]
    dice = [DrawnDie(x, 40.0, 6.0, colour) for x, colour in places]
    assert groups_of(dice) == (Group(3), Group(2))


def test_points_are_those_of_this_deck_where_it_has_such_a_card() -> None:
    groups = (Group(4),)
    assert usual_points(groups) == 2  # rule 1.3: four of a kind in any colour
    assert usual_points((Group(5),)) == 3
    assert usual_points(groups, [Card((Group(4),), 5), Card((Group(4, "red"),), 9)]) == 5
    assert usual_points((Group(1, "red"), Group(1), Group(4))) >= 1


def test_the_colours_of_the_test_are_the_usual_ones() -> None:
    assert tuple(INKS) == DEFAULT_COLOURS
    assert linear_from_srgb(levels(INKS["red"])[::-1])[0] == pytest.approx(0.62, abs=0.01)
