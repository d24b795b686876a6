"""Single throws of many tables, each taken as a first throw: the right LEDs, or a reason why it waits."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from calibration import CalibrationRefused
from companion.game.course import Course
from companion.game.dice import DEFAULT_COLOURS, Body, Die
from companion.game.events import Reveal, Start, Throw
from companion.game.judge import Light, lights
from companion.game.record import card_from_json
from companion.table import intents
from companion.table.phase import Phase
from companion.table.ports import LedPattern
from tests.evening.table_of_pictures import TableOfPictures, counted, profile_of, truth_of

TABLES = [f"table{number:02}" for number in range(14)]
PATTERNS = {Light.YES: LedPattern.STEADY, Light.CHANGE: LedPattern.SLOW_BLINK, None: LedPattern.OFF}
DOUBTED_FRAC_BUDGET = 0.20
"""How many of the good pictures of all tables together may wait for a person; to be lowered to 0.05."""


@dataclass(frozen=True, slots=True)
class Found:
    """What became of one picture of a table."""

    picture: str
    good: bool
    outcome: str
    """right, wrong, doubted, or the calibration refused."""


def judged_on_truth(cards: list[object], dice: tuple[Die, ...]) -> tuple[LedPattern, ...]:
    """Return what the LEDs show for these dice as a first throw."""
    course = Course().do(Start(("Ana", "Ben"), 0))
    for holder, card in enumerate(cards):
        course = course.do(Reveal(holder, card_from_json(card, DEFAULT_COLOURS)))
    state = course.do(Throw(dice)).state
    assert state is not None
    return tuple(PATTERNS[light] for light in lights(state))


def found_on(folder: Path, place: Path) -> list[Found]:
    """Take each picture of a table as a first throw."""
    truth = truth_of(folder)
    pictures = [picture for picture in truth["pictures"] if picture["kind"] not in ("empty", "colours")]
    try:
        profile = profile_of(folder)
    except CalibrationRefused as refused:
        print(f"{folder.name}: calibration refused: {refused}")
        return [Found(f"{folder.name}/{picture['file']}", True, "refused") for picture in pictures]
    found = []
    with TableOfPictures(profile, place, first_throws=True) as table:
        table.taps(intents.StartGame(("Ana", "Ben"), 0))
        for holder, card in enumerate(truth["cards"]):
            table.taps(intents.NameCard(holder, card_from_json(card, DEFAULT_COLOURS)))
        for picture in pictures:
            dice = tuple(Die(Body(die["body"]), die["colour"]) for die in picture["dice"])
            good = picture["kind"] in ("throw", "drift") and not any(die["cut"] for die in picture["dice"])
            shown = table.drops(folder / picture["file"])
            name = f"{folder.name}/{picture['file']}"
            if shown.phase == Phase.DOUBT:
                assert shown.reading is not None
                assert shown.reading.sentence
                assert set(shown.leds) == {LedPattern.LOOK_AT_PHONE}
                found.append(Found(name, good, "doubted"))
                continue
            assert shown.game is not None
            read = shown.game.dice or ()
            right = counted(replace(die, kept=False) for die in read) == counted(dice)
            if right:
                assert table.leds.patterns == judged_on_truth(truth["cards"], dice)
            found.append(Found(name, good, "right" if right else "wrong"))
    return found


def test_each_picture_lights_the_right_leds_or_waits_with_a_reason(shared_data: Path, tmp_path: Path) -> None:
    found: list[Found] = []
    for name in TABLES:
        place = tmp_path / name
        place.mkdir()
        found += found_on(shared_data / "tables" / name, place)
    for picture in found:
        if picture.outcome != "right" and (picture.good or picture.outcome == "wrong"):
            print(f"{picture.picture}: {picture.outcome}")
    good = Counter(picture.outcome for picture in found if picture.good)
    others = Counter(picture.outcome for picture in found if not picture.good)
    print(f"good pictures: {dict(good)}; others: {dict(others)}")
    assert good["wrong"] == others["wrong"] == 0
    assert good["refused"] == others["refused"] == 0
    assert good["doubted"] <= DOUBTED_FRAC_BUDGET * good.total()


@pytest.mark.parametrize("kind", ["cocked", "missing"])
def test_pictures_that_must_not_be_trusted_are_there(shared_data: Path, kind: str) -> None:
    kinds = {
        picture["kind"] for name in TABLES for picture in truth_of(shared_data / "tables" / name)["pictures"]
    }
    assert kind in kinds
