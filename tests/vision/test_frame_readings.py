"""Every fixture picture is read as it should be: near misses right and trusted, problems told and doubted."""

import math

import pytest

from companion.vision.read import read_picture
from tests.vision.frame_fixtures import Fixture, fixtures, load, profile_of

DOUBTED = [fixture for fixture in fixtures() if fixture.problems]
RIGHT = [fixture for fixture in fixtures() if not fixture.problems]


@pytest.mark.parametrize("fixture", RIGHT, ids=str)
def test_a_picture_without_a_problem_is_read_right_and_trusted(fixture: Fixture) -> None:
    reading = read_picture(load(fixture.path), profile_of(fixture.table))
    seen = sorted((die.body, die.colour, die.zone) for die in reading.dice)
    assert seen == sorted((die["body"], die["colour"], die["zone"]) for die in fixture.dice)
    assert reading.problems == ()
    assert reading.trusted
    for die in fixture.dice:
        assert min(math.dist(die["centre_px"], one.centre_px) for one in reading.dice) < 6


@pytest.mark.parametrize("fixture", DOUBTED, ids=str)
def test_a_problem_is_told_and_the_picture_is_not_trusted(fixture: Fixture) -> None:
    reading = read_picture(load(fixture.path), profile_of(fixture.table))
    assert set(fixture.problems) <= set(reading.problems)
    assert not reading.trusted
