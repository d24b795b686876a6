"""Robots at the simulated table: they throw, press and take as people do, at a pace people can follow."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.coach.planning import PlanningRobot
from companion.coach.robots import GreedyRobot, Robot, ThrowDice
from companion.devices.simulated.button import SimulatedButton
from companion.devices.simulated.robot_hands import as_they_lie, is_amiss, set_aside
from companion.devices.simulated.table import SimulatedTable
from companion.game.cards import Action
from companion.game.decide import apply
from companion.game.events import Event, Pass, Take, Throw
from companion.game.judge import Standing
from companion.game.state import State
from companion.table import intents
from companion.table.conductor import Table
from companion.table.intents import Intent
from companion.table.phase import Phase
from companion.table.ports import Clock
from companion.table.snapshot import GameView, Snapshot

PRESS_S = 0.15
WAIT_S = 0.5
MOST_NAMES = 100
"""Names that are remembered as robots' ones; far more than a table ever has."""


Record = tuple[Event, ...]
ThrowOf = tuple[str, int]
"""Which throw is due: the game, and how many were made in it."""


class RobotKind(StrEnum):
    """The robots there are."""

    GREEDY = "greedy"
    PLANNING = "planning"


ROBOTS: Mapping[RobotKind, Callable[[], Robot]] = {
    RobotKind.GREEDY: GreedyRobot,
    RobotKind.PLANNING: PlanningRobot,
}


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a robot waits before it does something, in seconds."""

    think_s: float = 1.6
    """Before a decision."""
    hand_s: float = 1.0
    """Between setting aside, throwing and pressing."""
    courtesy_s: float = 6.0
    """Before a throw that takes from a person the choice to end the game (rule 4.9)."""
    after_undo_s: float = 12.0
    """Where people have taken something back, and perhaps go on doing so."""
    patience_s: float = 10.0
    """Until it tries again where nothing came of what it did."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing to do, after a wait; it tells whether it could be done."""

    wait_s: float
    do: Callable[[], bool]


