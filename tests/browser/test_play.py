"""A game by phone in a real browser: throws by hand, cards, taking, undo, another phone that follows."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from companion.game.deck import default_deck
from companion.table.intents import StartGame
from tests.browser.conftest import AtTable, OpenPhone, on_phone_and_tablet
from tests.browser.phones import LAPTOP, Phone
from tests.browser.prepared import begin, submit, take_left_cards

pytestmark = pytest.mark.browser


def named_cards(phone: Phone) -> None:
    phone.name_card("left", "full house")
    phone.name_card("middle", "four of a kind")
    phone.name_card("right", "large colour")


def usual_points(*sizes: int, named: int) -> int:
    """What most cards of the default deck are worth that have these groups, so many of a named colour."""
    worth = Counter(
        card.points
        for card in default_deck().cards
        if sorted(group.size for group in card.groups) == sorted(sizes)
        and sum(group.colour is not None for group in card.groups) == named
    )
    return worth.most_common(1)[0][0]


@on_phone_and_tablet
def test_two_turns_by_hand_while_another_phone_follows(open_phone: OpenPhone, at_table: AtTable) -> None:
    ana, ben = open_phone(), open_phone(viewport=LAPTOP)
    ana.start_game(["Ana", "Ben", "Chloé"], first="Ana")
    named_cards(ana)
    ben.sees("Throw all six dice")

    ana.enter_throw("rrrbgy")
    ben.sees("throw 1 of 3")
    ana.enter_throw("rbg", kept=(0, 1, 2), choose_kept=True)
    ben.sees("throw 2 of 3")
    ben.comes_to(lambda: ben.dice()[:3], ["white die, red, kept"] * 3)
    ben.tap("Take the card in the middle holder")
    ana.sees("Ana takes a card: four of a kind")
    ana.sees("to play")
    assert ana.page.get_by_role("heading", level=1).inner_text().startswith("Ben")

    game = at_table[0].snapshot().game
    assert game is not None
    assert [player.cards for player in game.players] == [1, 0, 0]


@on_phone_and_tablet
def test_a_change_asks_which_die_and_undo_brings_it_back(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0], ("Ben", "Ana"))
    phone = open_phone()
    phone.enter_throw("rrrygg")
    phone.sees("Both black dice are alike")
    phone.tap("Take the card in the middle holder with a change")
    phone.sheet.get_by_role("button", name="white die from yellow to red").click()
    phone.sees("Ben takes a card: four of a kind")
    undo = phone.page.get_by_role("button", name="Undo")
    assert "Ben’s card" in undo.inner_text()
    undo.click()
    phone.sees("Taken back: Ben’s card.")
    phone.sees("throw 1 of 3")
    phone.tap("Redo")
    phone.sees("Ana")
    phone.sees("Brought back: Ben’s card.")


@on_phone_and_tablet
def test_a_wrong_die_is_corrected_from_the_scoreboard(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0], letters="rrbbgy")
    phone = open_phone()
    phone.sees("throw 1 of 3")
    assert phone.page.get_by_role("button", name="Take the card").count() == 0
    phone.tap("white die, blue")
    phone.sheet.get_by_role("group", name="Colour").get_by_role("button", name="red").click()
    phone.tap("Correct it")
    phone.sees("Correction: Ana’s throw was 3 red")
    phone.comes_to(lambda: phone.dice()[:3], ["white die, red"] * 3)


@on_phone_and_tablet
def test_a_card_that_nobody_knows_is_made_from_its_parts(open_phone: OpenPhone, at_table: AtTable) -> None:
    submit(at_table[0], StartGame(("Ana", "Ben"), 0))
    phone = open_phone()
    phone.tap("Name the card in the right holder")
    phone.tap("full house")
    phone.tap("None of these")
    phone.tap("three of a kind")
    assert phone.sheet.locator("output[aria-live]").inner_text() == str(usual_points(3, named=0))
    phone.tap("full house")
    first = phone.sheet.get_by_role("group", name="Group of 3")
    first.get_by_role("button", name="blue").click()
    # It is worth at first what the deck's cards like it are.
    points = phone.sheet.locator("output[aria-live]")
    assert points.inner_text() == str(usual_points(3, 2, named=1))
    while int(points.inner_text()) < 3:
        phone.tap("More points")
    phone.tap("theft", exact=True)
    phone.tap("This is the card")
    phone.sees("New card in the right holder")
    card = at_table[0].snapshot().to_json()["game"]["holders"][2]["card"]
    assert card == {"groups": [[3, "blue"], [2, None]], "points": 3, "action": "theft"}


@on_phone_and_tablet
def test_theft_and_exchange_with_the_companion_drawing(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0])
    phone = open_phone()
    phone.enter_throw("rrrrgy")
    phone.tap("Take the card in the middle holder")
    for action in ("theft", "exchange"):
        phone.tap("Name the card in the middle holder")
        phone.tap("None of these")
        phone.tap(action, exact=True)
        phone.tap("This is the card")
        phone.sheet.wait_for(state="hidden")
        phone.enter_throw("rrrbgy")
        phone.tap("Take the card in the middle holder")
        phone.tap("Steal a card" if action == "theft" else "Exchange a card")
        phone.tap("Let the companion draw")
        if action == "exchange":
            phone.sees("Which of your cards does Ben get?")
            phone.sheet.get_by_role("button", name=re.compile("exchange")).click()
        phone.sheet.wait_for(state="hidden")
    # Ben stole Ana's only card; then Ana won another, and gave it for one of Ben's.
    hands = at_table[0].snapshot().to_json()["game"]["hands"]
    assert [len(hand) for hand in hands] == [1, 2]
    assert "exchange" in [card["action"] for card in hands[1]]


@on_phone_and_tablet
def test_to_the_end_and_once_more(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0], ("Ana", "Ben"))
    take_left_cards(at_table[0], 12)
    phone = open_phone()
    phone.name_card("left", "three of a kind")
    phone.enter_throw("rrrbgy")
    phone.tap("Take the card in the left holder")
    phone.tap("Ana may end the game now")
    phone.tap("End the game")
    phone.sees("Ana wins!")
    phone.tap("Play again")
    phone.sees("A game begins")


def test_a_stale_phone_is_told_and_shows_what_is_true(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0], letters="rrrrgy")
    ana, ben = open_phone(), open_phone()
    ben.sees("throw 1 of 3")
    # Ben's phone hears nothing of the take, as one does that just wakes.
    ben.context.set_offline(True)
    ana.tap("Take the card in the middle holder")
    ana.sees("Ana takes a card")
    ben.page.evaluate("window.stop()")
    ben.page.route("**/api/snapshot", lambda route: route.abort())
    ben.page.route("**/api/stream", lambda route: route.abort())
    ben.context.set_offline(False)
    ben.tap("Take the card in the middle holder")
    ben.sees("The table has moved on meanwhile")
    assert ben.page.get_by_role("heading", level=1).inner_text().startswith("Ben")
    game = at_table[0].snapshot().game
    assert game is not None
    assert [player.cards for player in game.players] == [1, 0]


def test_without_streams_a_phone_asks_now_and_then(open_phone: OpenPhone) -> None:
    ana, ben = open_phone(), open_phone()
    ben.page.route("**/api/stream", lambda route: route.abort())
    ben.page.reload(wait_until="load")
    ana.start_game(["Ana", "Ben"], first="Ana")
    ben.sees("to play")


def test_names_are_text_and_never_markup(open_phone: OpenPhone) -> None:
    phone = open_phone()
    phone.start_game(["<b>Ana</b>", "Ben & <img src=x>"], first="Ben")
    assert phone.page.get_by_role("heading", level=1).inner_text().startswith("Ben & <img src=x>")
    assert phone.page.locator("#table img, #table b").count() == 0


def test_names_are_remembered_for_the_next_game(open_phone: OpenPhone) -> None:
    phone = open_phone()
    phone.start_game(["Ana", "Ben"], first="Ana")
    phone.tap("More")
    phone.tap("Leave this game")
    phone.tap("Leave it")
    phone.sees("Who plays?")
    assert phone.page.get_by_role("textbox", name="Player 2").input_value() == "Ben"
