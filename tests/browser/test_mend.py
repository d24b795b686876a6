"""Mending in a real browser: doubtful readings, missed dice, two truths, a throw that waits for a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.table.ports import CameraFault, Frame
from tests.browser.conftest import AtTable, OpenPhone, on_phone_and_tablet
from tests.browser.phones import Phone
from tests.browser.prepared import CARDS, begin
from tests.browser.test_accessible import faults
from tests.web.table_at_hand import StillCamera, ToldReader

pytestmark = pytest.mark.browser

DICE = [*["white die, red"] * 3, "white die, blue", "black die, green", "black die, yellow"]
"""What six dice are called, each of them surely what it is."""


def begun(open_phone: OpenPhone, at_camera: AtTable, shapes: Sequence[Sequence[int]] = CARDS) -> Phone:
    begin(at_camera[0], shapes=shapes)
    phone = open_phone()
    phone.sees("to play")
    return phone


def count_taps(phone: Phone) -> None:
    """Let the page count from now on how often somebody taps it."""
    phone.page.evaluate("window.taps = 0; addEventListener('click', () => { taps += 1; }, true)")


def lying(at_table: AtTable) -> list[str]:
    game = at_table[0].snapshot().game
    assert game is not None
    assert game.dice is not None
    return [die.colour for die in game.dice]


@on_phone_and_tablet
def test_a_doubtful_die_is_mended_in_two_taps(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("rrrbgy", "colour_unsure", unsure=3)
    phone.tap("Read the dice")
    phone.sees("The colour of a die is not sure")
    count_taps(phone)
    phone.tap("Put the dice right")
    phone.sheet.get_by_role("group", name="The table as the camera saw it").wait_for()
    phone.tap("Not blue but purple")
    phone.sees("throw 1 of 3")
    assert phone.page.evaluate("taps") == 2
    assert lying(at_camera) == ["red", "red", "red", "purple", "green", "yellow"]


def test_a_misread_that_counted_is_corrected_in_its_picture(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("rrrbgy", unsure=3)
    phone.tap("Read the dice")
    phone.sees("throw 1 of 3")
    count_taps(phone)
    phone.tap("white die, blue")
    phone.sheet.get_by_role("group", name="The table as the camera saw it").wait_for()
    phone.tap("Not blue but purple")
    phone.sees("Correction: Ana’s throw was")
    assert phone.page.evaluate("taps") == 2
    assert lying(at_camera)[3] == "purple"


def about_to_correct(camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader) -> Phone:
    """A phone with a throw that counted, whose blue die was tapped."""
    phone = begun(camera_phone, at_camera)
    reader.tell("rrrbgy")
    phone.tap("Read the dice")
    phone.sees("throw 1 of 3")
    phone.tap("white die, blue")
    return phone


def test_a_throw_is_corrected_only_where_something_differs(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = about_to_correct(camera_phone, at_camera, reader)
    correct = phone.sheet.get_by_role("button", name="Correct it")
    assert correct.is_disabled()
    colours = phone.sheet.get_by_role("group", name="Colour")
    colours.get_by_role("button", name="green").click()
    assert correct.is_enabled()
    colours.get_by_role("button", name="blue").click()
    assert correct.is_disabled()


def test_why_nothing_can_be_corrected_yet_is_said_above_the_button(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = about_to_correct(camera_phone, at_camera, reader)
    correct = phone.sheet.get_by_role("button", name="Correct it")
    reason = phone.sheet.get_by_text("Nothing is changed yet.")
    reason.wait_for()
    assert correct.get_attribute("aria-describedby") == reason.get_attribute("id")
    reason_box, button_box = reason.bounding_box(), correct.bounding_box()
    assert reason_box is not None
    assert button_box is not None
    assert 0 <= button_box["y"] - reason_box["y"] - reason_box["height"] < 12, "just above, and not covered"
    green = phone.sheet.get_by_role("group", name="Colour").get_by_role("button", name="green")
    before = green.bounding_box()
    green.click()
    reason.wait_for(state="hidden")
    assert correct.get_attribute("aria-describedby") is None
    after = green.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] == before["y"], "nothing moves away under the finger"


def test_for_a_kept_die_of_a_throw_no_guess_is_offered_and_a_refusal_says_what_to_do(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    for kept in ((), (0, 3)):
        reader.tell("rrrbgy" if not kept else "ryybgo", unsure=3, kept=kept)
        phone.tap("Read the dice")
        phone.sees(f"throw {2 if kept else 1} of 3")
    phone.tap("white die, blue, kept")
    phone.sheet.get_by_role("button", name="Correct it").wait_for()
    assert phone.sheet.get_by_role("button", name="Not blue").count() == 0
    phone.sheet.get_by_role("group", name="Colour").get_by_role("button", name="purple").click()
    phone.tap("Correct it")
    phone.sees("undo back to that throw and correct it there")
    note, body = phone.sheet.get_by_role("alert"), phone.sheet.locator(".picture")
    ends = [place.evaluate("e => e.getBoundingClientRect().right") for place in (note, body)]
    assert ends[0] == pytest.approx(ends[1], abs=1), "the note ends where the column does"


def test_a_camera_that_is_gone_is_told_once(
    camera_phone: OpenPhone, at_camera: AtTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: StillCamera) -> Frame:
        raise CameraFault("camera_gone", "The camera does not answer; check its cable.")

    phone = begun(camera_phone, at_camera)
    monkeypatch.setattr(StillCamera, "capture", gone)
    phone.tap("Read the dice")
    phone.sees("Please have a look")
    phone.sees("The camera does not work")
    shown = phone.page.locator("#play")
    assert shown.get_by_text("check its cable").count() == 1
    assert shown.get_by_role("button", name="Enter the throw by hand").count() == 1
    phone.tap("Forget this reading")
    phone.sees_no("Please have a look")
    assert shown.get_by_text("check its cable").count() == 1
    assert shown.get_by_role("button", name="Enter the throw by hand").count() == 1


RINGED = """all => all.filter((die) => getComputedStyle(die).boxShadow !== "none")
  .map((die) => die.getAttribute("aria-label"))"""


def test_only_dice_that_are_in_doubt_are_marked_where_some_are(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    dice = phone.page.locator(".dice-area button.die")
    for problems, sentence, ringed in (
        (("colour_unsure",), "The colour of a die is not sure", ["white die, blue, not sure"]),
        (("colour_unsure", "leaning_die"), "A die leans", ["white die, blue, seems to lean"]),
        ((), "A hand is in the picture", DICE),
    ):
        reader.tell("rrrbgy", *(problems or ("hand_in_view",)))
        told = list(reader.reading.dice)
        told[3] = replace(told[3], problems=problems)
        reader.reading = replace(reader.reading, dice=tuple(told))
        phone.tap("Read the dice" if problems == ("colour_unsure",) else "Read again")
        phone.sees(sentence)
        phone.comes_to(lambda: dice.evaluate_all(RINGED), ringed)
        assert faults(phone.page) == []


def test_of_a_die_that_only_leans_no_other_colour_is_offered(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("rrrbgy", "leaning_die")
    told = list(reader.reading.dice)
    told[3] = replace(told[3], problems=("leaning_die",))
    reader.reading = replace(reader.reading, dice=tuple(told))
    phone.tap("Read the dice")
    phone.tap("Put the dice right")
    phone.sheet.get_by_role("button", name="This is the throw").wait_for()
    assert phone.sheet.get_by_role("button", name="Not blue").count() == 0


@on_phone_and_tablet
def test_a_die_that_was_missed_is_added(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("rrrbg", "too_few_dice")
    phone.tap("Read the dice")
    phone.sees("Look in the tower")
    phone.tap("Put the dice right")
    use = phone.sheet.get_by_role("button", name="This is the throw")
    assert use.is_disabled()
    # None of the five is at fault: what is to be done is to add one, and that is in sight.
    assert phone.sheet.get_by_role("group", name="Colour").count() == 0
    add, lies_over = phone.sheet.get_by_role("button", name="Add a die").bounding_box(), use.bounding_box()
    assert add is not None
    assert lies_over is not None
    assert add["y"] + add["height"] <= lies_over["y"]
    phone.tap("Add a die")
    phone.sheet.get_by_role("group", name="Colour").get_by_role("button", name="yellow").click()
    phone.tap("This is the throw")
    phone.sees("throw 1 of 3")
    assert lying(at_camera)[-1] == "yellow"


@on_phone_and_tablet
def test_a_die_in_the_picture_can_be_tapped(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("rrrrbg", "colour_unsure", unsure=0)
    phone.tap("Read the dice")
    phone.tap("Put the dice right")
    picture = phone.sheet.get_by_role("group", name="The table as the camera saw it")
    picture.get_by_role("button", name="black die, green").click()
    phone.sheet.get_by_role("group", name="Colour").get_by_role("button", name="orange").click()
    phone.tap("This is the throw")
    phone.sees("throw 1 of 3")
    assert lying(at_camera) == ["red", "red", "red", "red", "blue", "orange"]


def test_a_die_in_the_picture_is_reached_by_keyboard(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("rrrrbg", "colour_unsure", unsure=0)
    phone.tap("Read the dice")
    phone.tap("Put the dice right")
    picture = phone.sheet.get_by_role("group", name="The table as the camera saw it")
    picture.get_by_role("button", name="white die, red").first.focus()
    for _ in range(5):
        phone.page.keyboard.press("Tab")
    phone.page.keyboard.press("Enter")
    chosen = picture.get_by_role("button", name="black die, green", pressed=True)
    chosen.wait_for()
    assert chosen.evaluate("die => die === document.activeElement"), "the focus stays where it was"
    phone.sheet.get_by_role("group", name="Colour").get_by_role("button", name="orange").click()
    phone.tap("This is the throw")
    phone.sees("throw 1 of 3")
    assert lying(at_camera)[5] == "orange"


@on_phone_and_tablet
def test_a_kept_die_that_differs_offers_both_truths(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("rrybgp")
    phone.tap("Read the dice")
    phone.sees("throw 1 of 3")
    reader.tell("rrobgy", kept=(0, 1, 2))
    phone.tap("Read the dice")
    phone.sees("A kept white die shows orange")
    phone.page.get_by_role("button", name="It was orange already before").click()
    phone.sees("throw 2 of 3")
    assert lying(at_camera)[:3] == ["red", "red", "orange"]
    phone.sees("Correction: Ana’s throw was")


@on_phone_and_tablet
def test_a_throw_waits_until_the_card_is_named(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera, CARDS[:1])
    other = camera_phone(locale="fr-FR")
    reader.tell("rrrrgy")
    phone.tap("Read the dice")
    phone.sees("It counts as soon as the 2 new cards are named")
    other.sees("Il comptera dès que les 2 nouvelles cartes seront nommées")
    phone.name_card("middle", "four of a kind")
    phone.sees("It counts as soon as the new card is named")
    other.sees("Il comptera dès que la nouvelle carte sera nommée")
    phone.name_card("right", "large colour")
    phone.sees("throw 1 of 3")
    other.page.get_by_role("button", name="Prendre la carte du support du milieu").wait_for()


def test_a_reading_can_be_forgotten_and_typed_instead(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("", "hand_in_view")
    phone.tap("Read the dice")
    phone.sees("A hand is in the picture")
    phone.tap("Forget this reading")
    phone.tap("Enter the throw by hand")
    for colour in ("red", "red", "blue", "blue", "green", "green"):
        phone.sheet.get_by_role("group", name="Colour").get_by_role("button", name=colour).click()
    phone.tap("This is the throw")
    phone.sees("Both black dice are alike")
    assert lying(at_camera)[4:] == ["green", "green"]


def test_hold_on_the_phone_takes_the_only_card(
    camera_phone: OpenPhone, at_camera: AtTable, reader: ToldReader
) -> None:
    phone = begun(camera_phone, at_camera)
    reader.tell("rrrrgy")
    phone.tap("Read the dice")
    phone.sees("throw 1 of 3")
    phone.tap("More")
    phone.tap("Hold", exact=True)
    phone.sees("Ana takes a card")
