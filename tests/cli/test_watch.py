"""`companion watch`: pictures become throws, in plain words; faults are one sentence and exit status 3."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.devices.simulated.drawn_deck import drawn_deck
from companion.devices.simulated.table import SimulatedTable
from companion.game.deck import default_deck
from companion.store.deck_file import PicturedDeck, save_deck_file
from companion.store.journal import SqliteJournal
from tests.conftest import ROOT

CARDS = [{"groups": [[size, None]], "points": size, "action": None} for size in (1, 2, 6)]


@dataclass(frozen=True)
class Place:
    """A folder with a profile, cards, and pictures of three throws."""

    folder: Path

    @property
    def pictures(self) -> Path:
        return self.folder / "pictures"

    def words(self, *more: str, no_page: bool = True) -> list[str]:
        """The command's words, without a page unless it is wanted."""
        profile, data = str(self.folder / "profile.json"), str(self.folder / "games.db")
        words = ["watch", str(self.pictures), "--profile", profile, "--data", data, *more]
        return [*words, "--no-page"] if no_page else words


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Draw a table: its profile, and three throws of all dice."""
    folder = tmp_path_factory.mktemp("drawn")
    table = SimulatedTable(seed=4)
    (folder / "profile.json").write_text(table.calibrated().to_json(), encoding="utf-8")
    (folder / "pictures").mkdir()
    for number in (1, 2, 3):
        table.throw(everything=True)
        cv2.imwrite(str(folder / "pictures" / f"throw{number}.png"), table.picture()[1])
    (folder / "cards.json").write_text(json.dumps(CARDS), encoding="utf-8")
    return folder


@pytest.fixture
def place(drawn: Path, tmp_path: Path) -> Place:
    """A fresh place with the drawn table's files."""
    for name in ("profile.json", "cards.json"):
        (tmp_path / name).symlink_to(drawn / name)
    (tmp_path / "pictures").mkdir()
    for picture in (drawn / "pictures").iterdir():
        (tmp_path / "pictures" / picture.name).symlink_to(picture)
    return Place(tmp_path)


