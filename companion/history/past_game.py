"""A past game: its effective course, how it ended, and the small digest of it that is kept in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.game.cards import Card
from companion.game.course import Node
from companion.game.dice import Body
from companion.game.events import Event, Take, Throw
from companion.game.state import Stage
from companion.history.shelf import ShelfEntry
from companion.table.log import Sitting, replayed


class Status(StrEnum):
    """How a game stands."""

    FINISHED = "finished"
    LEFT = "left"
    """It was left unfinished, or another one was begun."""
    UNDER_WAY = "under_way"


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game with all its states, as the journal tells it."""

    sitting: Sitting
    started_at: str
    ended_at: str
    """When the last thing happened in it."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The effective events with their states, oldest first."""
        return tuple(self.sitting.course.nodes())[::-1]

    @property
    def events(self) -> tuple[Event, ...]:
        """The game record."""
        return self.sitting.course.events()

    @property
    def status(self) -> Status:
        """How it stands, as far as it tells itself."""
        if self.sitting.state.stage is Stage.OVER:
            return Status.FINISHED
        return Status.LEFT if self.sitting.abandoned else Status.UNDER_WAY


@dataclass(frozen=True, slots=True)
class SeatTally:
    """What one player did in a game."""

    turns: int
    """A replay's extra turn is a turn of its own."""
    throws: int
    shapes: Mapping[str, int]
    """Cards won from the holders by shape, as sizes in falling order ("3+2"); others under `OTHER_SHAPE`."""


@dataclass(frozen=True, slots=True)
class Digest:
    """What lists and statistics need of a game."""

    game_id: str
    started_at: str
    ended_at: str
    status: Status
    players: tuple[str, ...]
    first: int
    points: tuple[int, ...]
    cards: tuple[int, ...]
    winners: tuple[int, ...] | None
    ending: str | None
    tallies: tuple[SeatTally, ...]
    colours: tuple[str, ...]
    faces: Mapping[Body, tuple[int, ...]]
    """By body: how often each of the colours came up among the dice that were thrown (not kept)."""
    hidden: bool


OTHER_SHAPE = "other"


def past_game(started_at: str, entries: Sequence[ShelfEntry]) -> PastGame | None:
    """Return the game that the entries tell, or None where they tell none.

    Raises:
        LogError: they do not fit together.
    """
    log, _ = replayed(entry.body for entry in entries)
    if log.sitting is None:
        return None
    # What the table reserves at each start is nothing that happened in the game.
    happened = [entry.kept_at for entry in entries if entry.body["do"] != "reserve"]
    return PastGame(log.sitting, started_at, happened[-1])


def digest_of(game: PastGame) -> Digest:
    """Return the digest of a game."""
    state = game.sitting.state
    return Digest(
        game_id=game.sitting.game_id,
        started_at=game.started_at,
        ended_at=game.ended_at,
        status=game.status,
        players=state.players,
        first=game.nodes[0].state.seat,
        points=state.points,
        cards=tuple(map(len, state.hands)),
        winners=state.winners,
        ending=None if state.ending is None else state.ending.value,
        tallies=tuple(_tally(game, seat) for seat in range(len(state.players))),
        colours=state.colours,
        faces={body: _faces(game, body) for body in Body},
        hidden=game.sitting.hidden,
    )


def _tally(game: PastGame, seat: int) -> SeatTally:
    turns = throws = 0
    shapes: Counter[str] = Counter()
    for node in game.nodes:
        before = None if node.before is None else node.before.state
        if before is None or before.seat != seat:
            continue
        if isinstance(node.event, Throw):
            throws += 1
            turns += before.stage is Stage.THROW
        elif isinstance(node.event, Take):
            card = before.visible[node.event.holder]
            assert card is not None, "what is taken is known (rule 3.9)"
            shapes[_shape_key(card)] += 1
    return SeatTally(turns, throws, dict(shapes))


def _shape_key(card: Card) -> str:
    if card.shape is None:
        return OTHER_SHAPE
    return "+".join(str(size) for size in sorted((group.size for group in card.groups), reverse=True))


def _faces(game: PastGame, body: Body) -> tuple[int, ...]:
    thrown = Counter(
        die.colour
        for event in game.events
        if isinstance(event, Throw)
        for die in event.dice
        if die.body is body and not die.kept
    )
    return tuple(thrown[colour] for colour in game.sitting.state.colours)
