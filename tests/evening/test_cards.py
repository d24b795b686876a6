"""The cards of a course of play from its pictures: people name each once, after that the camera does."""

from __future__ import annotations

from pathlib import Path

from companion.game.cards import Card
from companion.game.dice import DEFAULT_COLOURS
from companion.game.events import Event, Reveal
from companion.game.record import read_events
from companion.store.deck_file import load_deck_file
from companion.store.growing_deck import GrowingDeck
from companion.table import intents
from companion.table.phase import Phase
from companion.table.sights import Why
from companion.table.snapshot import Snapshot
from tests.evening.table_of_pictures import TableOfPictures, profile_of
from tests.evening.test_game import Evening


class WithCards(Evening):
    """People name a card only where the camera asks; whatever it names by itself must be true."""

    def __init__(self, table: TableOfPictures, pictures: list[Path]) -> None:
        super().__init__(table, pictures)
        self.asked: list[Card] = []

    def goes_on(self, event: Event) -> None:
        if isinstance(event, Reveal):
            self.course = self.course.do(event)  # people see it; the camera is not told
        else:
            super().goes_on(event)

    def drops(self, picture: Path) -> Snapshot:
        """Press once, and answer what the camera asks about the cards."""
        state = self.course.state
        assert state is not None
        # This throw is in the course already; the cards have not changed by it.
        true = state.visible
        shown = super().drops(picture)
        while (game := shown.game) is not None:
            for holder, view in enumerate(game.holders):
                assert view.card in (None, true[holder]), f"holder {holder} is taken for {view.card}"
            unknown = [holder for holder, view in enumerate(game.holders) if view.card is None]
            if not unknown:
                break
            question, card = game.holders[unknown[0]].question, true[unknown[0]]
            assert question is not None
            assert question.why is Why.NEW
            assert card is not None
            self.asked.append(card)
            shown = self.table.taps(intents.NameCard(unknown[0], card)).snapshot
        return shown


def play(folder: Path, place: Path, deck: Path) -> list[Card]:
    """Play the course; return the cards that people had to name."""
    place.mkdir()
    profile = profile_of(folder)
    lines = (folder / "record.jsonl").read_text(encoding="utf-8").splitlines()
    eye = GrowingDeck.opened(profile, deck, DEFAULT_COLOURS)
    with TableOfPictures(profile, place, eye=eye) as table:
        evening = WithCards(table, sorted(folder.glob("throw*.jpg")))
        for _, event in read_events(lines):
            evening.goes_on(event)
        assert table.shown.phase is not Phase.CARD_NEEDED
        return evening.asked


def test_people_name_each_card_once_and_in_the_next_game_none(shared_data: Path, tmp_path: Path) -> None:
    folder, deck = shared_data / "games" / "game50", tmp_path / "deck.json"
    asked = play(folder, tmp_path / "first", deck)
    assert len(asked) == len(set(asked)) == 7, "one of the eight cards is there twice"
    assert {one.card for one in load_deck_file(deck).cards} == set(asked)
    assert play(folder, tmp_path / "second", deck) == []
