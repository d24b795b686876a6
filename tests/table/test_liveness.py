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
from companion.table.moves import REVISIONS_RESERVED
from companion.table.phase import Phase
from companion.table.ports import CameraFault, Frame, JournalFault, LedPatterns
from companion.table.state import Health, HealthState
from tests.table.at_the_table import AtTheTable, reading


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


class FullJournal(MemoryJournal):
    """A disk that may be full; counts what it refuses."""

    def __init__(self) -> None:
        super().__init__()
        self.is_full = False
        self.refused = 0

    def append(self, *entries: Mapping[str, Any]) -> None:
        if self.is_full:
            self.refused += 1
            raise JournalFault("The disk is full.")
        super().append(*entries)


class SlowCamera:
    def __init__(self) -> None:
        self.gate = threading.Event()

    def capture(self) -> Frame:
        self.gate.wait()
        raise CameraFault("camera_gone", "The camera stopped answering.")

    def close(self) -> None:
        self.gate.set()


class SteppedClock:
    def __init__(self) -> None:
        self.time_s = 0.0

    def now_s(self) -> float:
        return self.time_s


def test_what_lapses_on_a_full_disk_is_not_tried_without_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conductor, "TICK_AGAIN_S", 60.0)
    journal, clock, camera = FullJournal(), SteppedClock(), SlowCamera()
    with Table(journal, lambda _: reading("wr wr wr wr br br"), camera, NoLeds(), clock) as table:
        table.submit(intents.StartGame(("Ana", "Ben"), 0))
        for count in range(REVISIONS_RESERVED - 3):  # until the next revision but one needs an entry
            table.report_health("lamp", Health(HealthState.OK, str(count)))
        assert table.submit(intents.Press()).accepted
        journal.is_full = True
        clock.time_s = 1000.0
        for _ in range(5):  # each answer wakes the writer, which finds the reading overdue
            assert not table.submit(intents.Take(0)).accepted
        assert 1 <= journal.refused <= 2
        journal.is_full = False
        assert table.submit(intents.Undo()).accepted


@pytest.mark.parametrize("defect", [KeyError("red"), IndexError("tuple index out of range")])
def test_a_defect_is_never_told_as_a_refusal(monkeypatch: pytest.MonkeyPatch, defect: Exception) -> None:
    def broken(_: object) -> object:
        raise defect

    with Table(MemoryJournal(), None, None, NoLeds(), StandingClock()) as table:
        assert table.submit(intents.Undo()).code == "nothing_there"
        monkeypatch.setattr("companion.table.moves.undo", broken)
        with pytest.raises(type(defect)):
            table.submit(intents.Undo())


def test_what_cannot_be_shown_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = MemoryJournal()
    with Table(journal, None, None, NoLeds(), StandingClock()) as table:
        table.submit(intents.StartGame(("Ana", "Ben"), 0))
        before = journal.entries()

        def broken(_: object) -> object:
            raise ZeroDivisionError

        with monkeypatch.context() as patch:
            patch.setattr(conductor, "snapshot_of", broken)
            with pytest.raises(ZeroDivisionError):
                table.submit(intents.AbandonGame())
        assert journal.entries() == before
        assert table.snapshot().game is not None


@pytest.mark.parametrize("code", [*PROBLEM_ADVICE, "camera_absent"])
def test_dice_that_do_not_rest_are_no_fault_of_the_camera(code: str) -> None:
    table = AtTheTable()
    table.start()
    table.presses()
    table.fails_to_read(code, "Something still moves.")
    assert table.shown.phase is Phase.DOUBT
    is_camera = code == "camera_absent"
    assert (table.state.health["camera"].state is HealthState.FAULT) == is_camera
