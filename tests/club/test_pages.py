"""The club's pages: what they give, to whom, and that there is nothing to act on."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

import companion.club
from companion.club.book import Book
from companion.club.database import opened
from companion.club.ledger import Ledger
from companion.club.pages import create_club_app
from companion.club.streams import WallStreams
from companion.club.wall import Line, Wall
from companion.mqtt.telling import Speaker, state_message
from companion.web.language import LANGUAGES
from tests.club.played import delivery, message
from tests.table.at_the_table import AtTheTable
from tests.web.test_words import PLURALS, holes

STATIC = Path(companion.club.__file__).parent / "static"


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def app(wall: Wall, tmp_path: Path) -> Iterator[Flask]:
    """Yield the pages of a club with eight games."""
    with opened(str(tmp_path / "club.db")) as engine:
        ledger = Ledger(engine)
        ledger.store([delivery(seed) for seed in range(8)])
        yield create_club_app(wall, Book(ledger, "month"), ledger)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_pages_and_their_files_are_there(client: FlaskClient) -> None:
    for page in ("/", "/season"):
        answer = client.get(page)
        assert answer.status_code == 200
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    for file in (
        "club/wall.js",
        "club/wall.css",
        "club/season.js",
        "club/season.css",
        "club/words/fr.json",
        "dom.js",
    ):
        with client.get(f"/static/{file}") as file_answer:
            assert file_answer.status_code == 200


def test_there_is_nothing_to_act_on(app: Flask, client: FlaskClient) -> None:
    for rule in app.url_map.iter_rules():
        assert (rule.methods or set()) <= {"GET", "HEAD", "OPTIONS"}, rule
    assert client.post("/api/club/wall", json={}).status_code == 405
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421


def test_the_season_is_told(client: FlaskClient) -> None:
    told = client.get("/api/club/season?season=2026-09").json
    assert told is not None
    assert told["seasons"] == ["2026-09"]
    assert told["games"] == 8
    assert sum(one["games"] for one in told["standings"]) == sum(len(m["players"]) for m in told["newest"])
    assert {best["kind"] for best in told["records"]} >= {"most_points", "longest_streak"}
    assert client.get("/api/club/season?season=1999").json["games"] == 0  # type: ignore[index]
    duels = client.get("/api/club/duels?player=ANA").json
    assert duels is not None
    assert duels["duels"]


def test_files_to_take_away_agree(client: FlaskClient) -> None:
    records = [json.loads(line) for line in client.get("/export/records.jsonl").text.splitlines()]
    assert [one["record"] for one in records] == [message(seed)["record"] for seed in range(8)]
    games = list(csv.DictReader(io.StringIO(client.get("/export/games.csv").text)))
    assert len(games) == sum(len(one["players"]) for one in records)
    standings = list(csv.DictReader(io.StringIO(client.get("/export/standings.csv").text)))
    assert sum(int(one["games"]) for one in standings) == len(games)
    assert client.get("/export/season.json").json == client.get("/api/club/season").json


def test_streams_tell_all_and_then_what_changed(wall: Wall) -> None:
    table = AtTheTable()
    table.start()
    wall.availability("oak", True)
    streams = WallStreams(wall, limit=1)
    assert streams.enter()
    assert not streams.enter()
    events = streams.events(lambda: False)
    first = next(events)
    assert "event: all\n" in first
    wall.state("oak", state_message(Speaker("oak", "The oak"), table.shown, "2026-11-30T20:00:00.000+00:00"))
    kind, data, *_ = next(events).splitlines()
    (told,) = json.loads(data.removeprefix("data: "))
    assert (kind, told["name"], told["state"]["phase"]) == ("event: some", "The oak", "throw")
    streams.close()
    assert list(events) == []
    streams.leave()
    assert not streams.enter()


def test_streams_tell_whether_the_broker_is_there(wall: Wall) -> None:
    events = WallStreams(wall).events(lambda: False)
    assert 'event: broker\ndata: "away"\n\nevent: all\ndata: []\n' in next(events)
    wall.line(Line.FOLLOWED)
    assert next(events) == 'event: broker\ndata: "followed"\n\nevent: some\ndata: []\n\n'
    wall.availability("oak", True)
    assert next(events).startswith("event: some\n")
    wall.line(Line.TAKEN_OVER)
    line, told = next(events).split("\n\n", 1)
    assert line == 'event: broker\ndata: "taken_over"'
    assert '"online":false' in told


def words(language: str) -> dict[str, str]:
    pairs: list[tuple[str, str]] = json.loads(
        (STATIC / "words" / f"{language}.json").read_text("utf-8"), object_pairs_hook=list
    )
    assert len(pairs) == len(dict(pairs)), "a key is there twice"
    return dict(pairs)


def stem(key: str) -> str:
    base, _, last = key.rpartition(".")
    return base if last in ("one", "many", "other") else key


def test_why_the_broker_is_not_followed_has_its_words() -> None:
    told = {key.rpartition(".")[2] for key in words("en") if key.startswith("club.broker.")}
    assert told == set(Line) - {Line.FOLLOWED}


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_in_every_language(language: str) -> None:
    own, english = words(language), words("en")
    assert {stem(key) for key in own} == {stem(key) for key in english}
    for key, text in own.items():
        assert holes(text) - {"n"} == holes(english.get(key, english.get(f"{stem(key)}.other", ""))) - {
            "n"
        }, key
        if stem(key) != key:
            assert {k.rpartition(".")[2] for k in own if stem(k) == stem(key)} == PLURALS[language]


def test_every_word_is_asked_for() -> None:
    scripts = "\n".join(path.read_text("utf-8") for path in STATIC.glob("*.js"))
    families = ("club.phase.", "club.broker.", "club.record.", "club.export.")
    columns = {"place", "player", "played", "wins", "score", "share", "points", "rating"}
    columns |= {"opponent", "ahead", "behind", "ties"}
    for key in {stem(key) for key in words("en")}:
        last = key.rpartition(".")[2]
        assert (
            f'"{key}"' in scripts or key.startswith(families) or (last in columns and f'"{last}"' in scripts)
        ), key
