"""Events: what happened at the table, in the order it happened; the lines of a game record."""

from dataclasses import dataclass

from companion.game.cards import Card
from companion.game.dice import DEFAULT_COLOURS, Change, Die

HOLDER_COUNT = 3
PILE_SIZE = 15


@dataclass(frozen=True, slots=True)
class Start:
    """A game begins: seats in clockwise order, who is first (rule 1.4), cards a pile, the six colours."""

    players: tuple[str, ...]
    first: int
    piles: tuple[int, int, int] = (PILE_SIZE, PILE_SIZE, PILE_SIZE)
    colours: tuple[str, ...] = DEFAULT_COLOURS


@dataclass(frozen=True, slots=True)
class Reveal:
    """`card` is now the visible one of `holder`; again for the same holder, it is a correction."""

    holder: int
    card: Card


@dataclass(frozen=True, slots=True)
class Throw:
    """What lies there after a throw; dice marked kept were not thrown (rules 3.1 to 3.3, 3.8)."""

    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class Take:
    """The player to move wins the visible card of `holder`, using `change` if given (rules 3.2, 5.2)."""

    holder: int
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class Steal:
    """The theft's outcome: `card` was drawn blind from seat `victim` (rule 4.3)."""

    victim: int
    card: Card


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange with seat `other`: `received` was drawn blind, `given` went back (rules 4.4, 4.5)."""

    other: int
    received: Card
    given: Card


@dataclass(frozen=True, slots=True)
class Pass:
    """After throw 3 the only cards made need the change, and the player declines (rule 3.5)."""


@dataclass(frozen=True, slots=True)
class EndEarly:
    """Seat `player` ends the game at the end of their own turn (rule 4.9)."""

    player: int


Event = Start | Reveal | Throw | Take | Steal | Exchange | Pass | EndEarly
