"""Past games over HTTP: lists, moments, files, statistics; nothing of a game that is still hidden."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import companion.web
from companion.coach.luck import TurnLuck, turns_of
from companion.game.events import Event
from companion.game.record import read_events
from companion.history.fairness import Verdict
from companion.store.history import StoredGames
from companion.web import create_app
from companion.web.language import LANGUAGES
from tests.history.kept_games import file_with_games, robot_game
from tests.web.table_at_hand import table_at_hand
from tests.web.test_api import json_of

STATIC = Path(companion.web.__file__).parent / "static"
SCRIPTS = {path.name: path.read_text("utf-8") for path in (STATIC / "history").glob("*.js")}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    path = file_with_games(tmp_path_factory.mktemp("games") / "table.db", ("Ana", "Ben"), ("Ana", "Chloé"))
    with table_at_hand() as table:
        yield create_app(table, history=StoredGames(path)).test_client()


def test_the_way_is_shown_only_where_games_are_kept(client: FlaskClient) -> None:
    assert 'data-history="/history"' in client.get("/").text
    with table_at_hand() as table:
        without = create_app(table).test_client()
        assert "data-history" not in without.get("/").text
        assert without.get("/history").status_code == 404


def test_the_page_names_only_files_that_are_there(client: FlaskClient) -> None:
    page = client.get("/history", headers={"Accept-Language": "fr"})
    assert 'lang="fr"' in page.text
    assert "style=" not in page.text
    for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        answer = client.get(address)
        answer.close()
        assert answer.status_code == 200, address


def test_games_in_pages(client: FlaskClient) -> None:
    all_games = json_of(client.get("/api/games"))
    assert [game["id"] for game in all_games["games"]] == ["game1", "game0"]
    assert all_games["more"] is False
    first = json_of(client.get("/api/games?count=1"))
    assert [game["id"] for game in first["games"]] == ["game1"]
    assert first["more"] is True
    for odd in ("0", "-5", "x", "99999999"):
        assert client.get(f"/api/games?count={odd}").status_code == 200


def test_a_game_and_its_moments(client: FlaskClient) -> None:
    game = json_of(client.get("/api/games/game0"))
    steps = len(game["moves"])
    assert steps == len(robot_game("Ana", "Ben", seed="0"))
    last = json_of(client.get(f"/api/games/game0/steps/{steps - 1}"))
    assert [player["points"] for player in last["game"]["players"]] == game["points"]
    assert last["game"]["winners"] == game["winners"]


@pytest.mark.parametrize(
    "address", ["other", "other/luck", "other/record.jsonl", "other/steps/0", "game0/steps/9999"]
)
def test_what_is_not_there(client: FlaskClient, address: str) -> None:
    answer = client.get(f"/api/games/{address}")
    assert answer.status_code == 404
    assert json_of(answer)["code"] == "not_found"


def test_the_record_is_one(client: FlaskClient) -> None:
    answer = client.get("/api/games/game0/record.jsonl")
    assert re.fullmatch(
        r'attachment; filename="next-\d{4}-\d\d-\d\d-game0\.jsonl"', answer.headers["Content-Disposition"]
    )
    events = tuple(event for _, event in read_events(answer.text.splitlines()))
    assert events == robot_game("Ana", "Ben", seed="0")


def test_the_table_is_a_file(client: FlaskClient) -> None:
    answer = client.get("/api/games.csv")
    assert answer.content_type.startswith("text/csv")
    assert answer.text.count("\n") == 5


def test_nobody_waits_while_luck_is_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file_with_games(tmp_path / "table.db", ("Ana", "Ben"), ("Ana", "Ben"))
    begun, goes_on = threading.Event(), threading.Event()

    def slowly(events: Sequence[Event]) -> tuple[TurnLuck, ...]:
        begun.set()
        assert goes_on.wait(120)
        return turns_of(events)

    monkeypatch.setattr("companion.history.book.turns_of", slowly)
    with table_at_hand() as table, ThreadPoolExecutor(1) as pool:
        app = create_app(table, history=StoredGames(path))
        first = pool.submit(app.test_client().get, "/api/games/game1/luck")
        assert begun.wait(120)
        asked = {
            game: app.test_client().get(f"/api/games/{game}/luck") for game in ("game0", "game1", "none")
        }
        goes_on.set()
        assert first.result().status_code == 200
        assert asked["none"].status_code == 404
        for game in ("game0", "game1"):
            assert (asked[game].status_code, json_of(asked[game])["code"]) == (503, "luck_busy")
            assert int(asked[game].headers["Retry-After"]) > 0
            assert app.test_client().get(f"/api/games/{game}/luck").status_code == 200


def test_statistics_take_up_luck_as_it_is_worked_out(client: FlaskClient) -> None:
    before = json_of(client.get("/api/statistics"))
    assert before["luck_pending"] == ["game1", "game0"]
    assert before["dice"][0]["white"]["verdict"] in tuple(Verdict)
    luck = json_of(client.get("/api/games/game1/luck"))
    assert len(luck["players"]) == 2
    after = json_of(client.get("/api/statistics"))
    assert after["luck_pending"] == ["game0"]
    chloe = next(player for player in after["players"] if player["name"] == "Chloé")
    assert chloe["luck"] == luck["players"][1]
    assert chloe["luck_course"] == [pytest.approx(chloe["luck"]["luck"], abs=0.001)]
    assert before["players"][0]["luck_course"] == []


def test_a_file_that_went_away_is_told(tmp_path: Path) -> None:
    path = file_with_games(tmp_path / "table.db", ("Ana", "Ben"))
    with table_at_hand() as table:
        client = create_app(table, history=StoredGames(path)).test_client()
        path.unlink()
        answer = client.get("/api/games")
        assert answer.status_code == 503
        assert json_of(answer)["code"] == "history_fault"


def words(language: str) -> dict[str, str]:
    return {**_catalogue("words", language), **_catalogue("history/words", language)}


def _catalogue(folder: str, language: str) -> dict[str, str]:
    found = json.loads((STATIC / folder / f"{language}.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def stems(keys: dict[str, str]) -> set[str]:
    return {re.sub(r"\.(one|many|other)$", "", key) for key in keys}


def test_languages_have_the_same_words() -> None:
    english = _catalogue("history/words", "en")
    for language in LANGUAGES:
        other = _catalogue("history/words", language)
        assert stems(other) == stems(english)
        for key, text in other.items():
            same = english.get(key, english.get(re.sub(r"\.\w+$", ".other", key), ""))
            holes = re.findall(r"\{(\w+)\}", text)
            assert set(holes) - {"n"} == set(re.findall(r"\{(\w+)\}", same)) - {"n"}, key
        assert not set(other) & set(_catalogue("words", language)), "a key is in both catalogues"


def test_every_word_asked_for_is_there_and_none_is_idle() -> None:
    text = "\n".join(SCRIPTS.values())
    asked = set(re.findall(r'"((?:history|replay|stat|luck|fair)\.[a-z_]+)"', text))
    asked |= {f"fair.{verdict}" for verdict in Verdict} | {"fair.white", "fair.black"}
    asked |= {f"history.{tab}" for tab in ("games", "players", "dice")}
    assert asked == stems(_catalogue("history/words", "en"))
    others = set(re.findall(r'\bt\(\s*"([\w.]+)"', text)) - asked
    assert others <= stems(words("en"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts(name: str) -> None:
    text = SCRIPTS[name]
    assert text.startswith("//")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|\.style\b", text)
    for imported in re.findall(r'from "([^"]+)"', text):
        assert (STATIC / "history" / imported).resolve().is_file(), imported
