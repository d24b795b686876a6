"""The coach on a phone: off at first, switched on there alone, advice on dice and cards, remembered there."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPhone
from tests.browser.phones import Phone
from tests.browser.test_play import named_cards

pytestmark = pytest.mark.browser


def switch(phone: Phone) -> None:
    phone.tap("More")
    phone.sheet.get_by_role("switch", name="Coach on this phone").click()
    phone.tap("Close")


def advised(phone: Phone) -> list[str]:
    return [name.partition("; the coach: ")[2] for name in phone.dice()]


def test_one_phone_asks_and_no_other_is_told(open_phone: OpenPhone) -> None:
    ana, ben = open_phone(), open_phone()
    ana.start_game(["Ana", "Ben"], first="Ana")
    named_cards(ana)
    assert ana.page.get_by_role("region", name="Coach").count() == 0
    switch(ana)
    ana.sees("by throwing")
    ana.enter_throw("rrrbgy")
    ana.sees("Keep the marked dice and throw the other 3.")
    ana.sees("Thrown again:")
    ana.comes_to(lambda: advised(ana), ["keep", "keep", "keep", "", "", ""])
    ben.sees("throw 1 of 3")
    assert ben.page.get_by_text("by throwing").count() == 0
    ben.comes_to(lambda: advised(ben), [""] * 6)

    ana.page.reload()
    ana.sees("Keep the marked dice")
    switch(ana)
    ana.sees_no("Keep the marked dice")
    ana.comes_to(lambda: advised(ana), [""] * 6)


def test_a_change_and_a_card_to_take_are_told(open_phone: OpenPhone) -> None:
    phone = open_phone(locale="fr-FR")
    english = open_phone()
    english.start_game(["Ana", "Ben"], first="Ana")
    named_cards(english)
    phone.tap("Plus")
    phone.sheet.get_by_role("switch", name="Conseil sur ce téléphone").click()
    phone.tap("Fermer")
    english.enter_throw("rrrygg")
    phone.sees("Prenez la carte du support")
    phone.sees("sûre maintenant, perdue en relançant")
    switch(english)
    english.sees("Taken now:")
