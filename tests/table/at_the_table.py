"""A table without threads, to be driven in its own words; after every step its laws are checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.game.cards import Action, Card, Group
from companion.game.dice import Body, Die
from companion.game.record import event_to_json
from companion.table import intents
from companion.table.decide import Decision, Inner, ReadingArrived, ReadingFailed, Tick, decide, opened
from companion.table.decision import Moment
from companion.table.entries import entry_to_json
from companion.table.intents import Intent
from companion.table.lights import leds_of
from companion.table.log import Log, replayed
from companion.table.ports import LedPattern
from companion.table.showing import snapshot_of
from companion.table.snapshot import Snapshot
from companion.table.state import Health, HealthState, Pending, Picture, Setup, TableState
from companion.vision.reading import DieSeen, Reading

TOKEN = "0123456789abcdef" * 2
BODIES = {"w": Body.WHITE, "b": Body.BLACK}
COLOURS = {"r": "red", "o": "orange", "y": "yellow", "g": "green", "b": "blue", "p": "purple"}


def free(*sizes: int, points: int = 1, action: Action | None = None) -> Card:
    """Return a card of free groups."""
    return Card(tuple(Group(size) for size in sizes), points, action)


def named(*colours: str, points: int = 1) -> Card:
    """Return a card that needs these dice, a group a colour."""
    groups = {colour: colours.count(colour) for colour in colours}
    return Card(tuple(Group(size, colour) for colour, size in groups.items()), points)


THREE, FOUR, SIX = free(3), free(4, points=2), free(6, points=9)


def dice(text: str) -> tuple[Die, ...]:
    """Return dice from words like `wr bg* wr`: body, colour, and a star for kept."""
    return tuple(Die(BODIES[word[0]], COLOURS[word[1]], word.endswith("*")) for word in text.split())


def reading(
    text: str,
    *,
    problems: Sequence[str] = (),
    moved_px: float = 0.0,
    confidence: float = 0.99,
    runner_up: str = "purple",
) -> Reading:
    """Return a reading of these dice in a row, the kept ones in the reserve, all moved by `moved_px`."""
    seen = []
    for place, die in enumerate(dice(text)):
        x, y = 100.0 * place + moved_px, 500.0 if die.kept else 200.0
        top = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
        zone = "reserve" if die.kept else "track"
        seen.append(DieSeen(str(die.body), die.colour, zone, (x, y), top, confidence, runner_up))
    return Reading(tuple(seen), tuple(problems), not problems)


class AtTheTable:
    """The pure core, its journal and a clock that stands until it is moved."""

    def __init__(self, setup: Setup | None = None, journal: Sequence[dict[str, Any]] = ()) -> None:
        self.now_s = 100.0
        self.journal: list[str] = [json.dumps(entry) for entry in journal]
        self.throws_moved = 0
        self.state = TableState(setup or Setup(), health={"camera": Health(HealthState.OK)})
        self._take(opened(self.state))

    @property
    def shown(self) -> Snapshot:
        return snapshot_of(self.state)

    @property
    def leds(self) -> str:
        """The LEDs as three letters: off, Steady, slow blink (~), Fast, Reading, Look at the phone, Taken."""
        letters = {
            LedPattern.OFF: "-",
            LedPattern.STEADY: "S",
            LedPattern.SLOW_BLINK: "~",
            LedPattern.FAST_BLINK: "F",
            LedPattern.READING: "R",
            LedPattern.LOOK_AT_PHONE: "L",
            LedPattern.TAKEN: "T",
        }
        return "".join(letters[pattern] for pattern in self.shown.leds)

    @property
    def said(self) -> list[str]:
        """The keys of what the last step told."""
        facts = self.shown.said
        return [str(fact.key) for fact in facts if fact.revision == facts[-1].revision]

    @property
    def events(self) -> list[dict[str, Any]]:
        return self.events_of(self.state)

    @staticmethod
    def events_of(state: TableState) -> list[dict[str, Any]]:
        """The game record at that state."""
        sitting = state.log.playing
        return [] if sitting is None else [event_to_json(event) for event in sitting.course.events()]

    def ask(self, intent: Intent | Inner, seen: int | None = None) -> str | None:
        """Let the table decide; return the code of a refusal."""
        decision = decide(self.state, intent, Moment(self.now_s, TOKEN), seen)
        self._take(decision)
        return None if decision.refusal is None else decision.refusal.code

    def does(self, intent: Intent | Inner) -> None:
        """Let the table decide, and expect no refusal."""
        code = self.ask(intent)
        assert code is None, code

    def start(self, *names: str, cards: Sequence[Card] = (THREE, FOUR, SIX), hidden: bool = False) -> None:
        self.does(intents.StartGame(names or ("Ana", "Ben"), 0, hidden))
        for holder, card in enumerate(cards):
            self.does(intents.NameCard(holder, card))

    def throws(self, text: str) -> None:
        """Type a throw."""
        self.does(intents.EnterThrow(dice(text)))

    def presses(self) -> str | None:
        return self.ask(intents.Press())

    def reads(self, seen: Reading) -> None:
        """Let the reading of the press under way arrive."""
        pending = self.state.waiting
        assert isinstance(pending, Pending), "nothing is being read"
        self.ask(ReadingArrived(pending.token, seen, Picture(str(pending.token), (1024, 768))))

    def presses_and_reads(self, text: str, **how: Any) -> None:
        """Press, and have these dice read, each throw elsewhere than the one before."""
        assert self.presses() is None
        self.throws_moved += 1
        self.reads(reading(text, **{"moved_px": 33.0 * self.throws_moved, **how}))

    def fails_to_read(self, code: str = "camera_fault", sentence: str = "The camera is away.") -> None:
        pending = self.state.waiting
        assert isinstance(pending, Pending)
        self.ask(ReadingFailed(pending.token, code, sentence))

    def waits(self, seconds: float) -> None:
        self.now_s += seconds
        self.ask(Tick())

    def restarted(self) -> AtTheTable:
        """Return another table that begins with this one's journal."""
        other = AtTheTable.__new__(AtTheTable)
        log, revision = replayed(self.entries())
        other.now_s, other.journal, other.throws_moved = self.now_s, list(self.journal), self.throws_moved
        other.state = replace(
            TableState(self.state.setup),
            log=log,
            revision=revision,
            reserved=revision,
            health=self.state.health,
        )
        other._take(opened(other.state))
        return other

    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(entry) for entry in self.journal]

    def _take(self, decision: Decision) -> None:
        """Keep and publish as the conductor does, and check what always holds."""
        before = self.state
        for entry in decision.entries:
            data = entry_to_json(entry)
            if data["do"] == "start":
                self.journal.clear()
            self.journal.append(json.dumps(data))
        self.state = decision.state
        if decision.state is not before:
            assert decision.state.revision > before.revision
        self.check()

    def check(self) -> None:
        """Check what holds in every state: LEDs from the snapshot, revisions reserved, all in the journal."""
        state, shown = self.state, self.shown
        holders = () if shown.game is None else shown.game.holders
        assert shown.leds == leds_of(shown.phase, holders, shown.marker, shown.said)
        assert shown.revision < state.reserved
        json.dumps(shown.to_json())
        log, revision = replayed(self.entries())
        assert revision == state.reserved
        assert kept(log) == kept(state.log)


def kept(log: Log) -> object:
    """Return what the journal must bring back."""
    labels = [None if label is None else label.label() for label in (log.undo_label, log.redo_label)]
    sitting = log.sitting
    if sitting is None:
        return labels
    course = [event_to_json(event) for event in sitting.course.events()]
    own = (sitting.game_id, sitting.seed, sitting.hidden, sitting.held, sitting.drawn, sitting.abandoned)
    return labels, course, own, sitting.reveals, sitting.state


def not_now(table: AtTheTable) -> dict[str, Any]:
    """Return the refusal that was told last."""
    fact = table.shown.said[-1]
    assert fact.key == "not_now"
    return dict(fact.params)
