"""The worker reads the holders at presses, glances until they rest, and learns; nothing of it stops play."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Sequence

import numpy as np
import pytest

from companion.game.cards import Card
from companion.store.memory import MemoryJournal
from companion.table import intents
from companion.table.card_watch import GLANCES_AT_FIRST, LOOKS_KEPT, CardWatch
from companion.table.conductor import Table
from companion.table.decide import HealthChanged
from companion.table.phase import Phase
from companion.table.ports import CameraFault, DeckFault, Frame, LedPatterns
from companion.table.sights import Asked, CardsSeen, Lesson, Watch
from companion.table.snapshot import Snapshot
from companion.table.state import HealthState
from companion.vision.card_look import CardLook
from companion.vision.card_reader import HolderReading, HolderState
from companion.vision.geometry import ZonesError
from companion.vision.reading import Reading
from tests.table.at_the_table import FOUR, SIX, THREE, free, reading

PATIENCE_S = 20.0
DECK = (THREE, FOUR, SIX, free(5, points=4), free(3, 2, points=3))
EMPTY, BLOCKED = 200, 201
ASKED = Asked("g", (15, 15, 15), (None, None, None))


def frame(*codes: int) -> Frame:
    """A picture of three holders: each a number, which is a card of the deck, a new card, or nothing."""
    return np.repeat(np.array([[codes]], np.uint8).reshape(1, 3, 1), 3, axis=2)


class Eye:
    """Sees the number in each holder; numbers within DECK are cards, others are new until learned."""

    def __init__(self) -> None:
        self.learned: dict[int, Card] = dict(enumerate(DECK))
        self.reads = 0
        self.fails: Exception | None = None

    def read(self, frame: Frame, holders: Collection[int]) -> Sequence[HolderReading | None]:
        self.reads += 1
        if self.fails is not None:
            raise self.fails
        codes = enumerate(frame[0, :, 0])
        return [self._one(int(code)) if holder in holders else None for holder, code in codes]

    def _one(self, code: int) -> HolderReading:
        if code in (EMPTY, BLOCKED):
            state = HolderState.EMPTY if code == EMPTY else HolderState.BLOCKED
            return HolderReading(state, None, 1.0, None, None, None)
        card = self.learned.get(code)
        state = HolderState.NEW if card is None else HolderState.KNOWN
        return HolderReading(state, card, 0.99, None, None if card else THREE, None)

    def look(self, frame: Frame, holder: int) -> CardLook | None:
        return CardLook(bytes([int(frame[0, holder, 0])]), (0.8, 0.8, 0.8))

    def changed(self, before: Frame, now: Frame) -> tuple[bool, bool, bool]:
        first, second, third = (bool(one) for one in before[0, :, 0] != now[0, :, 0])
        return first, second, third

    def learn(
        self, look: CardLook, card: Card, instead_of: Card | None, mistaken_for: Card | None = None
    ) -> None:
        if self.fails is not None:
            raise self.fails
        if instead_of is not None:
            assert self.learned.get(look.jpeg[0]) == instead_of
        assert mistaken_for in (None, *self.learned.values())
        self.learned[look.jpeg[0]] = card


class Glances:
    """What glances show, one after the other; the last one stays."""

    def __init__(self, *frames: Frame) -> None:
        self.frames = list(frames)

    def __call__(self) -> Frame:
        return self.frames.pop(0) if len(self.frames) > 1 else self.frames[0]


def watching(eye: Eye, glance: Callable[[], Frame], as_before: frozenset[int] = frozenset()) -> CardWatch:
    cards = CardWatch(eye, glance)
    cards.turn_to(Watch(ASKED, frozenset({0}), as_before))
    return cards


def states(seen: object) -> list[HolderState | None]:
    assert isinstance(seen, CardsSeen)
    return [None if one is None else one.reading.state for one in seen.sights]


def test_a_glance_waits_until_the_hand_has_left() -> None:
    eye = Eye()
    hand, card = frame(BLOCKED, 1, 2), frame(3, 1, 2)
    cards = watching(eye, Glances(hand, card, card))
    assert [cards.glance(), cards.glance()] == [None, None]
    assert eye.reads == 0
    seen = cards.glance()
    assert states(seen) == [HolderState.KNOWN, None, None]
    assert isinstance(seen, CardsSeen)
    assert seen.is_glance


def test_what_was_seen_already_is_not_read_again() -> None:
    eye = Eye()
    cards = watching(eye, Glances(frame(99, 1, 2)))
    told = [cards.glance() for _ in range(10)]
    assert sum(one is not None for one in told) == 1
    assert eye.reads == 1


def test_a_card_that_lies_as_at_the_press_is_the_one_that_was_won() -> None:
    eye = Eye()
    old, after = frame(99, 1, 2), frame(98, 1, 2)
    cards = watching(eye, Glances(old, old, old, after, after), frozenset({0}))
    cards.seen(old, ASKED)
    told = [cards.glance() for _ in range(5)]
    assert told[:4] == [None] * 4
    assert states(told[4]) == [HolderState.NEW, None, None]


def test_glances_become_rare_where_nobody_comes() -> None:
    cards = watching(Eye(), Glances(frame(99, 1, 2)))
    first = cards.wait_s
    for _ in range(GLANCES_AT_FIRST):
        cards.glance()
    later = cards.wait_s
    assert first is not None
    assert later is not None
    assert later > first
    cards.turn_to(None)
    assert cards.wait_s is None
    assert cards.glance() is None


def test_a_camera_that_is_away_is_asked_seldom_and_makes_no_noise() -> None:
    def away() -> Frame:
        raise CameraFault("camera_gone", "The camera is away.")

    cards = watching(Eye(), away)
    assert cards.glance() is None
    assert cards.wait_s is not None
    assert cards.wait_s > 1


def test_a_frame_of_another_shape_tells_nothing_of_the_cards() -> None:
    eye = Eye()
    eye.fails = ZonesError("another shape")
    assert CardWatch(eye).seen(frame(0, 1, 2), ASKED) is None


def test_a_named_card_that_is_seen_as_named_needs_no_picture() -> None:
    cards = CardWatch(Eye())
    named = Asked("g", (15, 15, 0), (THREE, THREE, None))
    seen = cards.seen(frame(0, 1, 2), named)
    assert seen is not None
    looks = [None if one is None else one.look for one in seen.sights]
    assert looks[0] is None
    assert looks[1] is not None
    assert seen.sights[2] is None, "a pile that is used up is not looked at"
    assert cards.jpeg(looks[1]) == b"\x01"


def test_pictures_of_cards_are_held_for_a_while_only() -> None:
    cards = CardWatch(Eye())
    first = cards.seen(frame(100, 1, 2), ASKED)
    assert first is not None
    assert first.sights[0] is not None
    look = first.sights[0].look
    assert look is not None
    for code in range(LOOKS_KEPT):
        cards.seen(frame(100 + code, 101 + code, 102 + code), ASKED)
    assert cards.jpeg(look) is None
    assert cards.learn(Lesson(look, THREE)) is None


def test_a_deck_that_can_not_be_written_is_told_of_until_it_can() -> None:
    eye = Eye()
    cards = CardWatch(eye)
    seen = cards.seen(frame(99, 1, 2), ASKED)
    assert seen is not None
    assert seen.sights[0] is not None
    assert seen.sights[0].look is not None
    lesson = Lesson(seen.sights[0].look, THREE)
    eye.fails = DeckFault("The deck cannot be written.")
    told = cards.learn(lesson)
    assert isinstance(told, HealthChanged)
    assert (told.health.state, told.health.sentence) == (HealthState.FAULT, "The deck cannot be written.")
    eye.fails = None
    told = cards.learn(lesson)
    assert isinstance(told, HealthChanged)
    assert told.health.state is HealthState.OK
    assert cards.learn(lesson) is None


class Camera:
    """Shows a frame, to presses and to glances."""

    def __init__(self, shown: Frame) -> None:
        self.shown = shown

    def capture(self) -> Frame:
        return self.shown

    def close(self) -> None:
        pass


class NoLeds:
    def show(self, patterns: LedPatterns) -> None:
        pass


class StandingClock:
    def now_s(self) -> float:
        return 0.0


class Play:
    """A table that runs, with a fake camera, dice that are told, and fake eyes for its cards."""

    def __init__(self) -> None:
        self.camera = Camera(frame(0, 1, 2))
        self.eye = Eye()
        self.dice = "wr wr wr wr br br"
        self.moved_px = 0.0
        self.table = Table(
            MemoryJournal(),
            self._read,
            self.camera,
            NoLeds(),
            StandingClock(),
            eye=self.eye,
            glance=lambda: self.camera.shown,
            glance_s=0.005,
        )

    def _read(self, _: Frame) -> Reading:
        self.moved_px += 33.0
        return reading(self.dice, moved_px=self.moved_px)

    def does(self, intent: intents.Intent) -> Snapshot:
        outcome = self.table.submit(intent)
        assert outcome.accepted, outcome.sentence
        return outcome.snapshot

    def until(self, fits: Callable[[Snapshot], bool]) -> Snapshot:
        snapshot = self.table.snapshot()
        while not fits(snapshot):
            newer = self.table.wait_newer(snapshot.revision, PATIENCE_S)
            assert newer is not None, f"stuck: {snapshot.to_json()}"
            snapshot = newer
        return snapshot


def cards_of(snapshot: Snapshot) -> list[Card | None]:
    return [] if snapshot.game is None else [holder.card for holder in snapshot.game.holders]


def whys(snapshot: Snapshot) -> list[str | None]:
    holders = () if snapshot.game is None else snapshot.game.holders
    return [None if one.question is None else str(one.question.why) for one in holders]


@pytest.fixture
def play() -> Play:
    return Play()


def test_a_game_in_which_only_new_cards_are_named_and_each_once(play: Play) -> None:
    new = free(2, 2, points=2)
    with play.table:
        play.does(intents.StartGame(("Ana", "Ben"), 0))
        play.does(intents.Press())
        snapshot = play.until(lambda now: now.phase is Phase.DECIDE)
        assert cards_of(snapshot) == [THREE, FOUR, SIX]
        play.does(intents.Take(0))
        play.camera.shown = frame(50, 1, 2)
        snapshot = play.until(lambda now: whys(now)[0] == "new")
        question = snapshot.game.holders[0].question if snapshot.game else None
        assert question is not None
        assert question.look is not None
        assert play.table.look(question.look) == bytes([50])
        play.does(intents.NameCard(0, new))
        play.does(intents.Press())
        play.until(lambda now: now.phase is Phase.DECIDE)
        play.does(intents.Take(1))
        play.camera.shown = frame(50, 50, 2)
        snapshot = play.until(lambda now: cards_of(now)[1] is not None)
        assert cards_of(snapshot) == [new, new, SIX]
        assert snapshot.said[-1].key == "card_seen"


def test_a_wrongly_named_card_is_asked_about_after_the_press(play: Play) -> None:
    with play.table:
        play.does(intents.StartGame(("Ana", "Ben"), 0))
        for holder, card in enumerate((THREE, SIX, SIX)):
            play.does(intents.NameCard(holder, card))
        play.does(intents.Press())
        snapshot = play.until(lambda now: whys(now)[1] == "differs")
        assert snapshot.phase is Phase.DECIDE, "the lights did not wait for it"
        assert cards_of(snapshot) == [THREE, SIX, SIX]


def test_a_defect_in_reading_cards_costs_neither_the_dice_nor_the_worker(play: Play) -> None:
    play.eye.fails = RuntimeError("broken")
    with play.table:
        play.does(intents.StartGame(("Ana", "Ben"), 0))
        play.does(intents.Press())
        snapshot = play.until(lambda now: now.phase is Phase.CARD_NEEDED)
        assert snapshot.health["cards"].state is HealthState.FAULT
        for holder, card in enumerate((THREE, FOUR, SIX)):
            play.does(intents.NameCard(holder, card))
        assert play.table.snapshot().phase is Phase.DECIDE
        play.eye.fails = None
        play.does(intents.Take(0))
        play.does(intents.Press())
        play.until(lambda now: now.phase is not Phase.READING)


def test_a_table_closes_while_it_watches(play: Play) -> None:
    with play.table:
        play.does(intents.StartGame(("Ana", "Ben"), 0))
        play.camera.shown = frame(EMPTY, EMPTY, EMPTY)
        assert play.does(intents.LookAtCards()).cards is not None
    assert not any(thread.name == "table-watching" for thread in threading.enumerate())


def test_the_queue_of_lessons_is_worked_off_before_the_next_press(play: Play) -> None:
    done: queue.SimpleQueue[Card] = queue.SimpleQueue()
    learn = play.eye.learn

    def noted(look: CardLook, card: Card, instead_of: Card | None, mistaken_for: Card | None = None) -> None:
        learn(look, card, instead_of, mistaken_for)
        done.put(card)

    play.eye.learn = noted  # type: ignore[method-assign]
    play.camera.shown = frame(60, 60, 2)
    with play.table:
        play.does(intents.StartGame(("Ana", "Ben"), 0))
        play.does(intents.Press())
        play.until(lambda now: now.phase is Phase.CARD_NEEDED)
        play.does(intents.NameCard(0, FOUR))
        assert done.get(timeout=PATIENCE_S) == FOUR
        play.does(intents.Press())
        snapshot = play.until(lambda now: now.phase is Phase.DECIDE)
        assert cards_of(snapshot) == [FOUR, FOUR, SIX]
