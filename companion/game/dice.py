"""Dice as they lie: six of them, four with a white body and two with a black one (rule 1.1)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

DEFAULT_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
DICE_COUNT = 6


class Body(StrEnum):
    """What a die is made of; only two black dice make the change of rule 5.1."""

    WHITE = "white"
    BLACK = "black"


BODY_COUNTS = {Body.WHITE: 4, Body.BLACK: 2}


@dataclass(frozen=True, slots=True)
class Die:
    """One die after a throw: its body, the colour of its top face, and whether it was kept (not thrown)."""

    body: Body
    colour: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """The black-dice change (rule 5.1): turn die `die` (index into the last throw, 0–5) to `colour`."""

    die: int
    colour: str


def bodies_are_right(dice: Sequence[Die]) -> bool:
    """Tell whether there are exactly four white and two black dice (rule 6.2)."""
    counts = Counter(die.body for die in dice)
    return len(dice) == DICE_COUNT and all(counts[body] == need for body, need in BODY_COUNTS.items())


def grants_change(dice: Iterable[Die]) -> bool:
    """Tell whether this throw gives a change: both black dice thrown, and alike (rule 5.1)."""
    blacks = [die for die in dice if die.body is Body.BLACK]
    return len({die.colour for die in blacks}) == 1 and not any(die.kept for die in blacks)


def changed_colours(dice: Sequence[Die], change: Change | None) -> tuple[str, ...]:
    """Return the colours that lie there once `change` (if any) is applied."""
    colours = [die.colour for die in dice]
    if change is not None:
        colours[change.die] = change.colour
    return tuple(colours)


def kept_dice_that_differ(before: Sequence[Die], after: Sequence[Die]) -> tuple[Die, ...]:
    """Return the kept dice of `after` that did not lie there `before`, by body and colour (rule 6.1)."""
    lying = Counter((die.body, die.colour) for die in before)
    differing = []
    for die in after:
        if not die.kept:
            continue
        if lying[die.body, die.colour] > 0:
            lying[die.body, die.colour] -= 1
        else:
            differing.append(die)
    return tuple(differing)
