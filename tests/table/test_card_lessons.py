"""What the camera learns from the names that people give, and what it unlearns."""

from __future__ import annotations

from companion.table import intents
from companion.table.sights import Lesson
from companion.vision.card_reader import HolderState
from tests.table.at_the_table import FOUR, SIX, THREE
from tests.table.seeing import REDS, known, new, sight, started


def test_naming_teaches_the_camera_once() -> None:
    table = started(())
    table.sees(new(look="a1"), sight(HolderState.UNSURE, THREE, runner_up=FOUR, look="b2"), known(SIX))
    table.does(intents.NameCard(0, THREE))
    table.does(intents.NameCard(1, FOUR))
    assert table.lessons == [Lesson("a1", THREE), Lesson("b2", FOUR)]


def test_a_slip_is_unlearned_when_it_is_put_right() -> None:
    table = started(())
    table.sees(new())
    table.does(intents.NameCard(0, FOUR))
    table.does(intents.NameCard(0, THREE))
    assert table.lessons == [Lesson("a1", FOUR), Lesson("a1", THREE, instead_of=FOUR)]


def test_a_slip_is_unlearned_after_an_undo_too() -> None:
    table = started(())
    table.sees(new())
    table.does(intents.NameCard(0, FOUR))
    table.does(intents.Undo())
    table.does(intents.NameCard(0, THREE))
    assert table.lessons[-1] == Lesson("a1", THREE, instead_of=FOUR)


def test_a_camera_that_erred_learns_from_who_puts_it_right() -> None:
    table = started(())
    table.sees(known(THREE))
    table.does(intents.NameCard(0, REDS))
    assert table.lessons == [Lesson("a1", REDS, mistaken_for=THREE)]
    table.does(intents.NameCard(0, FOUR))
    assert table.lessons[1:] == [Lesson("a1", FOUR, instead_of=REDS, mistaken_for=REDS)]
    table.does(intents.NameCard(0, THREE))
    assert table.lessons[2:] == [Lesson("a1", THREE, instead_of=FOUR, mistaken_for=FOUR)]


def test_a_card_without_a_picture_teaches_nothing() -> None:
    table = started(())
    table.sees(new(look=None), sight(HolderState.BLOCKED))
    table.does(intents.NameCard(0, THREE))
    table.does(intents.NameCard(1, FOUR))
    assert table.lessons == []
