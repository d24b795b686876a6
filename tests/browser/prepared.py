"""Games brought to where a test begins, at the table itself; the way there is tested with the flows."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.cards import Card, Group
from companion.game.dice import Body, Die
from companion.table.conductor import Table
from companion.table.intents import EnterThrow, Intent, NameCard, StartGame, Take
from tests.web.table_at_hand import NAMES

CARDS = ((3, 2), (4,), (6,))
"""A full house, four of a kind, and a large colour, each of any colour."""


def submit(table: Table, intent: Intent) -> None:
    """Hand an intent to the table, which must accept it."""
    outcome = table.submit(intent)
    assert outcome.accepted, outcome


def name_cards(table: Table, shapes: Sequence[Sequence[int]] = CARDS, points: int = 2) -> None:
    """Name the holders' cards by their groups' sizes, without colours or actions."""
    for holder, sizes in enumerate(shapes):
        submit(table, NameCard(holder, Card(tuple(Group(size, None) for size in sizes), points, None)))


def throw(table: Table, letters: str) -> None:
    """Let six dice lie there, by their colours' letters, the four white ones first."""
    bodies = (Body.WHITE,) * 4 + (Body.BLACK,) * 2
    submit(
        table,
        EnterThrow(
            tuple(Die(body, NAMES[letter], False) for body, letter in zip(bodies, letters, strict=True))
        ),
    )


def begin(
    table: Table,
    players: Sequence[str] = ("Ana", "Ben"),
    *,
    shapes: Sequence[Sequence[int]] = CARDS,
    letters: str | None = None,
) -> None:
    """Start a game whose first player begins, with its cards named; with `letters` a throw lies there."""
    submit(table, StartGame(tuple(players), 0))
    name_cards(table, shapes)
    if letters is not None:
        throw(table, letters)


def take_left_cards(table: Table, turns: int) -> None:
    """Play so many turns, in each of which the left card, three of a kind, is taken."""
    three = Card((Group(3, None),), 1, None)
    for _ in range(turns):
        submit(table, NameCard(0, three))
        throw(table, "rrrbgy")
        submit(table, Take(0))
