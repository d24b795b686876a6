"""A robot's hands: dice set aside, taken back and turned at the simulated table, as a person does it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.devices.simulated.scene import Place
from companion.devices.simulated.table import SimulatedTable
from companion.game.dice import Die


def as_they_lie(table: SimulatedTable) -> tuple[Die, ...]:
    """Return the dice as anybody at the table sees them; those in the reserve are kept."""
    return tuple(Die(die.body, die.colour, die.place is Place.RESERVE) for die in table.moment().scene.dice)


def is_amiss(table: SimulatedTable) -> bool:
    """Tell whether a die leans or is stuck in the tower."""
    dice = table.moment().scene.dice
    return any(die.lean_rad != 0.0 or die.place is Place.TOWER for die in dice)


def set_aside(table: SimulatedTable, lying: Sequence[Die], kept: Sequence[Die]) -> None:
    """Bring the dice `kept` (of those `lying`, one perhaps turned: rule 5.2) to the reserve, the others back.

    Where other dice lie there than the game says, they are first laid out as the game says.
    """
    if _bag(as_they_lie(table)) != _bag(lying) or is_amiss(table):
        table.lay_out(lying)
    chosen: list[int] = []
    turned: list[Die] = []
    for die in kept:
        index = _free(table, chosen, die.body, die.colour)
        if index is None:
            turned.append(die)
        else:
            chosen.append(index)
    for die in turned:
        index = _free(table, chosen, die.body, None)
        assert index is not None, "there are as many dice of a body as lie there"
        chosen.append(index)
        table.turn_die(index, die.colour)
    for index, die_there in enumerate(table.moment().scene.dice):
        if (index in chosen) != (die_there.place is Place.RESERVE):
            table.move_die(index)


def _free(table: SimulatedTable, chosen: Sequence[int], body: str, colour: str | None) -> int | None:
    """Return a die of this body (and colour) that is not chosen yet; one in the reserve first."""
    found = [
        index
        for index, die in enumerate(table.moment().scene.dice)
        if index not in chosen and die.body == body and colour in (None, die.colour)
    ]
    aside = [index for index in found if table.moment().scene.dice[index].place is Place.RESERVE]
    return next(iter([*aside, *found]), None)


def _bag(dice: Sequence[Die]) -> Counter[tuple[str, str]]:
    return Counter((str(die.body), die.colour) for die in dice)