def test_pictures_become_throws_told_in_plain_words(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--existing", "--once", "--players", "Ana", "Ben", "--cards", str(place.folder / "cards.json")]
    assert main(place.words(*more)) == 0
    told = capsys.readouterr().out
    for number in (1, 2, 3):
        assert f"throw{number}.png: Ana, throw {number}: " in told
    assert "left can be taken" in told
    with SqliteJournal(place.folder / "games.db") as journal:
        events = [event for entry in journal.entries() for event in entry.get("events", ())]
    assert [event["type"] for event in events] == ["reveal"] * 3 + ["throw"] * 3


def test_first_throws_are_each_by_themselves(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--existing", "--once", "--players", "Ana", "Ben", "--cards", str(place.folder / "cards.json")]
    assert main(place.words(*more, "--first-throws")) == 0
    told = capsys.readouterr().out
    assert len(re.findall(r"throw\d\.png: Ana, throw 1: ", told)) == 3


def test_without_cards_the_throw_waits_and_says_for_what(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(place.words("--existing", "--once", "--players", "Ana", "Ben")) == 0
    told = capsys.readouterr().out
    assert "waits. The throw waits until the cards are named." in told
    assert "name the card of: left, middle, right" in told


def test_without_a_game_it_says_what_it_reads(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(place.words("--existing", "--once")) == 0
    told = capsys.readouterr().out
    assert "no game is going on" in told
    assert len(re.findall(r"(?:white|black) \w+", told)) == 18


def test_pictures_there_before_are_old(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(place.words("--once", "--players", "Ana", "Ben")) == 0
    assert "throw1" not in capsys.readouterr().out


def test_a_picture_of_another_shape_is_told(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    for picture in place.pictures.iterdir():
        picture.unlink()
    cv2.imwrite(str(place.pictures / "tall.png"), np.zeros((900, 300, 3), dtype=np.uint8))
    assert main(place.words("--existing", "--once")) == 0
    assert main(place.words("--existing", "--once", "--players", "Ana", "Ben")) == 0
    told, faults = capsys.readouterr()
    assert "tall.png: not taken as a throw" in told
    assert "tall.png: waits." in told
    assert faults == ""


def test_a_game_that_goes_on_goes_on(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    for names in (("Ana", "Ben"), ("Eva", "Fay")):
        assert main(place.words("--once", "--players", *names)) == 0
    assert "--players is not used" in capsys.readouterr().out


def missing_folder(place: Place) -> list[str]:
    place.pictures.rename(place.folder / "elsewhere")
    return place.words()


def missing_profile(place: Place) -> list[str]:
    (place.folder / "profile.json").unlink()
    return place.words()


def other_profile(place: Place) -> list[str]:
    (place.folder / "profile.json").unlink()
    (place.folder / "profile.json").write_text('{"version": 4711}', encoding="utf-8")
    return place.words()


def damaged_data(place: Place) -> list[str]:
    (place.folder / "games.db").write_bytes(b"SQLite format 3\x00" + os.urandom(4096))
    return place.words()


def data_nowhere(place: Place) -> list[str]:
    return [*place.words(), "--data", str(place.folder / "nowhere" / "games.db")]


def odd_journal(place: Place) -> list[str]:
    with SqliteJournal(place.folder / "games.db") as journal:
        journal.append({"do": "dance"})
    return place.words()


def odd_cards(place: Place) -> list[str]:
    (place.folder / "odd.json").write_text("[1, 2]", encoding="utf-8")
    return place.words("--cards", str(place.folder / "odd.json"))


@pytest.mark.parametrize(
    ("brought", "sentence"),
    [
        (missing_folder, "check that it is there"),
        (missing_profile, "no such profile"),
        (other_profile, "version 4711"),
        (damaged_data, "it was kept as"),
        (data_nowhere, "choose another folder"),
        (odd_journal, "entry 1"),
        (odd_cards, "three cards"),
    ],
)
def test_a_fault_is_one_sentence_and_status_3(
    place: Place, capsys: pytest.CaptureFixture[str], brought: object, sentence: str
) -> None:
    assert callable(brought)
    assert main(brought(place)) == 3
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("names", "sentence"),
    [(["Ana"], "2 to 6 players"), (["Ana", "ana"], "the same name"), (["A", " "], "no name")],
)
def test_players_who_can_be_none_are_refused(
    place: Place, capsys: pytest.CaptureFixture[str], names: list[str], sentence: str
) -> None:
    assert main(place.words("--players", *names)) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1
    assert not (place.folder / "games.db").exists()


def test_a_port_in_use_is_told(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(place.words("--host", "127.0.0.1", "--port", port, no_page=False)) == 3
    assert "in use" in capsys.readouterr().err


def test_a_second_watch_on_the_same_data_is_told(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    with SqliteJournal(place.folder / "games.db"):
        assert main(place.words()) == 3
    assert "another companion is using this file" in capsys.readouterr().err


@pytest.fixture
def running(place: Place) -> Iterator[subprocess.Popen[str]]:
    """A watch as a process of its own, with its page on a free port."""
    more = ["--port", "0", "--players", "Ana", "Ben", "--cards", str(place.folder / "cards.json")]
    command = [sys.executable, "-m", "companion", *place.words(*more, no_page=False)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def test_a_picture_that_comes_while_it_runs_and_a_quiet_end(
    place: Place, drawn: Path, running: subprocess.Popen[str]
) -> None:
    assert running.stdout is not None
    assert running.stderr is not None
    assert running.stdout.readline().startswith("the page is at http://")
    assert running.stdout.readline().startswith("watching ")
    content = (drawn / "pictures" / "throw1.png").read_bytes()
    with (place.pictures / "new.png").open("wb") as file:
        file.write(content[:1000])
        file.flush()
        file.write(content[1000:])
    assert running.stdout.readline().startswith("new.png: Ana, throw 1: ")
    running.send_signal(signal.SIGTERM)
    assert running.wait(20) == 0
    assert running.stderr.read() == ""


@pytest.fixture
def open_to_the_house(place: Place) -> Iterator[subprocess.Popen[str]]:
    """A watch whose page phones in the house reach."""
    more = ["--port", "0", "--host", "0.0.0.0", "--players", "Ana", "Ben"]
    command = [sys.executable, "-m", "companion", *place.words(*more, no_page=False)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def test_a_picture_lets_a_phone_in(
    place: Place, drawn: Path, open_to_the_house: subprocess.Popen[str]
) -> None:
    told = open_to_the_house.stdout
    assert told is not None
    found = re.search(r":(\d+)/", told.readline())
    assert told.readline().startswith("watching ")
    assert found is not None
    phone = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=20)
    leave = {"revision": 99, "intent": {"type": "abandon_game"}}
    assert asked(phone, "/api/intents", leave, "")[0] == 403
    _, cookie = asked(phone, "/api/pairing", {"name": "Ana's phone"}, "")
    (place.pictures / "new.png").write_bytes((drawn / "pictures" / "throw1.png").read_bytes())
    assert "lets 'Ana's phone' play along" in told.readline()
    status, _ = asked(phone, "/api/intents", leave, cookie)
    assert status == 409, "now the table itself answers: that revision is not its own"
    phone.close()


def asked(phone: http.client.HTTPConnection, path: str, body: object, cookie: str) -> tuple[int, str]:
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    phone.request("POST", path, json.dumps(body), headers)
    answer = phone.getresponse()
    answer.read()
    return answer.status, answer.headers.get("Set-Cookie", "").partition(";")[0]


def test_backup_and_restore_by_command(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    data, saved, back = (str(place.folder / name) for name in ("games.db", "saved.db", "back.db"))
    assert main(["backup", saved, "--data", data]) == 3
    assert "nothing to save" in capsys.readouterr().err
    assert main(place.words("--once", "--players", "Ana", "Ben")) == 0
    assert main(["backup", saved, "--data", data]) == 0
    assert main(["backup", saved, "--data", data]) == 3
    assert main(["restore", saved, "--data", back]) == 0
    assert "those of the backup" in capsys.readouterr().out
    assert main(["restore", saved, "--data", back]) == 3
    assert "--replace" in capsys.readouterr().err
    assert main(["restore", saved, "--data", back, "--replace"]) == 0
    printed = capsys.readouterr().out
    assert "are kept as" in printed
    assert "the same as before" in printed
    with SqliteJournal(Path(back)) as journal:
        assert journal.entries()[0]["event"]["players"] == ["Ana", "Ben"]


@pytest.fixture(scope="module")
def with_cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Draw a table with cards: its profile, a deck that knows two of them, and two throws."""
    folder = tmp_path_factory.mktemp("with_cards")
    table = SimulatedTable(seed=4)
    (folder / "profile.json").write_text(table.calibrated().to_json(), encoding="utf-8")
    (folder / "pictures").mkdir()
    kinds = default_deck().kinds
    save_deck_file(folder / "deck.json", PicturedDeck(drawn_deck(kinds[:2])))
    table.show_cards((kinds[0], kinds[1], kinds[9]))
    for number in (1, 2):
        table.throw(everything=True)
        cv2.imwrite(str(folder / "pictures" / f"throw{number}.png"), table.picture()[1])
    return folder


def test_cards_that_the_deck_knows_name_themselves(
    with_cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(with_cards, tmp_path, dirs_exist_ok=True)
    place = Place(tmp_path)
    words = place.words("--players", "Ana", "Ben", "--existing", "--once")
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "name the card of: right" in told
    assert "the right card: a new one; say on the phone what it is" in told
    assert "no phone can answer without a page: leave out --no-page" in told
    assert "left" not in told


def test_cards_by_hand_leave_the_deck_alone(
    with_cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(with_cards, tmp_path, dirs_exist_ok=True)
    words = Place(tmp_path).words("--players", "Ana", "Ben", "--existing", "--once", "--cards-by-hand")
    assert main(words) == 0
    assert "name the card of: left, middle, right" in capsys.readouterr().out


def test_a_deck_that_can_not_be_used_is_one_sentence(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("no deck", encoding="utf-8")
    assert main(place.words("--once", "--deck", str(bad))) == 3
    told = capsys.readouterr().err
    assert "bad.json" in told
    assert "--cards-by-hand" in told
