"""The conductor with real threads: one writer, kept before shown; a slow camera holds up nothing."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from companion.store.memory import MemoryJournal
from companion.table import intents
from companion.table.conductor import Table
from companion.table.log import LogError
from companion.table.phase import Phase
from companion.table.ports import CameraFault, Frame, JournalFault, LedPattern, LedPatterns
from companion.table.snapshot import Snapshot
from companion.table.state import Health, HealthState
from companion.vision.reading import Reading
from tests.table.at_the_table import FOUR, SIX, THREE, dice, free, reading

MADE = "wr wr wr wg bb by"
PATIENCE_S = 20.0
"""Far longer than anything here takes; a test that needs it has failed."""


class FakeClock:
    def __init__(self) -> None:
        self.time_s = 0.0

    def now_s(self) -> float:
        return self.time_s


class KeptLeds:
    def __init__(self) -> None:
        self.shown: list[LedPatterns] = []

    def show(self, patterns: LedPatterns) -> None:
        self.shown.append(patterns)


class GatedCamera:
    """Gives a picture when the gate is open."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.fault: Exception | None = None
        self.closed = 0

    def capture(self) -> Frame:
        assert self.gate.wait(PATIENCE_S)
        if self.fault is not None:
            raise self.fault
        return np.full((30, 40, 3), 7, dtype=np.uint8)

    def close(self) -> None:
        self.closed += 1


class FailingJournal(MemoryJournal):
    """Keeps nothing while the disk is full."""

    def __init__(self) -> None:
        super().__init__()
        self.full = False
        self.watch: Callable[[], None] | None = None

    def append(self, *entries: Mapping[str, Any]) -> None:
        if self.full:
            raise JournalFault("The disk is full.")
        if self.watch is not None:
            self.watch()
        super().append(*entries)


class Bench:
    """A running table and its devices."""

    def __init__(self, reader: Callable[[Frame], Reading] | None = None) -> None:
        self.journal, self.camera, self.leds, self.clock = (
            FailingJournal(),
            GatedCamera(),
            KeptLeds(),
            FakeClock(),
        )
        self.table = Table(
            self.journal, reader or (lambda _: reading(MADE)), self.camera, self.leds, self.clock, deck=(SIX,)
        )
        self.table.start()

    def begin(self) -> None:
        assert self.table.submit(intents.StartGame(("Ana", "Ben"), 0)).accepted
        for holder, card in enumerate((THREE, FOUR, SIX)):
            assert self.table.submit(intents.NameCard(holder, card)).accepted

    def until(self, phase: Phase) -> Snapshot:
        snapshot = self.table.snapshot()
        while snapshot.phase != phase:
            newer = self.table.wait_newer(snapshot.revision, PATIENCE_S)
            assert newer is not None, f"still {snapshot.phase}"
            snapshot = newer
        return snapshot


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.camera.gate.set()
    made.table.close()


def test_a_press_is_answered_at_once_and_its_reading_comes_later(bench: Bench) -> None:
    bench.begin()
    bench.camera.gate.clear()
    outcome = bench.table.submit(intents.Press())
    assert (outcome.accepted, outcome.snapshot.phase) == (True, Phase.READING)
    assert bench.leds.shown[-1] == (LedPattern.READING,) * 3
    assert bench.table.submit(intents.Press()).code == "already_reading"
    bench.camera.gate.set()
    snapshot = bench.until(Phase.DECIDE)
    assert bench.leds.shown[-1] == (LedPattern.STEADY, LedPattern.OFF, LedPattern.OFF)
    picture = bench.table.picture()
    assert picture is not None
    assert picture[0] == snapshot.picture.picture_id if snapshot.picture else False
    assert picture[1].shape == (30, 40, 3)


def test_it_is_kept_before_it_is_shown(bench: Bench) -> None:
    bench.begin()
    shown: list[int] = []
    bench.journal.watch = lambda: shown.append(bench.table.snapshot().revision)
    before = bench.table.snapshot().revision
    outcome = bench.table.submit(intents.EnterThrow(dice(MADE)))
    assert shown == [before]
    assert outcome.snapshot.revision == before + 1


def test_what_cannot_be_kept_is_refused_and_play_goes_on_when_it_can(bench: Bench) -> None:
    bench.begin()
    bench.journal.full = True
    before = bench.table.snapshot()
    outcome = bench.table.submit(intents.EnterThrow(dice(MADE)))
    assert (outcome.accepted, outcome.code, outcome.sentence) == (False, "journal_fault", "The disk is full.")
    assert outcome.snapshot.game == before.game
    assert outcome.snapshot.health["journal"] == Health(HealthState.FAULT, "The disk is full.")
    bench.journal.full = False
    outcome = bench.table.submit(intents.EnterThrow(dice(MADE)))
    assert outcome.accepted
    assert outcome.snapshot.health["journal"].state is HealthState.OK


def test_a_reading_that_cannot_be_kept_waits(bench: Bench) -> None:
    bench.begin()
    bench.journal.full = True
    bench.table.submit(intents.Press())
    snapshot = bench.until(Phase.DOUBT)
    assert snapshot.reading is not None
    assert snapshot.reading.why == "journal_fault"
    bench.journal.full = False
    bench.table.submit(intents.Press())
    bench.until(Phase.DECIDE)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (CameraFault("unplugged", "The camera is unplugged."), "unplugged"),
        (ValueError("odd"), "reading_failed"),
    ],
)
def test_a_camera_that_fails_waits_for_people(bench: Bench, fault: Exception, why: str) -> None:
    bench.begin()
    bench.camera.fault = fault
    bench.table.submit(intents.Press())
    snapshot = bench.until(Phase.DOUBT)
    assert snapshot.reading is not None
    assert snapshot.reading.why == why
    assert snapshot.health["camera"].state is HealthState.FAULT
    bench.camera.fault = None
    bench.table.submit(intents.Press())
    assert bench.until(Phase.DECIDE).health["camera"].state is HealthState.OK


