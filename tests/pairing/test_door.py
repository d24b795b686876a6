"""The door: one wish at a time, granted by the table's own press within a minute, kept for good."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from companion.pairing.door import MOST_PHONES, WISH_LASTS_S, Asking, Door, NotAsked, Place
from companion.pairing.phones import Phone, PhonesFault, hash_of
from companion.table.gestures import Gesture


class Book:
    """Phones on paper; `torn` makes it refuse."""

    def __init__(self) -> None:
        self.kept: list[Phone] = []
        self.torn = False

    def phones(self) -> Sequence[Phone]:
        return tuple(self.kept)

    def add(self, phone: Phone) -> None:
        self._check()
        self.kept.append(phone)

    def remove(self, phone_id: str) -> None:
        self._check()
        self.kept = [phone for phone in self.kept if phone.phone_id != phone_id]

    def _check(self) -> None:
        if self.torn:
            raise PhonesFault("the disk is full; make room, then do it again")


class HandClock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.s = 1000.0

    def now_s(self) -> float:
        return self.s


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def door(book: Book, clock: HandClock) -> Door:
    return Door(book, clock, now=lambda: datetime(2025, 3, 1, 12, tzinfo=UTC))


def test_a_press_within_the_minute_lets_in(door: Door, book: Book, clock: HandClock) -> None:
    token = door.ask("Ana's phone")
    assert door.place(token) is Place.WAITING
    assert door.phone(token) is None
    clock.s += WISH_LASTS_S - 0.1
    assert door.hears(Gesture.PRESS)
    assert door.place(token) is Place.PAIRED
    assert [(phone.name, phone.paired_at) for phone in book.kept] == [
        ("Ana's phone", "2025-03-01T12:00:00+00:00")
    ]
    # The next press is a throw again.
    assert not door.hears(Gesture.PRESS)


def test_a_later_press_is_a_throw(door: Door, clock: HandClock) -> None:
    token = door.ask("late")
    clock.s += WISH_LASTS_S
    assert not door.hears(Gesture.PRESS)
    assert door.place(token) is Place.VIEWER
    assert door.waiting() is None


@pytest.mark.parametrize("gesture", [Gesture.HOLD, Gesture.LONG_HOLD])
def test_other_gestures_open_nothing(door: Door, gesture: Gesture) -> None:
    token = door.ask("phone")
    assert not door.hears(gesture)
    assert door.place(token) is Place.WAITING


def test_only_the_hash_is_kept(door: Door, book: Book) -> None:
    token = door.ask("phone")
    door.let_in()
    assert token not in repr(book.kept)
    assert book.kept[0].token_hash == hash_of(token)
    assert len(token) >= 43  # 32 bytes in base 64


def test_one_asks_at_a_time_and_the_others_hear_who(door: Door, clock: HandClock) -> None:
    first = door.ask("Ana")
    with pytest.raises(NotAsked) as refused:
        door.ask("Mallory")
    assert refused.value.code == "pairing_busy"
    assert "'Ana'" in refused.value.sentence
    again = door.ask("Ana", first)
    assert again != first, "a token that was there before the press counts for nothing"
    door.let_in()
    assert (door.place(first), door.place(again)) == (Place.VIEWER, Place.PAIRED)
    other = door.ask("Ben")
    clock.s += WISH_LASTS_S
    assert door.place(other) is Place.VIEWER
    door.ask("Chloé")


def test_a_wish_can_be_taken_back_only_by_its_phone(door: Door) -> None:
    token = door.ask("phone")
    door.take_back(None)
    door.take_back("another")
    assert door.waiting() is not None
    door.take_back(token)
    assert not door.let_in()


def test_a_paired_phone_that_asks_stays_as_it_is(door: Door, book: Book) -> None:
    token = door.ask("phone")
    door.let_in()
    assert door.ask("phone", token) == token
    assert door.waiting() is None
    assert len(book.kept) == 1


def test_phones_stay_paired_over_restarts_until_removed(door: Door, book: Book, clock: HandClock) -> None:
    token = door.ask("phone")
    door.let_in()
    later = Door(book, clock)
    phone = later.phone(token)
    assert phone is not None
    assert later.remove(phone.phone_id)
    assert not later.remove(phone.phone_id)
    assert later.place(token) is Place.VIEWER
    assert Door(book, clock).phones() == ()


def test_what_cannot_be_kept_does_not_count_and_is_told(door: Door, book: Book) -> None:
    token = door.ask("phone")
    book.torn = True
    assert door.let_in(), "the press was for the door all the same"
    assert door.place(token) is Place.VIEWER
    assert "disk is full" in (door.why_not(token) or "")
    assert door.why_not("another") is None
    book.torn = False
    token = door.ask("phone", token)
    assert door.why_not(token) is None
    door.let_in()
    assert door.place(token) is Place.PAIRED
    book.torn = True
    with pytest.raises(PhonesFault):
        door.remove(door.phones()[0].phone_id)
    assert door.place(token) is Place.PAIRED


@pytest.mark.parametrize("name", ["", "  ", "\u200b\u202e", "x" * 41])
def test_names_that_are_none(door: Door, name: str) -> None:
    with pytest.raises(NotAsked) as refused:
        door.ask(name)
    assert refused.value.code == "bad_name"
    assert door.waiting() is None


def test_names_are_one_line(door: Door) -> None:
    door.ask(" Ana's\n\t phone\u202e ")
    wish = door.waiting()
    assert wish is not None
    assert wish.name == "Ana's phone"


def test_there_is_a_limit(book: Book, clock: HandClock) -> None:
    book.kept = [Phone(str(n), "x", hash_of(str(n)), "") for n in range(MOST_PHONES)]
    with pytest.raises(NotAsked) as refused:
        Door(book, clock).ask("one more")
    assert refused.value.code == "too_many_phones"


def test_each_change_is_told_to_whoever_shows_it(door: Door, book: Book) -> None:
    told: list[Asking] = []
    door.listeners.append(told.append)
    assert not door.let_in()
    token = door.ask("Ana's phone")
    door.take_back("another one's")
    door.take_back(token)
    door.take_back(token)
    door.ask("Ana's phone")
    assert door.let_in()
    door.ask("Ben's phone")
    book.torn = True
    assert door.let_in()
    asked, withdrawn = Asking.ASKED, Asking.WITHDRAWN
    assert told == [asked, withdrawn, asked, Asking.LET_IN, asked, withdrawn]
