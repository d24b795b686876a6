"""Tables, a real broker and a club: every finished game is counted once, whatever is killed."""

import json
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, func, select

from companion.club.database import url_of
from companion.club.hearing import MOST_BYTES, Hearing
from companion.club.results import Refusal
from companion.club.running import Club
from companion.club.schema import GAMES
from companion.club.wall import MOST_TABLES, Line, Wall
from companion.table import intents
from companion.table.phase import Phase
from tests.club.at_broker import Speaker, counted, wanted
from tests.club.played import message
from tests.conftest import ROOT
from tests.mqtt.mosquitto import Mosquitto, until
from tests.mqtt.told_table import told_table


def test_tables_are_followed_and_their_games_counted(
    mosquitto: Mosquitto, database: str, tmp_path: Path
) -> None:
    with (
        Club(wanted(mosquitto, database)) as club,
        told_table(tmp_path / "1.db", mosquitto.broker, table_id="oak") as oak,
        told_table(tmp_path / "2.db", mosquitto.broker, table_id="elm") as elm,
    ):
        games = {oak.wins(1), elm.wins(2), oak.wins(3)}
        until(lambda: set(counted(club)) == games, "all games are counted")
        until(lambda: oak.due == elm.due == [], "both outboxes are empty")

        def shown() -> dict[str, Any]:
            return {one.table: one.state["phase"] for one in club.wall.now()[1] if one.online and one.state}

        until(lambda: shown() == {"oak": Phase.OVER, "elm": Phase.OVER}, "the wall shows both")
        (first, *_) = club.book.results()
        assert [(seat.name, seat.place) for seat in first.seats] == [("Ana", 1), ("Ben", 2)]


def test_duplicates_are_counted_once(mosquitto: Mosquitto, database: str, speaker: Speaker) -> None:
    with Club(wanted(mosquitto, database)) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
        for seed in (1, 2, 1, 3, 2, 1, 3):
            speaker.delivers(message(seed))
        until(lambda: len(counted(club)) == 3, "three games")
        speaker.delivers(message(4))
        until(lambda: "oak000004" in counted(club), "the last game")
        assert sorted(counted(club)) == [f"oak00000{seed}" for seed in (1, 2, 3, 4)]


def test_what_comes_while_the_club_is_away_is_counted(
    mosquitto: Mosquitto, tmp_path: Path, speaker: Speaker
) -> None:
    database = str(tmp_path / "club.db")
    with Club(wanted(mosquitto, database)) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
    for seed in range(30):
        speaker.delivers(message(seed))
    with Club(wanted(mosquitto, database)) as club:
        until(lambda: len(counted(club)) == 30, "all games")


def test_a_wall_without_its_broker_tells_no_old_news(
    mosquitto: Mosquitto, database: str, tmp_path: Path
) -> None:
    with (
        Club(wanted(mosquitto, database)) as club,
        told_table(tmp_path / "1.db", mosquitto.broker) as oak,
    ):

        def shown() -> list[tuple[str, bool]]:
            return [(one.table, one.online) for one in club.wall.now()[1] if one.state]

        until(lambda: (club.wall.broker, shown()) == (Line.FOLLOWED, [("oak", True)]), "the table is there")
        mosquitto.kill()
        until(
            lambda: (club.wall.broker, shown()) == (Line.AWAY, [("oak", False)]),
            "nothing is known of it",
        )
        oak.does(intents.StartGame(("Ana", "Ben")))
        mosquitto.start()
        until(
            lambda: (club.wall.broker, shown()) == (Line.FOLLOWED, [("oak", True)]),
            "the table is there again",
        )


def test_a_club_without_its_broker_says_so(mosquitto: Mosquitto, tmp_path: Path) -> None:
    mosquitto.stop()
    with Club(wanted(mosquitto, str(tmp_path / "club.db"))) as club:
        assert club.wall.broker is Line.AWAY
        mosquitto.start()
        until(lambda: club.wall.broker is Line.FOLLOWED, "the broker is followed")


