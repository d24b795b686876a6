"""Whether the table's writer still turns, as the watchdog asks; and what is no fault of the camera."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from companion.store.memory import MemoryJournal
from companion.table import conductor, intents
from companion.table.advice import PROBLEM_ADVICE
from companion.table.conductor import Table
from companion.table.phase import Phase
from companion.table.ports import LedPatterns
from companion.table.state import HealthState
from tests.table.at_the_table import AtTheTable


class SlowJournal(MemoryJournal):
    """A disk that may hang."""

    def __init__(self) -> None:
        super().__init__()
        self.works = threading.Event()
        self.works.set()

    def append(self, *entries: Mapping[str, Any]) -> None:
        self.works.wait()
        super().append(*entries)


class NoLeds:
    def show(self, patterns: LedPatterns) -> None:
        """Show nothing."""


class StandingClock:
    def now_s(self) -> float:
        return 0.0


def test_wedged_table_does_not_answer_and_one_that_turns_does(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = SlowJournal()
    with Table(journal, None, None, NoLeds(), StandingClock()) as table:
        revision = table.snapshot().revision
        assert table.answers()
        assert table.snapshot().revision == revision
        monkeypatch.setattr(conductor, "ANSWER_DEADLINE_S", 0.05)
        journal.works.clear()
        start = intents.StartGame(("Ana", "Ben"), 0, False)
        assert table.submit(start).code == "busy"
        assert not table.answers()
        journal.works.set()
        monkeypatch.setattr(conductor, "ANSWER_DEADLINE_S", 20.0)
        assert table.answers()
        assert table.snapshot().game is not None
    assert not table.answers()


@pytest.mark.parametrize("code", [*PROBLEM_ADVICE, "camera_absent"])
def test_dice_that_do_not_rest_are_no_fault_of_the_camera(code: str) -> None:
    table = AtTheTable()
    table.start()
    table.presses()
    table.fails_to_read(code, "Something still moves.")
    assert table.shown.phase is Phase.DOUBT
    is_camera = code == "camera_absent"
    assert (table.state.health["camera"].state is HealthState.FAULT) == is_camera
