"""The deck file: cards and pictures in one file that any deck reader understands, whole whatever happens."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.game.cards import Action, Card, Group
from companion.game.deck import DeckError, deck_from_text
from companion.store.deck_file import (
    DeckFileFault,
    PicturedDeck,
    deck_file_from_text,
    deck_file_to_text,
    load_deck_file,
    save_deck_file,
)
from companion.store.deck_sheet import card_told, deck_sheet
from companion.vision.card_look import CardLook
from companion.vision.card_match import KnownCard

RED3 = Card((Group(3, "red"),), 2)
FULL = Card((Group(3), Group(2, "blue")), 4, Action.SUPER_EXCHANGE)


def look(level: int) -> CardLook:
    return CardLook.of(np.full((352, 252, 3), level, np.uint8), (0.5, 0.5, 0.5))


def deck() -> PicturedDeck:
    return PicturedDeck((KnownCard(RED3, (look(40), look(90))), KnownCard(FULL, ())))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    save_deck_file(path, deck())
    assert load_deck_file(path) == deck()
    assert [one.name for one in tmp_path.iterdir()] == ["deck.json"]


def test_a_reader_that_knows_no_pictures_reads_the_cards() -> None:
    assert deck_from_text(deck_file_to_text(deck())).cards == (RED3, FULL)


def test_a_deck_without_pictures_is_a_deck_file() -> None:
    plain = '{"version": 1, "cards": [{"groups": [[3, "red"]], "points": 2, "action": null}]}'
    read = deck_file_from_text(plain)
    assert read.cards == (KnownCard(RED3, ()),)
    assert read.known == ()


def test_an_empty_deck_can_be_kept() -> None:
    assert deck_file_from_text(deck_file_to_text(PicturedDeck())) == PicturedDeck()


def test_a_naming_put_right_takes_its_pictures_along() -> None:
    changed = deck().changed(RED3, FULL)
    assert changed.cards == (KnownCard(FULL, deck().cards[0].looks),)
    assert deck().changed(Card((Group(6),), 5), RED3) == deck()
    assert deck().changed(RED3, RED3) == deck()


def test_joining_keeps_own_looks_first_and_adds_new_cards() -> None:
    other = [KnownCard(RED3, (look(90), look(150))), KnownCard(Card((Group(6),), 5), (look(10),))]
    joined = deck().joined(other)
    assert joined.cards[0].looks == (look(40), look(90), look(150))
    assert [one.card.points for one in joined.cards] == [2, 4, 5]


def test_forgetting_removes_a_card() -> None:
    assert deck().without(RED3).cards == (KnownCard(FULL, ()),)
    assert deck().find(RED3) is not None


@pytest.mark.parametrize(
    ("looks", "told"),
    [
        ("3", "looks"),
        ("[3]", "entry 1"),
        ('[{"card": {"groups": [[3, "red"]], "points": 2, "action": null}}]', "entry 1"),
        ('[{"card": {"groups": [[3, "pink"]], "points": 2, "action": null}, "looks": []}]', "pink"),
        ('[{"card": {"groups": [[3, "red"]], "points": 2, "action": null}, "looks": [{}]}]', "white"),
    ],
)
def test_a_damaged_part_is_named(looks: str, told: str) -> None:
    text = f'{{"version": 1, "cards": [], "looks": {looks}}}'
    with pytest.raises(DeckError, match=told):
        deck_file_from_text(text)


def test_files_that_cannot_be_used_are_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DeckFileFault, match="no such deck"):
        load_deck_file(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(DeckFileFault, match="mend it"):
        load_deck_file(tmp_path / "bad.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DeckFileFault, match="UTF-8"):
        load_deck_file(tmp_path / "bytes.json")
    with pytest.raises(DeckFileFault, match="cannot be written"):
        save_deck_file(tmp_path / "no" / "deck.json", deck())


def test_a_failed_save_leaves_the_old_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deck.json"
    save_deck_file(path, deck())
    before = path.read_bytes()

    def full_disk(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(DeckFileFault, match="No space"):
        save_deck_file(path, PicturedDeck())
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["deck.json"]


def test_the_sheet_shows_every_card_and_asks_nobody_for_pictures() -> None:
    page = deck_sheet(deck(), "ours <3")
    assert page.count("<li>") == 2
    assert page.count("data:image/jpeg;base64,") == 1
    assert "3 any + 2 blue, 4 points, super exchange" in page
    assert "ours &lt;3" in page
    assert "http" not in page


def test_a_card_in_words() -> None:
    assert card_told(Card((Group(3, "red"),), 1, Action.REPLAY)) == "3 red, 1 point, replay"


def test_the_text_is_plain_json_with_a_card_a_line() -> None:
    text = deck_file_to_text(deck())
    assert json.loads(text)["looks"][0]["card"] == {"groups": [[3, "red"]], "points": 2, "action": None}
    assert sum(line.startswith('{"card"') for line in text.splitlines()) == 1
