"""The page about the table tells of every phase, pattern, gesture and reason."""

import re

import pytest

from companion.devices.led_signals import Signal
from companion.table.advice import WHY_SENTENCES
from companion.table.button import MARKER_LAPSES_S, READING_DEADLINE_S
from companion.table.gestures import HOLD_S, LONG_HOLD_S, Gesture
from companion.table.phase import Phase
from companion.table.ports import LedPattern
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
FIRST_CELLS = set(re.findall(r"^\| `?([a-z_ ]+?)`? \|", PAGE, flags=re.MULTILINE))


@pytest.mark.parametrize(
    "word",
    [*Phase, *LedPattern, *WHY_SENTENCES, "untrusted", "journal_fault", "reading_failed", "wrong_picture"],
)
def test_each_has_its_line(word: str) -> None:
    assert str(word) in FIRST_CELLS


def test_no_line_tells_of_what_is_not_there() -> None:
    known = {str(word) for word in (*Phase, *LedPattern, *WHY_SENTENCES)}
    known |= {gesture.value.replace("_", " ") for gesture in Gesture}
    known |= {signal.name.lower().replace("_", " ") for signal in Signal}
    known |= {
        "untrusted",
        "journal_fault",
        "reading_failed",
        "wrong_picture",
        "phase",
        "gesture",
        "pattern",
        "signal",
        "why",
        "pictures",
    }
    assert known >= FIRST_CELLS


def test_the_times_are_those_of_the_program() -> None:
    assert f"less than {HOLD_S:g} s" in PAGE
    assert f"{HOLD_S:g} s to {LONG_HOLD_S:g} s" in PAGE
    assert f"goes out after {MARKER_LAPSES_S:g} s" in PAGE
    assert f"within {READING_DEADLINE_S:g} s" in PAGE
