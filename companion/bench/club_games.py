"""What a finished game costs a club: its message, its row, replaying, storing, rating."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from companion.bench import Figure
from companion.coach.robots import GreedyRobot
from companion.game.deck import default_deck
from companion.game.record import event_to_json
from companion.selfplay.game import play_game

GAMES, DIFFERENT, AT_ONCE = 1000, 12, 20
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def figures(database: str | None = None) -> Sequence[Figure]:
    """Store games of greedy robots in an SQLite file, or in an empty database by its URL."""
    from companion.club.book import Book
    from companion.club.database import opened
    from companion.club.ledger import Ledger
    from companion.club.results import delivery_of

    messages = _messages()
    events = sum(len(message["record"]) for message in messages) / GAMES
    size = sum(len(json.dumps(message, separators=(",", ":")).encode()) for message in messages) / GAMES
    with tempfile.TemporaryDirectory(prefix="companion-club-") as folder:
        file = Path(folder) / "club.db"
        replayed_s = time.process_time()
        deliveries = [delivery_of(message, message["table"], message["game"]) for message in messages]
        replayed_s = time.process_time() - replayed_s
        with opened(database or str(file)) as engine:
            ledger = Ledger(engine)
            stored_s = time.process_time()
            for start in range(0, GAMES, AT_ONCE):
                ledger.store(deliveries[start : start + AT_ONCE])
            stored_s = time.process_time() - stored_s
            read_s = time.process_time()
            Book(ledger, "year").ratings()
            read_s = time.process_time() - read_s
        kept = file.stat().st_size if database is None else 0
    return (
        Figure("events of a game of robots", events, ""),
        Figure("its message", size / 1024, "KiB"),
        *(() if database else (Figure("its row and seats in SQLite", kept / GAMES / 1024, "KiB"),)),
        Figure("replaying a game by the rules", replayed_s * 1000 / GAMES, "ms"),
        Figure("storing a game", stored_s * 1000 / GAMES, "ms"),
        Figure("reading and rating a game at the start", read_s * 1000 / GAMES, "ms"),
    )


def _messages() -> list[dict[str, Any]]:
    chance = random.Random(20261130)
    players = [f"Player {number}" for number in range(60)]
    deck = default_deck().cards
    games = [play_game([GreedyRobot()] * (2 + n % 4), deck, f"club {n}") for n in range(DIFFERENT)]
    records = [[event_to_json(event) for event in game.events] for game in games]
    found = []
    for number in range(GAMES):
        start, *rest = records[number % DIFFERENT]
        at = (BEGIN + timedelta(minutes=13 * number)).isoformat(timespec="milliseconds")
        who = chance.sample(players, len(start["players"]))
        found.append(
            {
                "v": 1,
                "table": f"t{number % 20}",
                "at": at,
                "name": "A table",
                "game": f"{number:012x}",
                "version": 200,
                "withdrawn": False,
                "started_at": at,
                "ended_at": at,
                "hidden": False,
                "record": [{**start, "players": who}, *rest],
            }
        )
    return found
