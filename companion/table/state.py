"""The table's state: the log, what waits for people, the marker, what was said, and each device's health."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.game.dice import DEFAULT_COLOURS, Die
from companion.game.events import HOLDER_COUNT
from companion.table.facts import Fact
from companion.table.log import Log
from companion.table.sights import Sights
from companion.vision.reading import DieSeen

SAID_COUNT = 8
"""How many facts are kept to be shown."""

PASS_MARK = "pass"
"""The marker's place beside the holders: decline the change (rule 3.5)."""

Mark = int | str
"""A holder, or PASS_MARK."""


class HealthState(StrEnum):
    """How a device is."""

    OK = "ok"
    STARTING = "starting"
    FAULT = "fault"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Health:
    """How a device is, and what to do about it."""

    state: HealthState
    sentence: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As in the snapshot's `health`."""
        return {"state": str(self.state), "sentence": self.sentence}


@dataclass(frozen=True, slots=True)
class Basis:
    """The moment of the game that a picture was taken for; a reading for another moment comes too late."""

    game_id: str
    seat: int
    throw_number: int
    event_count: int
    """Events without reveals: naming a card meanwhile changes nothing for a reading."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A press whose picture is being taken and read; `token` is the revision at which it was heard."""

    token: int
    basis: Basis
    deadline_s: float


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a reading: its id, and its size in pixels (width, height)."""

    picture_id: str
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die of a waiting reading: as seen, and whether it counts as kept as far as can be told."""

    seen: DieSeen
    kept: bool


@dataclass(frozen=True, slots=True)
class Differing:
    """A kept die that did not lie there (rule 6.1): the colours that did, of its body, and the one now."""

    body: str
    was: tuple[str, ...]
    now: str


@dataclass(frozen=True, slots=True)
class Mend:
    """A truth that would settle a doubt: these dice for this throw, or for the earlier one at `index`."""

    index: int | None
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reading that waits for people; `why` is a stable code."""

    why: str
    sentence: str
    basis: Basis
    picture: Picture | None = None
    dice: tuple[SeenDie, ...] = ()
    problems: tuple[str, ...] = ()
    differing: tuple[Differing, ...] = ()
    mends: tuple[Mend, ...] = ()


@dataclass(frozen=True, slots=True)
class Marker:
    """Where the button's marker stands, and when it lapses."""

    mark: Mark
    lapses_s: float


@dataclass(frozen=True, slots=True)
class Touched:
    """The revision at which each part last changed, to tell whether a phone knew what it acts on."""

    turn: int = 0
    """The game but for reveals: turn, dice, hands."""
    holders: tuple[int, ...] = (0,) * HOLDER_COUNT
    reading: int = 0
    marker: int = 0


@dataclass(frozen=True, slots=True)
class Setup:
    """What the table is set up with: the six colours of its dice, whether there is a reserve and a camera.

    `reads_cards`: the camera reads the holders; `glances`: it may look at them when nobody presses.
    """

    colours: tuple[str, ...] = DEFAULT_COLOURS
    has_reserve: bool = True
    has_camera: bool = True
    reads_cards: bool = False
    glances: bool = False


@dataclass(frozen=True, slots=True)
class LastSeen:
    """The dice of the last reading that became the throw lying there now, to tell whether anything moved."""

    basis: Basis
    """The moment after that throw."""
    dice: tuple[DieSeen, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TableState:
    """Everything the table knows at one revision."""

    setup: Setup
    log: Log = field(default_factory=Log)
    revision: int = 1
    reserved: int = 0
    """The first revision that is not reserved in the journal yet."""
    waiting: Pending | Doubt | None = None
    picture: Picture | None = None
    """The picture of the throw that lies there, or of the held one."""
    marker: Marker | None = None
    said: tuple[Fact, ...] = ()
    touched: Touched = field(default_factory=Touched)
    last_seen: LastSeen | None = None
    sights: Sights = field(default_factory=Sights)
    health: Mapping[str, Health] = field(default_factory=dict)