def club_process(mosquitto: Mosquitto, database: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "companion", "club", "--database", database, "--host", "127.0.0.1"]
    more = ["--port", "0", "--broker", f"127.0.0.1:{mosquitto.port}"]
    settings = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent"}
    return subprocess.Popen([*command, *more], stdout=subprocess.PIPE, cwd=ROOT, env=settings)


def test_a_club_killed_while_storing_loses_and_doubles_nothing(
    mosquitto: Mosquitto, database: str, speaker: Speaker
) -> None:
    """Killed while games stream in, and again: what it did not acknowledge comes again."""
    total, lives = 60, 2
    with Club(wanted(mosquitto, database)) as club:  # the session begins
        until(lambda: club.receiver.is_connected, "the club is at the broker")
    engine = create_engine(url_of(database))
    for life in range(lives):
        before = kept(engine)
        for seed in range(total * life // lives, total * (life + 1) // lives):
            speaker.delivers(message(seed))
        with club_process(mosquitto, database) as process:
            until(lambda before=before: kept(engine) > before, "something is stored")  # type: ignore[misc]
            os.kill(process.pid, signal.SIGKILL)
            process.wait(60)
    engine.dispose()
    with Club(wanted(mosquitto, database)) as club:
        until(lambda: len(counted(club)) == total, "all games")
        assert sorted(counted(club)) == [f"oak{seed:06}" for seed in range(total)]


def kept(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(GAMES)) or 0


def test_a_broker_killed_in_mid_game_loses_no_finished_game(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Not even one that it had taken while the club was away, and forgot: the table delivers it again."""
    database = str(tmp_path / "club.db")
    with Club(wanted(mosquitto, database)) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
    with told_table(tmp_path / "1.db", mosquitto.broker) as oak:
        first = oak.wins(1)
        until(lambda: oak.due == [], "the broker has the first game")
        mosquitto.kill()  # and with it the club's session, in which that game waited
        second = oak.wins(2)
        mosquitto.start()
        with Club(wanted(mosquitto, database)) as club:
            until(lambda: set(counted(club)) == {first, second}, "both games")
            until(lambda: oak.due == [], "the outbox is empty")
            assert len(counted(club)) == 2


def test_a_second_club_on_one_database_is_refused(mosquitto: Mosquitto, tmp_path: Path) -> None:
    database = str(tmp_path / "club.db")
    with Club(wanted(mosquitto, database)), club_process(mosquitto, database) as process:
        assert process.wait(60) == 3


def rich() -> list[dict[str, Any]]:
    """Return a record whose cards are worth more than a database's whole numbers."""
    found: list[dict[str, Any]] = json.loads(json.dumps(message(1)["record"]))
    for line in found:
        for name in ("card", "received", "given"):
            if name in line:
                line[name]["points"] = 10**9
    return found


def halved() -> list[dict[str, Any]]:
    """Return a record with half a character in a name."""
    start, *rest = message(1)["record"]
    return [{**start, "players": [f"{name}\ud800" for name in start["players"]]}, *rest]


HOSTILE: tuple[tuple[str, Any, str], ...] = (
    ("companion/v1/oak/state", b"{", "it is no JSON"),
    ("companion/v1/oak/state", b"\xff\xfe", "it is no JSON"),
    ("companion/v1/oak/state", b"[" * 100_000, "it is no JSON"),
    ("companion/v1/oak/state", b'{"v": NaN}', "it is no JSON"),
    ("companion/v1/oak/state", {"v": 1}, "not as the schema says"),
    ("companion/v1/oak/state", b" " * (MOST_BYTES + 1), "more than any message has"),
    ("companion/v1/oak/availability", b"<script>alert(1)</script>", "online or offline"),
    ("companion/v1/oak/games/g1", {**message(1), "game": "g2"}, "another table or game"),
    ("companion/v1/elm/games/oak000001", message(1), "another table or game"),
    (
        "companion/v1/oak/games/oak000001",
        {**message(1), "record": [{"type": "start"}]},
        "line 1 of its record",
    ),
    ("companion/v1/oak/games/oak000001", {**message(1), "record": []}, "not as the schema says"),
    ("companion/v1/oak/games/oak000001", {**message(1), "version": 1e300}, "not as the schema says"),
    ("companion/v1/oak/games/oak000001", {**message(1), "points": [99, 0]}, "not as the schema says"),
    ("companion/v1/oak/games/oak000001", {**message(1), "record": rich()}, "worth more than any"),
    ("companion/v1/oak/games/oak000001", {**message(1), "record": halved()}, "half a character"),
    ("companion/v1/oak/games/a b", message(1), "no topic of a table"),
    ("companion/v1/../games/x", message(1), "no topic of a table"),
)


@pytest.mark.parametrize(("topic", "said", "why"), HOSTILE)
def test_malformed_and_hostile_messages_are_refused(topic: str, said: Any, why: str) -> None:
    wall = Wall()
    with pytest.raises(Refusal, match=why):
        Hearing(wall, "companion").hear(topic, said if isinstance(said, bytes) else json.dumps(said).encode())
    assert wall.now()[1] == []


def test_refusals_are_logged_and_harm_nothing(
    mosquitto: Mosquitto, tmp_path: Path, speaker: Speaker, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), Club(wanted(mosquitto, str(tmp_path / "club.db"))) as club:
        until(lambda: club.receiver.is_connected, "the club is at the broker")
        for topic, said, _ in HOSTILE:
            speaker.says(topic, said)
        speaker.delivers(message(7))
        until(lambda: counted(club) == ["oak000007"], "the game that is one")
    refused = [record.getMessage() for record in caplog.records if "refused on" in record.getMessage()]
    assert any("'companion/v1/oak/state'" in line for line in refused)
    assert any("'companion/v1/elm/games/oak000001'" in line for line in refused)
    assert not any("<script>" in line for line in refused)


def test_the_wall_has_an_end(caplog: pytest.LogCaptureFixture) -> None:
    wall = Wall()
    for number in range(MOST_TABLES + 3):
        wall.availability(f"t{number}", True)
    assert len(wall.now()[1]) == MOST_TABLES
    assert "is not shown" in caplog.text


def test_a_table_that_was_taken_away_gives_its_place_on_a_full_wall() -> None:
    wall = Wall()
    for number in range(MOST_TABLES):
        wall.availability(f"t{number}", True)
    for table in ("t5", "t3", "never"):
        wall.forget(table)
    for table in ("oak", "elm", "fir"):
        wall.availability(table, True)
    there = {one.table for one in wall.now()[1]}
    assert {"oak", "elm"} <= there
    assert "fir" not in there
    assert not {"t3", "t5", "never"} & there


def test_changes_are_told_once() -> None:
    wall = Wall()
    change, _ = wall.newer(0, 0)
    wall.availability("oak", True)
    wall.availability("oak", True)
    wall.availability("elm", True)
    change, seen = wall.newer(change, 0)
    assert [one.table for one in seen] == ["oak", "elm"]
    assert wall.newer(change, 0) == (change, [])


def test_a_table_taken_away_at_the_broker_leaves_the_wall() -> None:
    wall = Wall()
    hearing = Hearing(wall, "companion")
    hearing.hear("companion/v1/oak/availability", b"offline")
    change, seen = wall.now()
    assert [one.table for one in seen] == ["oak"]
    hearing.hear("companion/v1/oak/state", b"")
    assert wall.now()[1] == []
    assert [one.to_json()["gone"] for one in wall.newer(change, 0)[1]] == [True]
    hearing.hear("companion/v1/oak/availability", b"online")
    assert [one.online for one in wall.now()[1]] == [True]
