"""Finished games as a table delivers them, made quickly."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from companion.bench.random_game import random_course
from companion.club.results import Delivery, delivery_of
from companion.game.events import Start
from companion.game.record import event_to_json

BEGIN = datetime(2026, 9, 1, 18, tzinfo=UTC)
NAMES = ("Ana", "Ben", "Chloé", "Dan", "Eve", "Finn")


@cache
def _record(seed: int, players: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    course = random_course(random.Random(seed), Start(players, 0))
    return tuple(event_to_json(event) for event in course)


def message(
    seed: int, *, table: str = "oak", players: tuple[str, ...] | None = None, **more: Any
) -> dict[str, Any]:
    """Return a game's message; games of rising seeds ended one after the other, an hour each."""
    chance = random.Random(seed)
    who = players or tuple(chance.sample(NAMES, chance.randint(2, 4)))
    ended = BEGIN + timedelta(hours=seed)
    return {
        "v": 1,
        "table": table,
        "at": ended.isoformat(timespec="milliseconds"),
        "name": f"The {table}",
        "game": f"{table}{seed:06}",
        "version": 10,
        "withdrawn": False,
        "started_at": (ended - timedelta(hours=1)).isoformat(timespec="milliseconds"),
        "ended_at": ended.isoformat(timespec="milliseconds"),
        "hidden": False,
        "record": list(_record(seed, who)),
        **more,
    }


def delivery(seed: int, **more: Any) -> Delivery:
    """Return what such a message delivers."""
    told = message(seed, **more)
    return delivery_of(told, told["table"], told["game"])


def withdrawn(seed: int, version: int) -> Delivery:
    """Return that such a game is none any more."""
    told = message(seed)
    kept = {key: told[key] for key in ("v", "table", "at", "name", "game")}
    return delivery_of({**kept, "version": version, "withdrawn": True}, told["table"], told["game"])
