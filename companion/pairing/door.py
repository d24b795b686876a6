"""The door: one phone at a time asks to act, and the next press of the table's button lets it in."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from companion.game.fields import one_line
from companion.pairing.phones import Phone, PhoneBook, PhonesFault, hash_of
from companion.table.gestures import Gesture
from companion.table.ports import Clock

LOG = logging.getLogger(__name__)

WISH_LASTS_S = 60.0
"""How long after a phone asked a press lets it in; a later press is a throw again."""

NAME_LENGTH = 40
"""Longest name of a phone, in characters."""

MOST_PHONES = 200
"""As many as may be connected; beyond that someone has to be removed first."""


class Place(StrEnum):
    """How a phone stands to the door."""

    VIEWER = "viewer"
    WAITING = "waiting"
    PAIRED = "paired"


class Asking(StrEnum):
    """What has just happened at the door, for whoever shows it at the table."""

    ASKED = "asked"
    WITHDRAWN = "withdrawn"
    LET_IN = "let_in"


class NotAsked(ValueError):
    """The wish to act is not taken: a stable code, and a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Wish:
    """A phone that has asked, and until when a press lets it in, by the clock of the door."""

    name: str
    token_hash: str
    until_s: float


class Door:
    """Knows the paired phones and the one that asks; may be used from several threads."""

    def __init__(
        self,
        book: PhoneBook,
        clock: Clock,
        *,
        token: Callable[[], str] = secrets.token_urlsafe,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Take the phones from `book`; `token` makes secrets, `now` tells the time of day.

        Raises:
            PhonesFault: they can not be read.
        """
        self._book = book
        self._clock = clock
        self._token = token
        self._now = now
        self._lock = threading.Lock()
        self._paired: Mapping[str, Phone] = {phone.token_hash: phone for phone in book.phones()}
        self._wish: Wish | None = None
        self._failed: tuple[str, str] | None = None
        self.listeners: list[Callable[[Asking], None]] = []
        """Told of each change; that a wish has lapsed is no change, its time was known."""

    def phone(self, token: str | None) -> Phone | None:
        """Return the paired phone whose token this is."""
        return None if token is None else self._paired.get(hash_of(token))

    def phones(self) -> Sequence[Phone]:
        """Return all paired phones, the oldest first."""
        return tuple(self._paired.values())

    def place(self, token: str | None) -> Place:
        """Return how the phone with this token stands."""
        if self.phone(token) is not None:
            return Place.PAIRED
        wish = self.waiting()
        waits = wish is not None and token is not None and wish.token_hash == hash_of(token)
        return Place.WAITING if waits else Place.VIEWER

    def waiting(self) -> Wish | None:
        """Return the wish that the next press grants, if there is one."""
        wish = self._wish
        return wish if wish is not None and self._clock.now_s() < wish.until_s else None

    def left_s(self, wish: Wish) -> float:
        """Return how many seconds a wish has left, at least 0."""
        return max(0.0, wish.until_s - self._clock.now_s())

    def why_not(self, token: str | None) -> str | None:
        """Return in a sentence why the press did not let this phone in, or None."""
        failed = self._failed
        mine = failed is not None and token is not None and failed[0] == hash_of(token)
        return failed[1] if failed is not None and mine else None

    def ask(self, name: str, token: str | None = None) -> str:
        """Ask to act, under a name for people; return the token that the press will make valid.

        `token` is the one the phone holds from an earlier wish, whose time then begins anew. One phone asks
        at a time, so that the press lets in the one whose name is shown and no other.

        Raises:
            NotAsked: another phone is asking (`pairing_busy`), the name is none (`bad_name`), or there are
                too many phones already (`too_many_phones`).
        """
        shown = _shown(name)
        with self._lock:
            if token is not None and self.phone(token) is not None:
                return token
            wish = self.waiting()
            if wish is not None and (token is None or wish.token_hash != hash_of(token)):
                raise NotAsked(
                    "pairing_busy",
                    f"'{wish.name}' is asking just now; press the button for it, or wait "
                    f"{self.left_s(wish):.0f} seconds",
                )
            if len(self._paired) >= MOST_PHONES:
                raise NotAsked(
                    "too_many_phones", f"{MOST_PHONES} phones may act already; remove one of them first"
                )
            # Always a new one: a token that was sent before it counted might be known to others.
            fresh = self._token()
            self._failed = None
            self._wish = Wish(shown, hash_of(fresh), self._clock.now_s() + WISH_LASTS_S)
        self._tell(Asking.ASKED)
        return fresh

    def take_back(self, token: str | None) -> None:
        """Forget the wish of the phone with this token."""
        with self._lock:
            if self._wish is None or token is None or self._wish.token_hash != hash_of(token):
                return
            self._wish = None
        self._tell(Asking.WITHDRAWN)

    def hears(self, gesture: Gesture) -> bool:
        """Take a press of the table's own button where a phone waits for one; then it is no throw.

        Only devices call this: what a phone asks for in the button's place never opens the door.
        """
        return gesture is Gesture.PRESS and self.let_in()

    def let_in(self) -> bool:
        """Let the phone in that asks; False where none does."""
        done = self._let_in()
        if done is not None:
            self._tell(done)
        return done is not None

    def _tell(self, asking: Asking) -> None:
        for listener in tuple(self.listeners):
            listener(asking)

    def _let_in(self) -> Asking | None:
        with self._lock:
            wish = self.waiting()
            if wish is None:
                return None
            self._wish = None
            at = self._now().isoformat(timespec="seconds")
            phone = Phone(secrets.token_hex(4), wish.name, wish.token_hash, at)
            try:
                self._book.add(phone)
            except PhonesFault as fault:
                LOG.warning("a phone cannot be paired: %s", fault.sentence)
                self._failed = (wish.token_hash, fault.sentence)
                return Asking.WITHDRAWN
            self._paired = {**self._paired, phone.token_hash: phone}
            return Asking.LET_IN

    def remove(self, phone_id: str) -> bool:
        """Remove a paired phone; False where there is none with that id.

        Raises:
            PhonesFault: it could not be forgotten, and may still act.
        """
        with self._lock:
            gone = next((phone for phone in self._paired.values() if phone.phone_id == phone_id), None)
            if gone is None:
                return False
            self._book.remove(phone_id)
            self._paired = {key: phone for key, phone in self._paired.items() if phone is not gone}
            return True


def _shown(name: str) -> str:
    """Return a name as it can be shown on one line, or refuse it."""
    shown = one_line(name)
    if not 0 < len(shown) <= NAME_LENGTH:
        raise NotAsked("bad_name", f"give the phone a name of 1 to {NAME_LENGTH} characters")
    return shown
