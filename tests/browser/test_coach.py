"""The coach on a phone: off at first, switched on there alone, advice on dice and cards, remembered there."""

from __future__ import annotations

import pytest

from tests.browser.conftest import AtTable, OpenPhone, on_phone_and_tablet
from tests.browser.phones import Phone
from tests.browser.prepared import begin

pytestmark = pytest.mark.browser


def switch(phone: Phone) -> None:
    phone.tap("More")
    phone.sheet.get_by_role("switch", name="Coach on this phone").click()
    phone.tap("Close")


def advised(phone: Phone) -> list[str]:
    return [name.partition("; the coach: ")[2] for name in phone.dice()]


@on_phone_and_tablet
def test_one_phone_asks_and_no_other_is_told(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0])
    ana, ben = open_phone(), open_phone()
    ana.sees("to play")
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


def test_a_change_and_a_card_to_take_are_told(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0])
    phone = open_phone(locale="fr-FR")
    english = open_phone()
    phone.tap("Plus")
    phone.sheet.get_by_role("switch", name="Conseil sur ce téléphone").click()
    phone.tap("Fermer")
    english.enter_throw("rrrygg")
    phone.sees("Prenez la carte du support")
    phone.sees("sûre maintenant, perdue en relançant")
    switch(english)
    english.sees("Taken now:")
