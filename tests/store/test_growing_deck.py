"""A deck that grows by play: drawn cards learned from the simulated camera, kept, and known again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from companion.devices.simulated.drawn_deck import drawn_deck
from companion.devices.simulated.mischief import LampState, Mischief
from companion.devices.simulated.table import Cards, SimulatedTable
from companion.game.cards import Card, Group
from companion.game.deck import default_deck
from companion.game.dice import DEFAULT_COLOURS
from companion.store.deck_file import PicturedDeck, load_deck_file, save_deck_file
from companion.store.growing_deck import GrowingDeck
from companion.table.ports import DeckFault, Frame
from companion.vision.card_look import CardLook
from companion.vision.card_match import KnownCard
from companion.vision.card_reader import CardReader, HolderState
from companion.vision.profile import Profile

KINDS = default_deck().kinds
LEFT, MIDDLE, RIGHT = KINDS[0], KINDS[9], KINDS[20]
OTHER = KINDS[30]


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(seed=6)


@pytest.fixture(scope="module")
def profile(table: SimulatedTable) -> Profile:
    return table.calibrated()


def seen(table: SimulatedTable, *cards: Card | None, lamp: LampState = LampState.NORMAL) -> Frame:
    """The camera's picture of these cards."""
    first, second, third = cards
    shown: Cards = (first, second, third)
    table.set_mischief(Mischief(lamp=lamp))
    table.show_cards(shown)
    return table.look()


def told(deck: GrowingDeck, frame: Frame) -> list[tuple[HolderState, Card | None]]:
    return [(one.state, one.card) for one in deck.read(frame, range(3)) if one is not None]


def look_at(deck: GrowingDeck, frame: Frame, holder: int) -> CardLook:
    look = deck.look(frame, holder)
    assert look is not None
    return look


def test_cards_named_once_are_known_in_other_light_by_the_next_program(
    table: SimulatedTable, profile: Profile, tmp_path: Path
) -> None:
    path = tmp_path / "deck.json"
    deck = GrowingDeck.opened(profile, path, DEFAULT_COLOURS)
    frame = seen(table, LEFT, MIDDLE, RIGHT)
    assert [state for state, _ in told(deck, frame)] == [HolderState.NEW] * 3
    for holder, card in enumerate((LEFT, MIDDLE, RIGHT)):
        deck.learn(look_at(deck, frame, holder), card, None)
    assert told(deck, frame) == [(HolderState.KNOWN, card) for card in (LEFT, MIDDLE, RIGHT)]
    again = GrowingDeck.opened(profile, path, DEFAULT_COLOURS)
    frame = seen(table, RIGHT, LEFT, MIDDLE, lamp=LampState.WARM)
    assert told(again, frame) == [(HolderState.KNOWN, card) for card in (RIGHT, LEFT, MIDDLE)]


def test_a_slip_put_right_leaves_nothing_behind(
    table: SimulatedTable, profile: Profile, tmp_path: Path
) -> None:
    path = tmp_path / "deck.json"
    deck = GrowingDeck.opened(profile, path, DEFAULT_COLOURS)
    frame = seen(table, LEFT, None, None)
    look = look_at(deck, frame, 0)
    deck.learn(look, OTHER, None)
    assert told(deck, frame)[0] == (HolderState.KNOWN, OTHER)
    deck.learn(look, LEFT, OTHER)
    assert told(deck, frame)[0] == (HolderState.KNOWN, LEFT)
    assert [one.card for one in load_deck_file(path).cards] == [LEFT]


def test_a_slip_takes_no_other_look_from_the_card_it_was_taken_for(
    table: SimulatedTable, profile: Profile
) -> None:
    deck = GrowingDeck.of(profile, PicturedDeck(drawn_deck([OTHER])), None)
    look = look_at(deck, seen(table, LEFT, None, None), 0)
    deck.learn(look, OTHER, None)
    deck.learn(look, LEFT, OTHER)
    kept = {one.card: len(one.looks) for one in deck.deck.cards}
    assert kept == {OTHER: 1, LEFT: 1}