class RobotSeats:
    """Plays for those players who are robots, by name; `look` does what is due, its thread calls it."""

    def __init__(
        self,
        table: Table,
        scene: SimulatedTable,
        button: SimulatedButton,
        clock: Clock,
        pace: Pace | None = None,
    ) -> None:
        self._table = table
        self._scene = scene
        self._button = button
        self._clock = clock
        self._pace = pace or Pace()
        self._seated: dict[str, RobotKind] = {}
        self._moment: object = None
        self._plan: list[Act] = []
        self._due_s: float | None = None
        self._threw: ThrowOf | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="robots", daemon=True)

    def seat(self, player: str, kind: RobotKind | None) -> None:
        """Let the player of this name be a robot from now on, or a person (None)."""
        seated = {name: of for name, of in self._seated.items() if name != player}
        if kind is not None:
            seated[player] = kind
        # Replaced as a whole, since another thread reads it; the oldest names are forgotten first.
        self._seated = dict(list(seated.items())[-MOST_NAMES:])

    def seated(self) -> Mapping[str, RobotKind]:
        """Return the names that robots play for."""
        return self._seated

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called again."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(4 * WAIT_S)

    def look(self, now_s: float) -> float | None:
        """Do what is due at `now_s`; return when to look again, None: when the table has changed."""
        snapshot, record = self._table.snapshot(), self._table.record()
        if snapshot is not self._table.snapshot():
            return now_s  # it changed just now
        if snapshot.phase is Phase.READING:
            return None
        moment = self._moment_of(snapshot, record)
        if moment != self._moment:
            self._begin(snapshot, record, moment, now_s)
        if self._due_s is None or now_s < self._due_s:
            return self._due_s
        if not self._plan:  # nothing came of what was done: once more, from the start
            self._begin(snapshot, record, moment, now_s)
            return self._due_s
        if not self._plan.pop(0).do():
            self._plan = []
        self._due_s = now_s + (self._plan[0].wait_s if self._plan else self._pace.patience_s)
        return self._due_s

    def _begin(self, snapshot: Snapshot, record: Record, moment: object, now_s: float) -> None:
        self._moment = moment
        self._plan = self._planned(snapshot, record)
        self._due_s = None
        if self._plan:
            wait_s = self._plan[0].wait_s
            if snapshot.redo is not None:
                wait_s = max(wait_s, self._pace.after_undo_s)
            self._due_s = now_s + wait_s

    def _moment_of(self, snapshot: Snapshot, record: Record) -> object:
        """Return what a plan depends on."""
        game = snapshot.game
        if game is None:
            return None
        doubt = None if snapshot.reading is None else snapshot.reading.why
        cards = tuple(holder.card for holder in game.holders)
        table = (snapshot.phase, doubt, cards, game.owed, game.players, game.seat, game.dice)
        return game.game_id, _throw_count(record), table, self._seated

    def _planned(self, snapshot: Snapshot, record: Record) -> list[Act]:
        """Return what a robot does from here, if it is a robot's turn to do something."""
        game = snapshot.game
        if game is None or game.seat is None or snapshot.phase in (Phase.OVER, Phase.CARD_NEEDED):
            return []
        state = _replayed(record)
        throw_of = game.game_id, _throw_count(record)
        ending = self._ending(game, state, snapshot)
        if ending is not None:
            return [ending]
        robot = self._robot(game, game.seat)
        if robot is None:
            return []
        if snapshot.phase is Phase.DOUBT:
            return [Act(2 * self._pace.think_s, lambda: self._mend(snapshot, throw_of))]
        if snapshot.phase is Phase.ACTION:
            return [self._asking(self._action(game, state, robot), snapshot)]
        if any(holder.standing is Standing.UNKNOWN for holder in game.holders):
            return []
        move = robot.move(state)
        if isinstance(move, ThrowDice):
            return self._throwing(game, state, move, throw_of)
        taken: Intent = intents.Pass() if isinstance(move, Pass) else _take(move)
        return [self._asking(taken, snapshot)]

    def _robot(self, game: GameView, seat: int) -> Robot | None:
        kind = self._seated.get(game.players[seat].name)
        return None if kind is None else ROBOTS[kind]()

    def _ending(self, game: GameView, state: State, snapshot: Snapshot) -> Act | None:
        """Return the end of the game where a robot may and wants to end it (rule 4.9)."""
        if snapshot.phase is not Phase.THROW:
            return None
        for seat in game.may_end:
            robot = self._robot(game, seat)
            if robot is not None and robot.ends_game(state, seat):
                return self._asking(intents.EndEarly(seat), snapshot)
        return None

    def _asking(self, intent: Intent, snapshot: Snapshot) -> Act:
        def do() -> bool:
            return self._table.submit(intent, snapshot.revision).accepted

        return Act(self._pace.think_s, do)

    def _action(self, game: GameView, state: State, robot: Robot) -> Intent:
        owed = state.owed
        assert owed is not None
        drawn = self._table.drawn(state.seat)
        if drawn is not None and game.owed is not None and game.owed.drawn_from is not None:
            return intents.Exchange(game.owed.drawn_from, drawn, robot.gives(state, drawn))
        in_order = owed.action is Action.SUPER_EXCHANGE
        return intents.Draw(owed.seats[0] if in_order else robot.draws_from(state, owed.seats))

    def _throwing(self, game: GameView, state: State, move: ThrowDice, throw_of: ThrowOf) -> list[Act]:
        pace = self._pace
        waits_for = [seat for seat in game.may_end if self._robot(game, seat) is None]

        def arrange() -> bool:
            set_aside(self._scene, state.dice or as_they_lie(self._scene), move.kept)
            return True

        def throw() -> bool:
            self._scene.throw(everything=not move.kept)
            self._threw = throw_of
            return True

        def press() -> bool:
            self._button.held(PRESS_S)
            return True

        think = Act(max(pace.think_s, pace.courtesy_s if waits_for else 0.0), arrange)
        return [think, Act(pace.hand_s, throw), Act(pace.hand_s, press)]

    def _mend(self, snapshot: Snapshot, throw_of: ThrowOf) -> bool:
        """Settle a doubt as the player would: put dice right and press again, else say what lies there."""
        if self._threw != throw_of:
            # Somebody pressed before the robot had thrown: that is no throw.
            return self._table.submit(intents.DismissReading(), snapshot.revision).accepted
        if is_amiss(self._scene):
            self._scene.tidy()
            self._button.held(PRESS_S)
            return True
        dice = as_they_lie(self._scene)
        if self._table.submit(intents.EnterThrow(dice), snapshot.revision).accepted:
            return True
        # The rules refuse what lies there, as where a kept die was turned: it is thrown anew.
        return self._table.submit(intents.DismissReading(), snapshot.revision).accepted

    def _work(self) -> None:
        while not self._closing.is_set():
            revision = self._table.snapshot().revision
            now_s = self._clock.now_s()
            due_s = self.look(now_s)
            wait_s = WAIT_S if due_s is None else min(max(due_s - now_s, 0.0), WAIT_S)
            if due_s is None or wait_s > 0:
                self._table.wait_newer(revision, wait_s)


def _take(move: Take) -> Intent:
    return intents.Take(move.holder, move.change)


def _throw_count(record: Record) -> int:
    return sum(isinstance(event, Throw) for event in record)


def _replayed(record: Record) -> State:
    """Return the state that the game's record leads to: robots know no more than who writes it down."""
    state: State | None = None
    for event in record:
        state = apply(state, event)
    assert state is not None
    return state
