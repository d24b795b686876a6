"""A table's file with games in it, played by robots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from companion.coach.robots import GreedyRobot
from companion.game.deck import default_deck
from companion.game.events import Event, Start
from companion.selfplay.game import play_game
from companion.store.journal import SqliteJournal
from companion.table.entries import Entry, Happened, Reserved, Started, entry_to_json


def robot_game(*players: str, seed: str = "1") -> tuple[Event, ...]:
    """A finished game of greedy robots under these names."""
    start, *events = play_game([GreedyRobot() for _ in players], default_deck().cards, seed).events
    assert isinstance(start, Start)
    return (replace(start, players=players), *events)


def entries_of(game_id: str, events: Sequence[Event], *, hidden: bool = False) -> list[Entry]:
    """A game as the table keeps it, a step for each event."""
    start, *others = events
    assert isinstance(start, Start)
    return [Started(game_id, "seed", hidden, start, 100), *(Happened((event,)) for event in others)]


def keep(journal: SqliteJournal, *entries: Entry) -> None:
    """Keep entries as the table does."""
    journal.append(*(entry_to_json(entry) for entry in entries))


def file_with_games(path: Path, *games: tuple[str, ...]) -> Path:
    """A file with one finished game for each list of players; the first has the id "game0"."""
    with SqliteJournal(path) as journal:
        for number, players in enumerate(games):
            keep(journal, *entries_of(f"game{number}", robot_game(*players, seed=f"{number}")))
        keep(journal, Reserved(10_000))
    return path