def test_a_card_misnamed_in_an_earlier_game_is_known_once_it_is_put_right(
    table: SimulatedTable, profile: Profile, tmp_path: Path
) -> None:
    path = tmp_path / "deck.json"
    before = GrowingDeck.opened(profile, path, DEFAULT_COLOURS)
    before.learn(look_at(before, seen(table, LEFT, None, None), 0), OTHER, None)
    deck = GrowingDeck.opened(profile, path, DEFAULT_COLOURS)
    frame = seen(table, None, LEFT, None, lamp=LampState.WARM)
    assert told(deck, frame)[1] == (HolderState.KNOWN, OTHER)
    deck.learn(look_at(deck, frame, 1), LEFT, None, OTHER)
    for lamp in (LampState.NORMAL, LampState.WARM):
        frame = seen(table, LEFT, None, OTHER, lamp=lamp)
        assert told(deck, frame)[0] == (HolderState.KNOWN, LEFT)
        assert told(deck, frame)[2][0] is HolderState.NEW
    assert [one.card for one in load_deck_file(path).cards] == [LEFT]


def test_who_puts_it_right_wrongly_and_then_rightly_leaves_all_as_it_was(
    table: SimulatedTable, profile: Profile
) -> None:
    deck = GrowingDeck.of(profile, PicturedDeck(), None)
    deck.learn(look_at(deck, seen(table, LEFT, None, None), 0), LEFT, None)
    look = look_at(deck, seen(table, None, LEFT, None), 1)
    deck.learn(look, OTHER, None, LEFT)
    deck.learn(look, LEFT, OTHER, OTHER)
    assert {one.card: len(one.looks) for one in deck.deck.cards} == {LEFT: 2}


def test_cards_that_people_name_now_so_now_otherwise_are_asked_about(
    table: SimulatedTable, profile: Profile
) -> None:
    deck = GrowingDeck.of(profile, PicturedDeck(), None)
    deck.learn(look_at(deck, seen(table, LEFT, None, None), 0), LEFT, None)
    deck.learn(look_at(deck, seen(table, None, LEFT, None), 1), OTHER, None, LEFT)
    deck.learn(look_at(deck, seen(table, None, None, LEFT), 2), LEFT, None, OTHER)
    assert told(deck, seen(table, LEFT, None, None))[0][0] is HolderState.UNSURE
    assert {one.card for one in deck.deck.cards} == {LEFT, OTHER}


def test_a_deck_that_can_not_be_written_still_knows_the_card_until_the_end(
    table: SimulatedTable, profile: Profile, tmp_path: Path
) -> None:
    deck = GrowingDeck.opened(profile, tmp_path / "gone" / "deck.json", DEFAULT_COLOURS)
    frame = seen(table, LEFT, None, None)
    with pytest.raises(DeckFault, match="until the companion ends"):
        deck.learn(look_at(deck, frame, 0), LEFT, None)
    assert told(deck, frame)[0] == (HolderState.KNOWN, LEFT)


