"""The state of a game: everything the rules need to know, as one frozen value."""

from dataclasses import dataclass, field
from enum import Enum

from companion.game.cards import Action, Card
from companion.game.dice import Die, grants_change

LAST_THROW = 3


class Stage(Enum):
    """What the game waits for."""

    THROW = "throw"
    """The first throw of a turn, perhaps with inherited dice (rule 3.8); the last player may end the game."""
    DECIDE = "decide"
    """A take, or the next throw, or after throw 3 perhaps a pass."""
    ACTION = "action"
    """A steal or an exchange that a won card set off."""
    OVER = "over"


class Ending(Enum):
    """Why the game is over."""

    CARDS = "cards"
    """Someone has enough cards (rule 4.7)."""
    CHOICE = "choice"
    """A player ended it early (rule 4.9)."""
    PILES = "piles"
    """All three piles are used up (rule 4.10)."""


@dataclass(frozen=True, slots=True)
class Owed:
    """An action under way: which, and the seats it may still be done with.

    For theft and exchange the player chooses one of `seats`; a super exchange goes through them in order.
    """

    action: Action
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EndLimits:
    """How many cards end the game, and from how many a player may end it (rule 4.7)."""

    automatic: int
    by_choice: int


def end_limits(player_count: int) -> EndLimits:
    """Return the limits of rule 4.7 for 2 to 6 players."""
    if player_count == 2:
        return EndLimits(10, 7)
    if player_count == 3:
        return EndLimits(8, 5)
    return EndLimits(6, 4)


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game. Seats count from 0, clockwise; holders 0 to 2 from left to right."""

    players: tuple[str, ...]
    colours: tuple[str, ...]
    piles: tuple[int, ...]
    """Cards left in each holder, the visible one included."""
    visible: tuple[Card | None, ...]
    """The visible card of each holder; None where the pile is used up or the card is not known yet."""
    hands: tuple[tuple[Card, ...], ...]
    """The cards in front of each player, in the order they came."""
    seat: int
    """Whose turn it is."""
    throw_number: int = 0
    """Number of the last throw made this turn, 0 before the first."""
    dice: tuple[Die, ...] | None = None
    """The dice as they lie; before a turn's first throw, those a failed player left, else None."""
    lost: frozenset[int] = field(default_factory=frozenset)
    """Holders whose card is lost for this turn (rule 3.4)."""
    owed: Owed | None = None
    may_end_seat: int | None = None
    """The seat whose turn has just ended, until the next throw (rule 4.9); None in a replay's extra turn."""
    ending: Ending | None = None

    @property
    def stage(self) -> Stage:
        """What the game waits for."""
        if self.ending is not None:
            return Stage.OVER
        if self.owed is not None:
            return Stage.ACTION
        return Stage.DECIDE if self.throw_number else Stage.THROW

    @property
    def to_play(self) -> int | None:
        """The seat whose move it is, or None once the game is over."""
        return None if self.ending is not None else self.seat

    @property
    def inherited_dice(self) -> tuple[Die, ...] | None:
        """The dice the player may keep some of before the turn's first throw (rule 3.8)."""
        return self.dice if self.stage is Stage.THROW else None

    @property
    def change_open(self) -> bool:
        """Whether the last throw gives a change that can still be used (rules 5.1 to 5.4)."""
        return self.stage is Stage.DECIDE and self.dice is not None and grants_change(self.dice)

    @property
    def unknown_holders(self) -> tuple[int, ...]:
        """Holders with cards whose visible one is not known yet (rule 3.9)."""
        return tuple(h for h, card in enumerate(self.visible) if card is None and self.piles[h] > 0)

    @property
    def limits(self) -> EndLimits:
        """The card counts that end this game (rule 4.7)."""
        return end_limits(len(self.players))

    @property
    def points(self) -> tuple[int, ...]:
        """Points in front of each player."""
        return tuple(sum(card.points for card in hand) for hand in self.hands)

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats with most points once the game is over, else None (rule 4.11)."""
        if self.ending is None:
            return None
        best = max(self.points)
        return tuple(seat for seat, points in enumerate(self.points) if points == best)
