"""The outbox: finished games that are still to be delivered, as the journal itself tells them.

A finished game is in the journal before anybody sees its end, so nothing has to be put in the outbox that a
power cut could lose: a game is due while more was kept of it than was delivered. It leaves when the broker
has said that it has it.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from companion.game.record import event_to_json
from companion.history.past_game import PastGame, Status, past_game
from companion.history.shelf import ShelfEntry
from companion.mqtt.telling import Speaker
from companion.table.log import LogError

LOG = logging.getLogger(__name__)
NOTHING_TOLD = ""
"""The digest of a game that was never delivered as finished, or was withdrawn."""


class OutboxFault(Exception):
    """What was delivered can not be read or noted now; the message is the sentence for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Due:
    """A game of which more was kept than was delivered."""

    game_id: str
    started_at: str
    last_entry: int
    """The number of its last entry: the version of its message."""
    digest: str
    """Of the record that was delivered last, or NOTHING_TOLD."""
    is_newest: bool
    again: bool = False
    """Whether who was told of that record may have forgotten it: then it is told even if nothing changed."""


@dataclass(frozen=True, slots=True)
class Message:
    """A game's message for the broker, and what to note once it has it."""

    game_id: str
    version: int
    digest: str
    body: dict[str, Any]


class OutboxStore(Protocol):
    """Notes beside the journal: which games were delivered, how far, and when."""

    def due(self) -> Sequence[Due]:
        """Return the games of which more was kept than was delivered, oldest first.

        Raises:
            OutboxFault: they can not be read.
        """

    def delivered_since(self, moment: datetime) -> Sequence[Due]:
        """Return the games that were delivered since then and are unchanged, oldest first.

        Raises:
            OutboxFault: they can not be read.
        """

    def entries(self, game_id: str) -> Sequence[ShelfEntry]:
        """Return a game's entries in their order.

        Raises:
            OutboxFault: they can not be read.
        """

    def forget(self, game_id: str) -> None:
        """Note that a game that was delivered may be forgotten by all: it is due again, as one told before.

        Raises:
            OutboxFault: it can not be noted.
        """

    def note(self, game_id: str, version: int, digest: str, at: datetime) -> None:
        """Note, synced to the disk, that a game was delivered as far as `version`.

        Raises:
            OutboxFault: it can not be noted.
        """


def messages_due(
    store: OutboxStore, speaker: Speaker, at: datetime, passing_over: Collection[str] = ()
) -> Iterator[Message]:
    """Yield what is to be delivered but for these games; one with nothing to tell is noted, to be left alone.

    Raises:
        OutboxFault: the games can not be read, or the note not be made.
    """
    for due in store.due():
        if due.game_id in passing_over:
            continue
        game = _read(store, due)
        if game is not None and game.status is Status.FINISHED:
            message = game_message(speaker, game, due.last_entry, at)
        elif due.digest != NOTHING_TOLD:
            message = withdrawal(speaker, due, at)
        elif due.is_newest:
            continue  # it is being played
        else:
            message = None
        if message is None or (message.digest == due.digest and not due.again):
            store.note(due.game_id, due.last_entry, due.digest, at)
        else:
            yield message


def message_again(store: OutboxStore, speaker: Speaker, due: Due, at: datetime) -> Message | None:
    """Return the message of a game that was delivered already; None where it is not as it was then.

    Raises:
        OutboxFault: the game can not be read.
    """
    game = _read(store, due)
    if game is None or game.status is not Status.FINISHED:
        return None
    message = game_message(speaker, game, due.last_entry, at)
    return message if message.digest == due.digest else None


def _read(store: OutboxStore, due: Due) -> PastGame | None:
    try:
        return past_game(due.started_at, store.entries(due.game_id))
    except LogError as error:
        # One game that does not fit must not keep the others back.
        LOG.warning("game %s cannot be delivered: %s", due.game_id, error)
        return None


def game_message(speaker: Speaker, game: PastGame, version: int, at: datetime) -> Message:
    """Return a finished game's message: its record, from which whoever gets it replays all else."""
    record = [event_to_json(event) for event in game.events]
    game_id = game.sitting.game_id
    body = {
        **_head(speaker, game_id, version, at),
        "withdrawn": False,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
        "hidden": game.sitting.hidden,
        "record": record,
    }
    return Message(game_id, version, digest_of_record(record), body)


def withdrawal(speaker: Speaker, due: Due, at: datetime) -> Message:
    """Return the message that a game delivered as finished is none: its end was taken back."""
    body = {**_head(speaker, due.game_id, due.last_entry, at), "withdrawn": True}
    return Message(due.game_id, due.last_entry, NOTHING_TOLD, body)


def _head(speaker: Speaker, game_id: str, version: int, at: datetime) -> dict[str, Any]:
    return {
        **speaker.head(at.isoformat(timespec="milliseconds")),
        "name": speaker.name,
        "game": game_id,
        "version": version,
    }


def digest_of_record(record: Sequence[dict[str, Any]]) -> str:
    """Return a SHA-256 in hexadecimal digits that is the same for the same course of play."""
    text = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
