"""Learning the colours: names by the best assignment, refusals with advice, margins between the colours."""

import dataclasses

import numpy as np
import pytest

from calibration import CalibrationRefused, Palette, learn_faces
from calibration.checks import Margin
from companion.vision.face import FaceReader
from tests.vision.die_faces import INKS, SHAPES, DrawnFace, Light, draw, six


def shuffled(seed: int) -> list[DrawnFace]:
    """Six faces in another order, any two of them on black bodies."""
    rng = np.random.default_rng(seed)
    faces = six()
    order = rng.permutation(6)
    blacks = set(rng.choice(6, 2, replace=False).tolist())
    return [
        dataclasses.replace(faces[place], body="black" if index in blacks else "white")
        for index, place in enumerate(order)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_any_order_and_any_two_black_bodies(seed: int) -> None:
    faces = shuffled(seed)
    lesson = learn_faces(*draw(faces, seed=seed))
    assert lesson.names == tuple(face.colour for face in faces)
    assert lesson.bodies == tuple(face.body for face in faces)
    assert [ink.name for ink in lesson.references.inks] == list(INKS)


@pytest.mark.parametrize(
    "light",
    [Light((0.60, 0.40, 0.24)), Light((0.35, 0.42, 0.52)), Light((0.12, 0.10, 0.08)), Light((0.9, 0.9, 0.9))],
    ids=["warm", "cool", "dim", "bright"],
)
def test_any_ordinary_light(light: Light) -> None:
    faces = shuffled(3)
    assert learn_faces(*draw(faces, light)).names == tuple(face.colour for face in faces)


def test_gloss_on_a_black_die_is_not_taken_for_its_colour() -> None:
    faces = [
        dataclasses.replace(face, veil=0.25 if face.body == "black" else 0.0) for face in six(blacks=(1, 5))
    ]
    lesson = learn_faces(*draw(faces))
    assert lesson.names == tuple(INKS)
    for ink in lesson.references.inks:
        assert ink.ratio == pytest.approx(INKS[ink.name], abs=0.12)


def test_references_are_the_inks_in_units_of_white() -> None:
    lesson = learn_faces(*draw(six()))
    for ink in lesson.references.inks:
        assert ink.ratio == pytest.approx(INKS[ink.name], abs=0.1)
    assert lesson.references.light == pytest.approx(Light().rgb, rel=0.1)
    assert lesson.references.corners_are_body


@pytest.mark.parametrize(
    ("sigmas", "sureness"), [(1.0, "narrow"), (2.9, "narrow"), (3.0, "fair"), (5.9, "fair"), (6.0, "wide")]
)
def test_how_sure_a_margin_is_has_a_word(sigmas: float, sureness: str) -> None:
    assert Margin("red", "orange", sigmas).sureness == sureness


def test_margins_name_the_nearest_colour_and_shrink_with_it() -> None:
    wide = {margin.colour: margin for margin in learn_faces(*draw(six())).margins}
    assert set(wide) == set(INKS)
    assert wide["red"].nearest == "orange"
    assert min(margin.sigmas for margin in wide.values()) > 3
    apart = {margin.colour: margin for margin in learn_faces(*draw(six(SHAPES))).margins}
    assert apart["red"].sigmas > wide["red"].sigmas


def test_a_die_under_a_veil_of_gloss_does_not_bring_its_colour_nearer_to_others() -> None:
    def of_blue(veil: float) -> float:
        faces = [
            dataclasses.replace(face, veil=veil if face.colour == "blue" else 0.0)
            for face in six(blacks=(4, 5))
        ]
        return {margin.colour: margin.sigmas for margin in learn_faces(*draw(faces)).margins}["blue"]

    assert of_blue(veil=0.5) == pytest.approx(of_blue(veil=0.0), rel=0.2)


@pytest.mark.parametrize("veiled", [("red", "orange"), tuple(INKS)], ids=["these two", "all six"])
def test_two_dice_under_veils_are_still_held_against_each_other(
    monkeypatch: pytest.MonkeyPatch, veiled: tuple[str, ...]
) -> None:
    faces = [
        dataclasses.replace(face, veil=0.5 if face.colour in veiled else 0.0) for face in six(blacks=(4, 5))
    ]
    lesson = learn_faces(*draw(faces), names=list(INKS))
    assert all(np.isfinite(margin.sigmas) for margin in lesson.margins)
    monkeypatch.setitem(INKS, "orange", INKS["red"])
    with pytest.raises(CalibrationRefused) as refused:
        learn_faces(*draw(faces), names=list(INKS))
    assert refused.value.code == "colours_too_close"


def test_names_that_a_person_gave_win() -> None:
    given = ["orange", "red", "yellow", "green", "blue", "purple"]
    lesson = learn_faces(*draw(six()), names=given)
    assert lesson.names == tuple(given)


def test_other_colours_by_a_palette_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(INKS, "purple", (0.75, 0.25, 0.40))
    palette = Palette.of(
        {
            "red": (200, 30, 40),
            "orange": (235, 115, 25),
            "yellow": (245, 205, 40),
            "green": (25, 140, 65),
            "blue": (25, 80, 180),
            "pink": (215, 130, 160),
        }
    )
    lesson = learn_faces(*draw(six()), palette=palette)
    assert lesson.names == ("red", "orange", "yellow", "green", "blue", "pink")


def refusal(*args: object, **more: object) -> CalibrationRefused:
    with pytest.raises(CalibrationRefused) as caught:
        learn_faces(*args, **more)  # type: ignore[arg-type]
    assert caught.value.sentence.endswith(".")
    assert str(caught.value) == caught.value.sentence
    return caught.value


@pytest.mark.parametrize("count", [0, 5])
def test_a_die_is_missing(count: int) -> None:
    frame, quads = draw(six())
    found = refusal(frame, quads[:count])
    assert found.code == "wrong_number_of_dice"
    assert f"shows {count} dice where 6" in found.sentence


def test_a_die_is_cut() -> None:
    frame, quads = draw(six())
    cut = [[(x - 45.0, y) for x, y in quads[0]], *quads[1:]]
    assert refusal(frame, cut).code == "cut_die"


@pytest.mark.parametrize(
    ("light", "code"),
    [
        (Light((0.012, 0.011, 0.010)), "too_dark"),
        (Light((0.2, 0.19, 0.17), noise_levels=45), "too_dark"),
        (Light((6.0, 6.0, 6.0)), "light_clips"),
        (Light((20.0, 20.0, 20.0)), "light_clips"),
        (Light(blur_px=5.0), "blurred"),
    ],
    ids=["dark", "noisy", "clipped", "all white", "blurred"],
)
def test_a_picture_that_is_not_good_enough(light: Light, code: str) -> None:
    assert refusal(*draw(six(SHAPES), light)).code == code


@pytest.mark.parametrize(
    "light", [Light((0.03, 0.03, 0.03), noise_levels=1), Light((4.0, 4.0, 4.0)), Light(blur_px=2.0)]
)
@pytest.mark.parametrize("names", [None, list(INKS)], ids=["named by itself", "names said"])
def test_a_picture_that_is_just_good_enough(light: Light, names: list[str] | None) -> None:
    assert learn_faces(*draw(six(SHAPES), light), names=names).names == tuple(INKS)


@pytest.mark.parametrize("glaring", INKS)
def test_one_die_that_is_all_glare_has_the_name_that_is_left(glaring: str) -> None:
    """Its reference then is what the palette knows of its colour, and its body what the others leave."""
    faces = [dataclasses.replace(face, veil=3.0 if face.colour == glaring else 0.0) for face in six()]
    lesson = learn_faces(*draw(faces))
    assert lesson.names == tuple(INKS)
    assert lesson.bodies == ("white",) * 4 + ("black",) * 2
    seen = FaceReader(lesson.references).read(*draw(six()))
    assert [naming.colour for naming in seen] == list(INKS)


def test_two_dice_that_are_all_glare_are_told() -> None:
    faces = [dataclasses.replace(face, veil=3.0 if number < 2 else 0.0) for number, face in enumerate(six())]
    assert refusal(*draw(faces)).code == "light_clips"


@pytest.mark.parametrize("blacks", [(), (5,), (1, 3, 5)])
def test_other_bodies_than_four_white_and_two_black(blacks: tuple[int, ...]) -> None:
    found = refusal(*draw(six(blacks=blacks)))
    assert found.code == "wrong_bodies"
    assert f"{6 - len(blacks)} white dice and {len(blacks)} black ones" in found.sentence


def test_channels_the_other_way_round() -> None:
    frame, quads = draw(six())
    assert refusal(np.ascontiguousarray(frame[..., ::-1]), quads).code == "channels_swapped"


def test_two_colours_too_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(INKS, "orange", tuple(1.02 * np.array(INKS["red"])))
    frame, quads = draw(six())
    found = refusal(frame, quads, names=list(INKS))
    assert found.code == "colours_too_close"
    assert "red" in found.sentence
    assert "orange" in found.sentence
    assert refusal(frame, quads).code in ("names_unclear", "colours_too_close")


@pytest.mark.parametrize(
    ("instead_of", "shown"),
    [("red", "orange"), ("orange", "red"), ("yellow", "green"), ("red", "blue"), ("purple", "green")],
)
def test_a_colour_shown_twice_is_told_first(instead_of: str, shown: str) -> None:
    """Also where the other order of the channels would explain the picture better than six names do."""
    faces = [
        dataclasses.replace(face, colour=shown if face.colour == instead_of else face.colour)
        for face in six()
    ]
    found = refusal(*draw(faces))
    assert found.code in ("names_unclear", "colours_too_close")
    assert found.sentence.startswith("Two dice seem to show ")
    assert shown in found.sentence
    assert found.sentence.index(" up") < found.sentence.index("light")


@pytest.mark.parametrize("names", [["red"] * 6, ["red", "orange", "yellow", "green", "blue"]])
def test_names_that_are_not_each_there_once(names: list[str]) -> None:
    assert refusal(*draw(six()), names=names).code == "names_not_all"


def test_a_channel_cut_off_at_black_is_known_to_lie_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vivid camera takes red's green channel below black: then the reference lies below it, too, and is not
    told less surely for it than one that was seen.
    """
    monkeypatch.setitem(INKS, "red", (0.75, -0.06, -0.06))
    cut = learn_faces(*draw(six())).references.inks[0]
    assert cut.name == "red"
    assert max(cut.ratio[1:]) < 0.005
    assert max(cut.spread[3], cut.spread[5]) < 0.03**2
