"""A person at the demo: does through its pages' routes what someone at the table would do."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from flask.testing import FlaskClient

from companion.cli.demo_table import Demo
from companion.coach.odds import odds
from companion.coach.position import Position
from companion.game.dice import DEFAULT_COLOURS
from companion.game.events import Throw
from companion.game.record import card_from_json, die_from_json, die_to_json

PATIENCE_S = 120.0
PRESS_MS, HOLD_MS, LONG_HOLD_MS = 120, 1200, 3600
Json = dict[str, Any]


@dataclass
class Person:
    """Throws, presses, sets aside, takes; counts the readings that had to be mended."""

    demo: Demo
    client: FlaskClient
    readings: int = 0
    mended: int = 0
    wrong_but_trusted: int = 0
    doubts: list[list[str]] = field(default_factory=list)

    def state(self) -> Json:
        return dict(self.client.get("/demo/state").get_json())

    def snapshot(self) -> Json:
        return dict(self.client.get("/api/snapshot").get_json())

    def act(self, path: str, **body: object) -> Json:
        answer = self.client.post(f"/demo/{path}", json=body)
        assert answer.status_code == 200, answer.get_json()
        return dict(answer.get_json())

    def ask(self, kind: str, **fields: object) -> Json:
        """Hand an intent to the table as a phone would; where the dealer was quicker, look again, repeat."""
        intent = {"type": kind, **fields}
        answer = self.client.post(
            "/api/intents", json={"revision": self.snapshot()["revision"], "intent": intent}
        )
        while answer.status_code == 409 and answer.get_json()["code"] == "stale":
            seen = answer.get_json()["snapshot"]["revision"]
            answer = self.client.post("/api/intents", json={"revision": seen, "intent": intent})
        assert answer.status_code == 200, answer.get_json()
        return dict(answer.get_json()["snapshot"])

    def button(self, held_ms: int) -> None:
        self.act("button", held_ms=held_ms)

    def until(self, *phases: str) -> Json:
        """Wait until the table is in another phase than these, and no card is unknown."""
        now = self.snapshot()
        while now["phase"] in phases or self.is_card_unknown(now):
            assert self.demo.table.wait_newer(now["revision"], PATIENCE_S) is not None, (
                f"stuck in {now['phase']}: {now['game'] and now['game']['holders']}"
            )
            now = self.snapshot()
        return now

    def until_led(self, holder: int, pattern: str) -> None:
        """Wait until a holder's LED shows a pattern: LEDs follow what phones show, each in its own time."""
        end = time.monotonic() + PATIENCE_S
        while (shown := self.state()["leds"][holder]["pattern"]) != pattern:
            assert time.monotonic() < end, f"LED {holder} shows {shown}, not {pattern}"
            time.sleep(0.02)

    @staticmethod
    def is_card_unknown(snapshot: Json) -> bool:
        game = snapshot["game"]
        if game is None or snapshot["phase"] == "over":
            return False
        return any(holder["standing"] == "unknown" for holder in game["holders"])

    def lying(self) -> list[Json]:
        """The dice as they truly lie, in the form of a record."""
        return [
            {"body": die["body"], "colour": die["colour"], "kept": die["zone"] == "reserve"}
            for die in self.state()["dice"]
        ]

    def press_and_mend(self) -> Json:
        """Press the button; where the companion doubts, mend the reading on the phone."""
        truth = self.lying()
        self.button(PRESS_MS)
        now = self.until("reading")
        self.readings += 1
        if now["phase"] == "doubt":
            self.mended += 1
            self.doubts.append(now["reading"]["problems"] or [now["reading"]["why"]])
            return self.ask("enter_throw", dice=truth)
        if as_bag(last_throw(self.demo)) != as_bag(truth):
            self.wrong_but_trusted += 1
        return now

    def keep_wisely(self, game: Json) -> None:
        """Set aside what gives the best chance of any card, turned by the change where that helps."""
        wish = odds(position_of(game))
        assert wish.keep is not None
        dice = game["dice"]
        kept = [dict(dice[index], kept=True) for index in wish.keep]
        wanted = Counter((die["body"], die["colour"]) for die in kept)
        for die in self.state()["dice"]:
            stays = wanted[die["body"], die["colour"]] > 0
            wanted[die["body"], die["colour"]] -= stays
            changed = wish.change is not None and stays and wish.change.die in wish.keep
            if changed and wish.change is not None and matches(die, dice[wish.change.die]):
                self.act("die", index=die["index"], colour=wish.change.colour)
                wish = replace(wish, change=None)
            elif stays != (die["zone"] == "reserve"):
                self.act("die", index=die["index"])


def matches(one: Json, other: Json) -> bool:
    """Whether two dice have the same body and colour."""
    return bool(one["body"] == other["body"] and one["colour"] == other["colour"])


def position_of(game: Json) -> Position:
    """What the coach is asked about the game as a phone sees it, each card worth the same."""
    holders = game["holders"]
    cards = tuple(
        None if holder["card"] is None else card_from_json(holder["card"], DEFAULT_COLOURS)
        for holder in holders
    )
    dice = tuple(die_from_json(die, DEFAULT_COLOURS) for die in game["dice"])
    lost = frozenset(index for index, holder in enumerate(holders) if holder["standing"] == "lost")
    return Position(cards, lost, dice, game["throw_number"], worth=(1.0, 1.0, 1.0))


def last_throw(demo: Demo) -> list[Json]:
    """The dice of the record's last throw."""
    throws = [event for event in demo.table.record() if isinstance(event, Throw)]
    return [die_to_json(die) for die in throws[-1].dice]


def as_bag(dice: list[Json]) -> Counter[tuple[str, str, bool]]:
    """Dice without their order."""
    return Counter((die["body"], die["colour"], die["kept"]) for die in dice)