def test_what_is_no_deck_of_these_dice_is_refused_with_a_sentence(profile: Profile, tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    path.write_text("no deck", encoding="utf-8")
    with pytest.raises(DeckFault, match=r"deck\.json"):
        GrowingDeck.opened(profile, path, DEFAULT_COLOURS)
    other = ("a", "b", "c", "d", "e", "f")
    save_deck_file(path, PicturedDeck((), other))
    with pytest.raises(DeckFault, match="other colours"):
        GrowingDeck.opened(profile, path, DEFAULT_COLOURS)


def test_a_profile_without_holders_is_refused_with_a_sentence(profile: Profile, tmp_path: Path) -> None:
    bare = replace(profile, zones=replace(profile.zones, holders_px=()))
    with pytest.raises(DeckFault, match="holders"):
        GrowingDeck.opened(bare, tmp_path / "deck.json", DEFAULT_COLOURS)


def test_changes_are_seen_where_they_are_and_the_lamp_is_none(
    table: SimulatedTable, profile: Profile
) -> None:
    deck = GrowingDeck.of(profile, PicturedDeck(), None)
    before = seen(table, LEFT, MIDDLE, RIGHT)
    table.throw(everything=True)
    assert deck.changed(before, table.look()) == (False, False, False)
    assert deck.changed(before, seen(table, LEFT, OTHER, RIGHT)) == (False, True, False)
    assert deck.changed(before, seen(table, LEFT, MIDDLE, None)) == (False, False, True)
    assert deck.changed(before, before[:-2]) == (True, True, True)


def test_a_bumped_camera_names_no_card(table: SimulatedTable, profile: Profile) -> None:
    deck = GrowingDeck.of(profile, PicturedDeck(drawn_deck((LEFT, MIDDLE, RIGHT))), None)
    frame = seen(table, LEFT, MIDDLE, RIGHT)
    # The picture shifted by a holder: what lies in the left one is seen where the middle one was.
    shift = round((profile.zones.holders_px[1][0][0] - profile.zones.holders_px[0][0][0]) * 1.0)
    moved = frame.copy()
    moved[:, shift:] = frame[:, :-shift]
    moved[:, :shift] = 90
    assert [state for state, _ in told(deck, moved)] == [HolderState.BLOCKED] * 3
    assert deck.look(moved, 1) is None


def test_drawings_of_different_cards_differ_though_the_dice_are_as_many(
    table: SimulatedTable, profile: Profile
) -> None:
    five, three_two = Card((Group(5),), 3), Card((Group(3), Group(2)), 3)
    six, three_three = Card((Group(6),), 3), Card((Group(3), Group(3)), 3)
    alike = (five, three_two, six, three_three)
    deck = GrowingDeck.of(profile, PicturedDeck(drawn_deck(alike)), None)
    for shown in ((five, three_two, six), (three_three, six, five)):
        assert told(deck, seen(table, *shown)) == [(HolderState.KNOWN, card) for card in shown]


def test_with_another_profile_it_knows_what_it_learned(table: SimulatedTable, profile: Profile) -> None:
    deck = GrowingDeck.of(profile, PicturedDeck((), DEFAULT_COLOURS), None)
    frame = seen(table, LEFT, MIDDLE, RIGHT)
    for holder, card in enumerate((LEFT, MIDDLE, RIGHT)):
        deck.learn(look_at(deck, frame, holder), card, None)
    zones = profile.zones
    assert len(zones.holders_px) == 3
    turned = replace(profile, zones=replace(zones, holders_px=zones.holders_px[::-1]))
    deck.use(turned)
    assert [card for _, card in told(deck, frame)] == [RIGHT, MIDDLE, LEFT]
    with pytest.raises(DeckFault):
        deck.use(replace(profile, zones=replace(zones, holders_px=())))
    assert [card for _, card in told(deck, frame)] == [RIGHT, MIDDLE, LEFT], "it goes on as before"


def test_a_card_learned_while_another_profile_is_taken_up_is_known_with_it(
    table: SimulatedTable, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = GrowingDeck.of(profile, PicturedDeck(), None)
    frame = seen(table, LEFT, None, None)
    learning = threading.Thread(target=deck.learn, args=(look_at(deck, frame, 0), LEFT, None))
    know = CardReader.know

    def disturbed(reader: CardReader, known: Sequence[KnownCard]) -> None:
        know(reader, known)
        if learning.ident is None:
            learning.start()
            learning.join(0.5)  # as far as it comes meanwhile

    deck.use(profile)
    monkeypatch.setattr(CardReader, "know", disturbed)
    deck.read(frame, range(3))
    learning.join()
    assert told(deck, frame)[0] == (HolderState.KNOWN, LEFT)
