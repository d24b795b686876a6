"""A player for the kill test: a real table on a real store, playing on and saying what was acknowledged.

Run as `python -m tests.store.player FILE SEED`; it prints one JSON object a line: first what it found, then
every accepted step, after the table has answered.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

from companion.game.cards import Action, Card, Group
from companion.game.dice import DEFAULT_COLOURS, Body, Die
from companion.game.record import event_to_json
from companion.store.journal import SqliteJournal
from companion.table import intents
from companion.table.conductor import Table
from companion.table.intents import Intent
from companion.table.ports import LedPatterns
from companion.table.snapshot import Snapshot

CARDS = tuple(
    Card(tuple(Group(size) for size in sizes), sum(sizes), action)
    for sizes in ((3,), (2, 2), (3, 2), (4,))
    for action in (None, *Action)
)


class DarkLeds:
    def show(self, patterns: LedPatterns) -> None:
        pass


class StillClock:
    def now_s(self) -> float:
        return 0.0


def told(table: Table, journal: SqliteJournal) -> dict[str, Any]:
    shown, entries = table.snapshot().to_json(), journal.entries()
    return {
        "revision": shown["revision"],
        "game": shown["game"],
        "events": [event_to_json(e) for e in table.record()],
        "kept_of": next((entry["game"] for entry in entries if entry["do"] == "start"), None),
        "kept": len(entries),
    }


def random_dice(chance: random.Random, kept: tuple[Die, ...] = ()) -> tuple[Die, ...]:
    dice = []
    bodies = [Body.WHITE] * 4 + [Body.BLACK] * 2
    for die in kept:
        bodies.remove(die.body)
        dice.append(Die(die.body, die.colour, True))
    return (*dice, *(Die(body, chance.choice(DEFAULT_COLOURS[:3])) for body in bodies))


def next_intent(chance: random.Random, table: Table, shown: Snapshot) -> Intent:
    """Choose what a table would do next; now and then an undo or a redo."""
    game = shown.game
    if game is None or shown.phase == "over":
        if game is not None and chance.random() < 0.3:
            return intents.Undo()
        return intents.StartGame(("Ana", "Ben", "Chloé"))
    if chance.random() < 0.1:
        return intents.Undo() if chance.random() < 0.5 else intents.Redo()
    unknown = [h for h, holder in enumerate(game.holders) if holder.card is None and holder.pile]
    if unknown and chance.random() < 0.7:
        return intents.NameCard(chance.choice(unknown), chance.choice(CARDS))
    if game.owed is not None:
        seat = game.seat
        assert seat is not None
        drawn = table.drawn(seat)
        if drawn is None:
            return intents.Draw(game.owed.seats[0])
        assert game.owed.drawn_from is not None
        return intents.Exchange(game.owed.drawn_from, drawn, table.hand(seat)[0])
    lit = [h for h, holder in enumerate(game.holders) if holder.light is not None]
    if lit and (chance.random() < 0.7 or game.throws_left == 0):
        holder = chance.choice(lit)
        changes = game.holders[holder].changes
        return intents.Take(holder, changes[0] if changes else None)
    kept: tuple[Die, ...] = ()
    if game.dice is not None:
        kept = tuple(die for die in game.dice if chance.random() < 0.5)[:5]
    return intents.EnterThrow(random_dice(chance, kept))


def main() -> None:
    file, seed = Path(sys.argv[1]), sys.argv[2]
    chance = random.Random(seed)
    with SqliteJournal(file) as journal, Table(journal, None, None, DarkLeds(), StillClock()) as table:
        print(json.dumps({"found": told(table, journal)}), flush=True)
        while True:
            outcome = table.submit(next_intent(chance, table, table.snapshot()))
            if outcome.accepted:
                print(json.dumps({"acknowledged": told(table, journal)}), flush=True)


if __name__ == "__main__":
    main()
