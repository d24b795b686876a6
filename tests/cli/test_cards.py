"""`companion cards` as people and scripts use it: learn, read, look after the deck, and every refusal."""

import json
from pathlib import Path

import cv2
import pytest

from companion.cli.main import main
from companion.store.deck_file import load_deck_file
from tests.vision.card_scenes import FOUR_TWO, PAIRS, RED3, Lying, Seen, picture, profile

RED3_JSON = '{"groups": [[3, "red"]], "points": 2, "action": null}'
FOUR_TWO_JSON = '{"groups": [[4, "blue"], [2, "yellow"]], "points": 5, "action": "replay"}'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder with a profile and two pictures."""
    (tmp_path / "profile.json").write_text(profile().to_json(), encoding="utf-8")
    cv2.imwrite(str(tmp_path / "one.png"), picture((RED3, FOUR_TWO, None)))
    two = picture(
        (Lying(FOUR_TWO, (1.0, 2.0), 2.0, flipped=True), Lying(RED3, (-1.0, 1.0)), PAIRS), Seen(seed=4)
    )
    cv2.imwrite(str(tmp_path / "two.png"), two)
    return tmp_path


def cards(table: Path, *words: str) -> int:
    """Run a command in which names of files stand for those of the table."""
    names = (
        "profile.json",
        "deck.json",
        "other.json",
        "one.png",
        "two.png",
        "sheet.html",
        "plain.json",
        "pictures",
    )
    return main(["cards", *(str(table / word) if word in names else word for word in words)])


def learn_two(table: Path) -> None:
    for holder, card in (("0", RED3_JSON), ("1", FOUR_TWO_JSON)):
        words = (
            "learn",
            "--profile",
            "profile.json",
            "--deck",
            "deck.json",
            "--holder",
            holder,
            "--card",
            card,
        )
        assert cards(table, *words, "one.png") == 0


def test_learned_cards_are_read_in_another_picture(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn_two(table)
    capsys.readouterr()
    assert cards(table, "read", "--profile", "profile.json", "--deck", "deck.json", "--json", "two.png") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["picture"] == str(table / "two.png")
    first, second, third = said["holders"]
    assert (first["state"], first["card"]) == ("known", json.loads(FOUR_TWO_JSON))
    assert (second["state"], second["card"]) == ("known", json.loads(RED3_JSON))
    assert (third["state"], third["card"]) == ("new", None)
    assert sorted(map(str, third["guess"]["groups"])) == ["[2, 'green']", "[2, 'purple']", "[2, None]"]


def test_without_a_deck_every_card_is_new_and_people_are_told(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cards(table, "read", "--profile", "profile.json", "one.png") == 0
    said = capsys.readouterr().out
    assert "0: a new card" in said
    assert "a guess from its drawing: 3 red (points and action are not read" in said
    assert "2: empty" in said


def learn(table: Path, holder: int, card: str, picture: str) -> int:
    words = ["--profile", "profile.json", "--deck", "deck.json", "--holder", str(holder), "--card", card]
    return cards(table, "learn", *words, picture)


def test_a_second_name_for_one_look_is_told_and_still_learned(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learn_two(table)
    assert capsys.readouterr().err == "", "nothing speaks against the right names"
    assert learn(table, 0, RED3_JSON, "one.png") == 0
    assert learn(table, 1, RED3_JSON, "two.png") == 0
    assert capsys.readouterr().err == "", "nor against the same name once more"
    assert learn(table, 0, RED3_JSON.replace("2,", "3,"), "one.png") == 0
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("companion cards: 3 red, 2 points looks the same, so the companion will ask")
    assert "`companion cards change`" in told
    assert len(load_deck_file(table / "deck.json").known) == 3


def test_a_name_that_its_drawing_does_not_show_is_told_and_still_learned(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(table, 1, RED3_JSON, "one.png") == 0
    (told,) = capsys.readouterr().err.splitlines()
    assert "the drawing seems to show 4 blue + 2 yellow, not 3 red; " in told
    assert len(load_deck_file(table / "deck.json").known) == 1


def test_learning_again_adds_a_look(table: Path) -> None:
    learn_two(table)
    words = (
        "--profile",
        "profile.json",
        "--deck",
        "deck.json",
        "--holder",
        "1",
        "--card",
        RED3_JSON,
        "two.png",
    )
    assert cards(table, "learn", *words) == 0
    deck = load_deck_file(table / "deck.json")
    assert [(one.card, len(one.looks)) for one in deck.cards] == [(RED3, 2), (FOUR_TWO, 1)]


def test_the_deck_is_listed_changed_shared_and_printed(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learn_two(table)
    dear = '{"groups": [[3, "red"]], "points": 3, "action": null}'
    assert cards(table, "change", "--deck", "deck.json", "--card", RED3_JSON, "--to", dear) == 0
    capsys.readouterr()
    assert cards(table, "list", "--deck", "deck.json", "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == {"card": json.loads(dear), "looks": 1}
    assert cards(table, "merge", "--deck", "other.json", "deck.json") == 0
    assert cards(table, "forget", "--deck", "deck.json", "--card", dear) == 0
    assert [one.card for one in load_deck_file(table / "deck.json").cards] == [FOUR_TWO]
    assert len(load_deck_file(table / "other.json").cards) == 2
    assert cards(table, "sheet", "--deck", "other.json", "--out", str(table / "sheet.png")) == 3
    assert not (table / "sheet.png").exists()
    assert cards(table, "sheet", "--deck", "other.json", "--out", "sheet.html") == 0
    assert "3 red, 3 points" in (table / "sheet.html").read_text(encoding="utf-8")
    assert (
        cards(table, "export", "--deck", "other.json", "--out", "plain.json", "--pictures", "pictures") == 0
    )
    assert "looks" not in json.loads((table / "plain.json").read_text(encoding="utf-8"))
    assert sorted(one.name for one in (table / "pictures").iterdir()) == ["card01_1.jpg", "card02_1.jpg"]


LEARN = ("learn", "--profile", "profile.json", "--deck", "deck.json", "--holder")


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("read", "--profile", "none", "one.png"), 3, "profile"),
        (("read", "--profile", "profile.json", "--deck", "none", "one.png"), 3, "cards learn` makes one"),
        (("read", "--profile", "profile.json", "none"), 3, "no such picture"),
        (("list", "--deck", "none"), 3, "no such deck"),
        ((*LEARN, "2", "--card", RED3_JSON, "one.png"), 3, "holder 2"),
        ((*LEARN, "0", "--card", "{", "one.png"), 2, "JSON"),
        ((*LEARN, "0", "--card", "{}", "one.png"), 2, "groups"),
        ((*LEARN, "3", "--card", RED3_JSON, "one.png"), 2, "holder"),
        ((), 2, "WHAT"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    table: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], status: int, told: str
) -> None:
    assert cards(table, *words) == status
    assert told in capsys.readouterr().err
    assert not (table / "deck.json").exists()


def test_an_unreadable_picture_leaves_the_others_read(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cards(table, "read", "--profile", "profile.json", "--json", "none.png", "one.png") == 3
    assert json.loads(capsys.readouterr().out)["picture"] == str(table / "one.png")


def test_a_profile_without_holders_is_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads((table / "profile.json").read_text(encoding="utf-8"))
    del data["zones"]["holders"]
    (table / "profile.json").write_text(json.dumps(data), encoding="utf-8")
    assert cards(table, "read", "--profile", "profile.json", "one.png") == 3
    assert "no zones for the card holders" in capsys.readouterr().err


def test_a_card_that_is_not_there_is_not_forgotten(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn_two(table)
    other = '{"groups": [[6, null]], "points": 5, "action": null}'
    assert cards(table, "forget", "--deck", "deck.json", "--card", other) == 3
    assert "6 any" in capsys.readouterr().err
