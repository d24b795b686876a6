"""What is kept of an ink for each veil that may have lain on the face it was learned from."""

import dataclasses

import numpy as np
import pytest

from calibration import learn_faces
from companion.vision.face import FaceReferences, InkReference
from companion.vision.face_light import VEILS, LightSpread
from tests.vision.die_faces import INKS, DrawnFace, draw, six

VEIL = 0.25


def learned(faces: list[DrawnFace]) -> dict[str, InkReference]:
    return {ink.name: ink for ink in learn_faces(*draw(faces)).references.inks}


def likely_veil(ink: InkReference) -> float:
    """By the face alone, each veil being as usual as the next."""
    likely = np.array(ink.by_veil)[:, 0]
    weight = np.exp(likely - likely.max()) * np.gradient(VEILS)
    return float(weight @ VEILS / weight.sum())


def test_the_face_of_a_black_die_tells_how_much_veil_lay_on_it() -> None:
    black = six(blacks=(1, 5))
    veiled = [dataclasses.replace(face, veil=VEIL if face.body == "black" else 0.0) for face in black]
    clear_inks, veiled_inks = learned(black), learned(veiled)
    for face in black:
        if face.body == "black":
            assert likely_veil(clear_inks[face.colour]) < 0.06
            assert likely_veil(veiled_inks[face.colour]) == pytest.approx(VEIL, abs=0.08)


def test_of_what_was_seen_the_more_is_veil_the_less_is_ink() -> None:
    for ink in learned(six(blacks=(1, 5))).values():
        seen = np.array(ink.by_veil)
        tried = np.flatnonzero(seen[:, 0] > -10)
        darkest = seen[tried, 1:4].min(axis=1)
        assert (np.diff(darkest) < 0.005).all(), ink.name


def test_what_is_known_of_an_ink_is_what_its_veils_leave_by_how_likely_and_usual_they_are() -> None:
    spread = LightSpread()
    for ink in learned(six(blacks=(1, 5))).values():
        each = np.array(ink.by_veil)
        weight = np.exp(each[:, 0]) * (1 + VEILS / spread.veil) ** -spread.veil_tail
        assert weight @ each[:, 1:4] / weight.sum() == pytest.approx(np.array(ink.ratio), abs=0.002)


def test_where_each_face_lay_is_kept_in_widths_of_a_die() -> None:
    frame, quads = draw(six())
    places = {ink.name: ink.place for ink in learn_faces(frame, quads).references.inks}
    for number, name in enumerate(INKS):
        assert places[name] == pytest.approx((2.0 * number + 1, 1.0), abs=0.02)


def test_a_die_that_is_all_glare_tells_of_no_veil() -> None:
    faces = six()
    faces[5] = dataclasses.replace(faces[5], veil=3.0)
    purple = learned(faces)["purple"]
    assert {row[0] for row in purple.by_veil} == {0.0}


def test_where_a_person_names_dice_otherwise_than_they_look_no_veil_is_kept() -> None:
    """A veil may be what makes a wrong name fit, and would be told to all dice."""
    assert learn_faces(*draw(six()), names=list(INKS)).references == learn_faces(*draw(six())).references
    swapped = ["orange", "red", "yellow", "green", "blue", "purple"]
    references = learn_faces(*draw(six()), names=swapped).references
    assert all(ink.by_veil == () for ink in references.inks)
    assert references.surfaces().learned is None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e200, "x"])
@pytest.mark.parametrize("field", ["ratio", "spread", "place", "likely", "ink", "covariance"])
def test_what_is_no_number_of_an_ink_is_damage(field: str, value: object) -> None:
    data = learn_faces(*draw(six())).references.to_dict()
    inks = data["inks"]
    assert isinstance(inks, list)
    row = inks[2]["by_veil"][3]
    where = {"likely": (row, 0), "ink": (row, 2), "covariance": (row, 5)}
    numbers, place = where.get(field) or (inks[2][field], 0)
    numbers[place] = value
    with pytest.raises((ValueError, TypeError)):
        FaceReferences.from_dict(data)


def test_a_spread_that_is_none_is_damage() -> None:
    data = learn_faces(*draw(six())).references.to_dict()
    inks = data["inks"]
    assert isinstance(inks, list)
    inks[0]["by_veil"][0][4:] = [0.01, 0.5, 0.0, 0.01, 0.0, 0.01]
    with pytest.raises(ValueError, match="covariance"):
        FaceReferences.from_dict(data)


def test_veils_are_told_of_all_inks_or_of_none() -> None:
    data = learn_faces(*draw(six())).references.to_dict()
    inks = data["inks"]
    assert isinstance(inks, list)
    inks[0]["by_veil"] = []
    with pytest.raises(ValueError, match="some inks only"):
        FaceReferences.from_dict(data)
