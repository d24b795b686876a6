"""Telling: the snapshot as messages; what it hides stays hidden, and none says more than a scoreboard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion import __version__
from companion.mqtt.topics import VERSION
from companion.table.facts import Fact, FactKey, card_json, dice_json
from companion.table.phase import Phase
from companion.table.snapshot import GameView, Snapshot
from companion.table.state import HealthState

EVENT_OF: Mapping[FactKey, str] = {
    FactKey.GAME_STARTED: "game_started",
    FactKey.GAME_ABANDONED: "game_left",
    FactKey.CARD_REVEALED: "card_revealed",
    FactKey.CARD_SEEN: "card_revealed",
    FactKey.CARD_CORRECTED: "corrected",
    FactKey.THROW_MADE: "throw_read",
    FactKey.THROW_CORRECTED: "corrected",
    FactKey.TURN_FAILED: "turn_failed",
    FactKey.CARD_TAKEN: "card_taken",
    FactKey.CARD_STOLEN: "card_stolen",
    FactKey.CARDS_EXCHANGED: "cards_exchanged",
    FactKey.PASSED: "passed",
    FactKey.GAME_ENDED: "game_over",
    FactKey.GAME_GOES_ON: "corrected",
    FactKey.UNDONE: "corrected",
    FactKey.REDONE: "corrected",
}
"""The kind of event that a fact is told as; other facts are not told. `turn` follows from the snapshots."""

TURN = "turn"
EVENT_TYPES = tuple(dict.fromkeys((*EVENT_OF.values(), TURN)))

OPEN_CARDS = frozenset({"card_revealed"})
"""Events whose card lies open on the table: named also where scores are hidden."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who tells: the table's id in topics, and its name for people."""

    table: str
    name: str

    def head(self, at: str) -> dict[str, Any]:
        """What every message begins with; `at` is the time now (ISO 8601, UTC)."""
        return {"v": VERSION, "table": self.table, "at": at}


def state_message(speaker: Speaker, snapshot: Snapshot, at: str) -> dict[str, Any]:
    """Return what the table shows."""
    game = snapshot.game
    return {
        **speaker.head(at),
        "name": speaker.name,
        "revision": snapshot.revision,
        "phase": str(snapshot.phase),
        "waits": None if snapshot.reading is None else snapshot.reading.why,
        "game": None if game is None else _game(game),
    }


def _game(game: GameView) -> dict[str, Any]:
    return {
        "id": game.game_id,
        "hidden": game.hidden,
        "colours": list(game.colours),
        "players": [
            {"name": player.name, "cards": player.cards, "points": player.points} for player in game.players
        ],
        "seat": game.seat,
        "throw_number": game.throw_number,
        "throws_left": game.throws_left,
        "dice": None if game.dice is None else dice_json(game.dice),
        "holders": [
            {
                "card": card_json(holder.card),
                "pile": holder.pile,
                "light": None if holder.light is None else str(holder.light),
                "standing": str(holder.standing),
            }
            for holder in game.holders
        ],
        "action": None if game.owed is None else game.owed.action,
        "limits": {"automatic": game.automatic, "by_choice": game.by_choice},
        "winners": None if game.winners is None else list(game.winners),
        "ending": game.ending,
    }


def health_message(speaker: Speaker, snapshot: Snapshot, at: str) -> dict[str, Any]:
    """Return how the table's devices are."""
    faults = [health for health in snapshot.health.values() if health.state is HealthState.FAULT]
    return {
        **speaker.head(at),
        "name": speaker.name,
        "version": __version__,
        "ok": not faults,
        "devices": {name: health.to_json() for name, health in snapshot.health.items()},
    }


def event_messages(speaker: Speaker, before: Snapshot, after: Snapshot, at: str) -> Iterator[dict[str, Any]]:
    """Yield what happened between two snapshots, in its order; a new turn comes last."""
    game = after.game or before.game
    if game is None:
        return
    head = {**speaker.head(at), "game": game.game_id}
    secret = game.hidden and after.phase is not Phase.OVER
    for fact in after.said:
        if fact.revision > before.revision and fact.key in EVENT_OF:
            yield {**head, **_event(fact, secret=secret)}
    now = after.game
    if now is not None and now.seat is not None and _turn(before.game) != _turn(now):
        own = {"seat": now.seat, "player": now.players[now.seat].name}
        yield {**head, "revision": after.revision, "event_type": TURN, "fact": None, **own}


def _turn(game: GameView | None) -> tuple[str, int | None] | None:
    return None if game is None else (game.game_id, game.seat)


def _event(fact: Fact, *, secret: bool) -> dict[str, Any]:
    """Return an event with those of its fact's parameters that anybody may hear."""
    kind, given = EVENT_OF[fact.key], fact.params
    told = {"revision": fact.revision, "event_type": kind, "fact": str(fact.key)}
    open_names = ("seat", "player", "players", "throw_number", "holder", "dice")
    told |= {name: given[name] for name in open_names if name in given}
    if kind == "game_over":
        # `players` of this fact are the winners' names; their seats say the same.
        told.pop("players", None)
        return told | {name: given[name] for name in ("points", "winners", "ending")}
    if "card" in given:
        told["card"] = None if secret and kind not in OPEN_CARDS else given["card"]
    other = given.get("victim", given.get("other"))
    return told if other is None else {**told, "other": other}
