"""Results: what a finished game's record says by the rules, as a club counts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from companion.game.course import Course
from companion.game.events import Start, Throw
from companion.game.fields import BadLine, one_line
from companion.game.record import Terms, event_from_json, terms_of
from companion.game.refusal import Refused
from companion.game.state import Stage
from companion.mqtt.outbox import digest_of_record

MOST_NAME = 60
"""The longest name of a player, in characters; a table takes forty."""

MOST_POINTS = 100_000
"""More than any game's cards are worth, and less than any database's whole numbers."""

AHEAD = 1.0
"""What it counts to be ahead of an opponent; a tie is half of it."""


class Refusal(ValueError):
    """A message that is not counted; the text says why."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player in a game; `place` is 1 for the winners, and players with equal points share a place."""

    name: str
    points: int
    cards: int
    place: int

    @property
    def key(self) -> str:
        """Who it is: a player is a name, whatever its capitals, at any table."""
        return key_of(self.name)


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game. Times are ISO 8601 in UTC with milliseconds, so that they sort as texts."""

    game_id: str
    table: str
    table_name: str
    version: int
    started_at: str
    ended_at: str
    ending: str
    throws: int
    seats: tuple[Seat, ...]

    @property
    def order(self) -> tuple[str, str]:
        """The order in which games are counted, the same in every rebuild."""
        return self.ended_at, self.game_id

    @property
    def winners(self) -> tuple[str, ...]:
        """The keys of those who won."""
        return tuple(seat.key for seat in self.seats if seat.place == 1)

    def share(self, own: Seat) -> float:
        """What a seat counts in the season: each opponent it is ahead of counts one, a tie half."""
        others = [seat for seat in self.seats if seat is not own]
        return sum(
            AHEAD if own.place < seat.place else AHEAD / 2 for seat in others if own.place <= seat.place
        )


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message of a finished game: its result and its record, or that it is withdrawn (both None)."""

    game_id: str
    table: str
    table_name: str
    version: int
    result: Result | None
    record: tuple[Mapping[str, Any], ...] | None

    @property
    def digest(self) -> str:
        """Of the record, "" where there is none."""
        return "" if self.record is None else digest_of_record([dict(event) for event in self.record])


def key_of(name: str) -> str:
    """Return what two spellings of one player's name have in common.

    >>> key_of(" Zoë  Martin") == key_of("ZOË MARTIN")
    True
    """
    return " ".join(name.split()).casefold()


def delivery_of(message: Mapping[str, Any], table: str, game_id: str) -> Delivery:
    """Return what a message of the schema `game` delivers; `table` and `game_id` are what its topic says.

    Raises:
        Refusal: it speaks for another table or game, or its record is none of a finished game.
    """
    if message["table"] != table or message["game"] != game_id:
        raise Refusal("it speaks for another table or game than its topic")
    own = (game_id, table, one_line(message["name"]) or table, int(message["version"]))
    if message["withdrawn"]:
        return Delivery(*own, None, None)
    record = tuple(message["record"])
    try:
        digest_of_record(record)
    except UnicodeEncodeError as error:
        raise Refusal("there is half a character in its record") from error
    times = (moment(message["started_at"]), moment(message["ended_at"]))
    return Delivery(*own, result_of(record, own, times), record)


def result_of(
    record: Sequence[Mapping[str, Any]], own: tuple[str, str, str, int], times: tuple[str, str]
) -> Result:
    """Return what a record says by the rules; `own` are game, table, its name and version, `times` its ends.

    Raises:
        Refusal: the rules refuse it, or the game is not over at its end.
    """
    course, terms = Course(), Terms()
    for number, line in enumerate(record, start=1):
        try:
            event = event_from_json(dict(line), terms)
            course = course.do(event)
        except (BadLine, Refused) as error:
            raise Refusal(f"line {number} of its record: {error}") from error
        if isinstance(event, Start):
            terms = terms_of(event)
    state = course.state
    if state is None or state.stage is not Stage.OVER or state.ending is None:
        raise Refusal("its record does not go to a game's end")
    if max(state.points) > MOST_POINTS:
        raise Refusal("its cards are worth more than any cards are")
    names = _names(state.players)
    throws = sum(isinstance(event, Throw) for event in course.events())
    seats = tuple(
        Seat(name, points, len(state.hands[seat]), 1 + sum(other > points for other in state.points))
        for seat, (name, points) in enumerate(zip(names, state.points, strict=True))
    )
    return Result(*own, *times, state.ending.value, throws, seats)


def _names(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names as a club writes them: not too long, none empty, no two the same.

    >>> _names(("Ana", "ANA", " "))
    ('Ana', 'ANA (2)', 'Player 3')
    """
    found: dict[str, str] = {}
    for number, player in enumerate(players, start=1):
        name = own = one_line(player)[:MOST_NAME].rstrip() or f"Player {number}"
        count = 1
        while key_of(name) in found:
            count += 1
            name = f"{own} ({count})"
        found[key_of(name)] = name
    return tuple(found.values())


def moment(text: str) -> str:
    """Return a time as ISO 8601 in UTC with milliseconds.

    Raises:
        Refusal: it is none.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise Refusal(f"'{text}' is no time") from error
    if found.tzinfo is None:
        raise Refusal(f"'{text}' has no zone")
    try:
        return found.astimezone(UTC).isoformat(timespec="milliseconds")
    except OverflowError as error:
        raise Refusal(f"'{text}' is no time that any clock shows") from error
