"""The lattice of dice: every multiset of white and black ones, what can be kept, what a throw makes of it.

White and black dice are thrown independently, so a state is a pair (white multiset, black multiset) and the
expectation over a throw is a product of two small matrices, one a body.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Multiset = tuple[int, ...]
"""Colour indexes (0–5) of some dice, rising."""

COLOUR_COUNT = 6


@dataclass(frozen=True, slots=True)
class BodyLattice:
    """All that dice of one body can show, and how keeping and throwing leads from one to the next."""

    size: int
    """How many dice of this body there are."""
    shown: tuple[Multiset, ...]
    """Every multiset of `size` colours."""
    keeps: tuple[Multiset, ...]
    """Every multiset of 0 to `size` colours, by rising size; the last ones are `shown`, in the same order."""
    chance: Floats
    """(keeps, shown): the chance that keeping the row's dice and throwing the rest shows the column."""
    smaller: tuple[Ints, ...]
    """For each size 1 to `size`: (keeps of that size, size), the keeps that lack one of the row's dice."""
    starts: tuple[int, ...]
    """Where in `keeps` each size 0 to `size` begins."""
    one_more: Ints
    """(keeps of `size` - 1, 6): what one die more of each colour makes of them, as an index in `shown`."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Both bodies, and the six-dice multisets that their pairs amount to.

    What the black dice show comes in 27 *columns*: 0–20 every pair with no change open, 21–26 the six doubles
    just thrown together, which open the change of rule 5.1.
    """

    white: BodyLattice
    black: BodyLattice
    doubles: Ints
    """(6,): the columns among 0–20 where both black dice show one colour."""
    black_chance: Floats
    """(black keeps, 27): the chance of the column when the row's black dice are kept, the rest thrown."""
    all_six: tuple[Multiset, ...]
    """Every multiset of six colours."""
    total: Ints
    """(white shown, 21): the index in `all_six` of both together."""
    all_six_changed: Ints
    """(all_six, variants): what one die turned to any colour makes of the row; the row is among them."""


@cache
def lattice() -> Lattice:
    """Return the lattice of four white and two black dice (rule 1.1)."""
    white, black = _body(4), _body(2)
    all_six = tuple(combinations_with_replacement(range(COLOUR_COUNT), white.size + black.size))
    index = {colours: i for i, colours in enumerate(all_six)}
    total = np.array([[index[tuple(sorted(w + b))] for b in black.shown] for w in white.shown])
    doubles = np.array([i for i, colours in enumerate(black.shown) if len(set(colours)) == 1])
    black_chance = np.hstack([black.chance, np.zeros((len(black.keeps), len(doubles)))])
    # Only with no black die kept (row 0) do doubles open the change (rule 5.1).
    black_chance[0, len(black.shown) :] = black_chance[0, doubles]
    black_chance[0, doubles] = 0.0
    return Lattice(white, black, doubles, black_chance, all_six, total, _changed(all_six))


def _body(size: int) -> BodyLattice:
    by_size = [tuple(combinations_with_replacement(range(COLOUR_COUNT), n)) for n in range(size + 1)]
    keeps = tuple(keep for keeps in by_size for keep in keeps)
    index = {keep: i for i, keep in enumerate(keeps)}
    shown = by_size[size]
    first_shown = index[shown[0]]
    chance = np.zeros((len(keeps), len(shown)))
    for keep in keeps:
        for thrown in by_size[size - len(keep)]:
            chance[index[keep], index[tuple(sorted(keep + thrown))] - first_shown] += _multinomial(thrown)
    smaller = tuple(
        np.array([[index[keep[:i] + keep[i + 1 :]] for i in range(n)] for keep in by_size[n]])
        for n in range(1, size + 1)
    )
    starts = tuple(index[keeps_of_size[0]] for keeps_of_size in by_size)
    one_more = np.array(
        [
            [index[tuple(sorted((*keep, colour)))] - first_shown for colour in range(COLOUR_COUNT)]
            for keep in by_size[size - 1]
        ]
    )
    return BodyLattice(size, shown, keeps, chance, smaller, starts, one_more)


def _multinomial(thrown: Multiset) -> float:
    """The chance that len(thrown) dice show just these colours, in any order."""
    ways = factorial(len(thrown)) // prod(factorial(n) for n in Counter(thrown).values())
    return float(ways) / float(COLOUR_COUNT ** len(thrown))


def _changed(shown: tuple[Multiset, ...]) -> Ints:
    index = {colours: i for i, colours in enumerate(shown)}
    rows = [
        sorted(
            {
                index[tuple(sorted((*colours[:i], colour, *colours[i + 1 :])))]
                for i in range(len(colours))
                for colour in range(COLOUR_COUNT)
            }
        )
        for colours in shown
    ]
    width = max(len(row) for row in rows)
    return np.array([row + [row[0]] * (width - len(row)) for row in rows])
