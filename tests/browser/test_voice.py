"""Speech and sounds: off at first, on this phone alone, each thing once, remembered."""

from __future__ import annotations

import pytest

from tests.browser.conftest import AtTable, OpenPhone
from tests.browser.phones import Phone
from tests.browser.prepared import begin

pytestmark = pytest.mark.browser

RECORDER = """
window.spoken = []; window.tones = [];
const speak = (said) => {
  spoken.push([said.lang, said.text]);
  setTimeout(() => said.dispatchEvent(new Event('end')));
};
Object.defineProperty(window, 'speechSynthesis', {value: {speak, cancel: () => {}}});
window.SpeechSynthesisUtterance = class extends EventTarget {
  constructor(text) { super(); this.text = text; }
};
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  tones.push(this.frequency.value);
  return start.apply(this, at);
};
"""


def listening(open_phone: OpenPhone, **options: object) -> Phone:
    phone = open_phone(**options)
    phone.page.add_init_script(RECORDER)
    phone.page.reload(wait_until="load")
    return phone


def spoken(phone: Phone) -> list[str]:
    return [text for _, text in phone.page.evaluate("spoken")]


def test_what_happens_is_spoken_once_where_it_is_wanted(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0])
    ana, ben = listening(open_phone), listening(open_phone)
    ben.tap("More")
    ben.sheet.get_by_role("switch", name="Speech").click()
    ben.tap("Close")
    ana.enter_throw("rrrrgy")
    ben.sees("throw 1 of 3")
    ana.tap("Take the card in the middle holder")
    ben.sees("Ana takes a card")
    said = spoken(ben)
    assert said[0] == "I shall tell what happens."
    assert [text for text in said if "takes a card" in text] == [
        "Ana takes a card: four of a kind, 2 points."
    ]
    assert said[-1] == "Ben’s turn"
    assert len([text for text in said if "Ana threw" in text]) == 1
    assert spoken(ana) == []

    ben.page.reload(wait_until="load")
    ben.sees("to play")
    assert spoken(ben) == [], "what is old is not told again"
    ana.tap("Undo")
    ben.sees("Taken back")
    assert "Taken back: Ana’s card." in spoken(ben)


def test_speech_is_in_the_page_s_language(open_phone: OpenPhone) -> None:
    phone = listening(open_phone, locale="fr-FR")
    phone.tap("Plus")
    phone.sheet.get_by_role("switch", name="Voix").click()
    assert phone.page.evaluate("spoken") == [["fr", "Je dirai ce qui arrive."]]


def test_sounds_tell_of_cards_and_turns(open_phone: OpenPhone, at_table: AtTable) -> None:
    begin(at_table[0])
    phone = listening(open_phone)
    phone.sees("to play")
    assert phone.page.evaluate("tones") == []
    phone.tap("More")
    phone.sheet.get_by_role("switch", name="Sounds").click()
    phone.tap("Close")
    heard = len(phone.page.evaluate("tones"))
    assert heard == 2
    phone.enter_throw("rrrrgy")
    phone.tap("Take the card in the middle holder")
    phone.sees("Ana takes a card")
    assert len(phone.page.evaluate("tones")) == heard + 2
