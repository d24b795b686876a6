"""Takeability: on which dice a card can be taken, without and with the black-dice change (rules 2, 5)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.coach.lattice import lattice
from companion.game.cards import Card, makes

Flags = npt.NDArray[np.bool_]


def takeability(card: Card, colours: Sequence[str]) -> Flags:
    """Return on which dice `card` can be taken: (126, 27), white multiset by black column (see `Lattice`).

    `colours` are the six names, in the order of the colour indexes.
    """
    dice = lattice()
    made: Flags = np.array([makes(card, [colours[i] for i in shown]) for shown in dice.all_six])
    by_change: Flags = np.any(made[dice.all_six_changed], axis=1)
    plain: Flags = made[dice.total]
    changed: Flags = by_change[dice.total[:, dice.doubles]]
    return np.hstack([plain, changed])