def test_a_stuck_camera_holds_up_nothing(bench: Bench) -> None:
    bench.begin()
    bench.camera.gate.clear()
    bench.table.submit(intents.Press())
    bench.clock.time_s = 1000.0
    bench.table.report_health("button", Health(HealthState.OK))  # wakes the writer, which looks at the clock
    snapshot = bench.until(Phase.DOUBT)
    assert snapshot.reading is not None
    assert snapshot.reading.why == "camera_stalled"
    bench.table.submit(intents.Press())
    assert bench.until(Phase.DOUBT).reading is not None, "at most one stuck picture"
    assert bench.table.submit(intents.EnterThrow(dice(MADE))).accepted
    bench.camera.gate.set()
    assert bench.table.submit(intents.Take(0)).accepted


def test_many_phones_at_once_are_answered_one_after_the_other(bench: Bench) -> None:
    bench.begin()
    assert bench.table.submit(intents.EnterThrow(dice(MADE))).accepted
    seen = bench.table.snapshot().revision
    with ThreadPoolExecutor(16) as phones:
        outcomes = list(phones.map(lambda _: bench.table.submit(intents.Take(0), seen), range(64)))
    assert sum(outcome.accepted for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes} == {None, "stale"}
    assert len(bench.table.hand(0)) == 1


def test_waiting_for_news_ends_with_news_time_or_the_end(bench: Bench) -> None:
    revision = bench.table.snapshot().revision
    assert bench.table.wait_newer(revision, 0.0) is None
    older = bench.table.wait_newer(revision - 1, PATIENCE_S)
    assert older is not None
    with ThreadPoolExecutor(1) as phone:
        waiting = phone.submit(bench.table.wait_newer, revision, PATIENCE_S)
        bench.begin()
        newer = waiting.result(PATIENCE_S)
        assert newer is not None
        waiting = phone.submit(bench.table.wait_newer, bench.table.snapshot().revision, PATIENCE_S)
        bench.table.close()
        assert waiting.result(PATIENCE_S) is None


def test_a_closed_table_refuses_and_is_dark(bench: Bench) -> None:
    bench.begin()
    bench.table.submit(intents.EnterThrow(dice(MADE)))
    bench.table.close()
    bench.table.close()
    assert bench.table.submit(intents.Take(0)).code == "closed"
    assert bench.leds.shown[-1] == (LedPattern.OFF,) * 3
    assert bench.camera.closed == 1


def test_who_asks_just_as_the_table_closes_is_answered_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one moment at which a request comes behind the writer's last."""
    bench.begin()
    ask = bench.table._queue.put

    class Late:
        """A queue in which a request arrives only after the table was closed."""

        def put(self, request: Any) -> None:
            if request is not None and request.answer is not None:
                bench.table.close()
            ask(request)

        get = bench.table._queue.get
        get_nowait = bench.table._queue.get_nowait

    monkeypatch.setattr(bench.table, "_queue", Late())
    with ThreadPoolExecutor(1) as asker:
        assert asker.submit(bench.table.submit, intents.Press()).result(PATIENCE_S).code == "closed"


def test_leds_are_told_only_when_they_change(bench: Bench) -> None:
    bench.begin()
    bench.table.submit(intents.EnterThrow(dice(MADE)))
    bench.table.submit(intents.Hold())
    assert all(one != other for one, other in zip(bench.leds.shown, bench.leds.shown[1:], strict=False))


def test_cards_met_come_first_then_those_of_the_deck(bench: Bench) -> None:
    assert bench.table.known_cards() == (SIX,)
    bench.begin()
    bench.table.submit(intents.NameCard(0, free(5)))
    assert bench.table.known_cards() == (free(5), SIX, FOUR, THREE)


def test_terms_are_those_of_the_game(bench: Bench) -> None:
    assert bench.table.terms.seats == 6
    bench.begin()
    assert bench.table.terms.seats == 2


def test_a_defect_is_told_to_who_asked_and_the_table_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench.begin()

    def broken(*_: object) -> object:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("companion.table.conductor.decide", broken)
        with pytest.raises(ZeroDivisionError):
            bench.table.submit(intents.Undo())
    assert "deciding" in caplog.text
    assert bench.table.submit(intents.Undo()).accepted


@pytest.mark.parametrize(
    "entries",
    [
        [{"do": "dance"}],
        [{"do": "undo"}],
        [{"do": "start", "game": "a"}],
        [{"do": "events", "events": [{"type": "pass"}]}],
    ],
)
def test_a_journal_that_makes_no_game_is_refused_with_the_entrys_number(
    entries: Sequence[Mapping[str, Any]],
) -> None:
    journal = MemoryJournal()
    journal.append(*entries)
    with pytest.raises(LogError, match="entry 1"):
        Table(journal, None, None, KeptLeds(), FakeClock())


def test_it_comes_up_in_the_same_game(bench: Bench) -> None:
    bench.begin()
    bench.table.submit(intents.EnterThrow(dice(MADE)))
    before = bench.table.snapshot()
    bench.table.close()
    with Table(bench.journal, None, None, KeptLeds(), FakeClock()) as again:
        after = again.snapshot()
        assert (after.game, after.leds, after.undo) == (before.game, before.leds, before.undo)
        assert after.revision > before.revision
        assert again.submit(intents.Undo(), before.revision).code is None
