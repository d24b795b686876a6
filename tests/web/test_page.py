"""The page and its files: language, cookie, all assets local and small, no markup from text."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import LanguageAccept

import companion.web
from companion.web import create_app
from companion.web.language import best_language
from tests.web.table_at_hand import table_at_hand

STATIC = Path(companion.web.__file__).parent / "static"
SCRIPTS = sorted(path for path in STATIC.glob("*.js") if not path.name.startswith("demo"))
FIRST_LOAD_LIMIT_BYTES = 150_000
LINES_LIMIT = 300


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    with table_at_hand() as table:
        yield create_app(table).test_client()


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, [("fr-CA", 1), ("en", 0.8)], "fr"),
        (None, [("de", 1), ("fr", 0.3), ("en", 0.2)], "fr"),
        (None, [("de", 1)], "en"),
        (None, [], "en"),
        (None, [("fr", 0)], "en"),
        ("en", [("fr", 1)], "en"),
        ("xx", [("fr", 1)], "fr"),
    ],
)
def test_language(chosen: str | None, accepted: list[tuple[str, float]], language: str) -> None:
    assert best_language(chosen, LanguageAccept(accepted)) == language


def test_a_chosen_language_is_kept_in_a_careful_cookie(client: FlaskClient) -> None:
    answer = client.get("/?lang=fr", headers={"Accept-Language": "en"})
    assert 'lang="fr"' in answer.text
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert 'lang="fr"' in client.get("/", headers={"Accept-Language": "en"}).text


def test_page_names_only_files_that_are_there(client: FlaskClient) -> None:
    page = client.get("/").text
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(named) >= 5
    for address in named:
        assert address.startswith("/static/")
        answer = client.get(address)
        answer.close()
        assert answer.status_code == 200, address
    assert "<script>" not in page
    assert "style=" not in page


def test_scripts_import_only_files_that_are_there() -> None:
    for script in SCRIPTS:
        for name in re.findall(r'from "([^"]+)"', script.read_text("utf-8")):
            assert name.startswith("./")
            assert (STATIC / name).is_file(), f"{script.name} imports {name}"


def test_every_script_of_the_page_is_used() -> None:
    pages = (STATIC.parent / "templates").glob("*.html")
    text = "".join(path.read_text("utf-8") for path in (*SCRIPTS, *pages))
    for script in SCRIPTS:
        used = f'"./{script.name}"' in text or f"filename='{script.name}'" in text
        assert used, f"nobody imports {script.name}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_text_never_becomes_markup(script: Path) -> None:
    text = script.read_text("utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text
    )
    assert text.startswith("//"), "a script begins by telling its idea"
    assert text.count("\n") <= LINES_LIMIT


def test_nothing_comes_from_outside() -> None:
    for path in STATIC.rglob("*"):
        if path.is_file():
            text = path.read_text("utf-8")
            outside = [
                address for address in re.findall(r"https?://[^\s\"')]+", text) if "www.w3.org" not in address
            ]
            assert not outside, path.name


def first_load(client: FlaskClient) -> list[str]:
    """What a browser asks for when it opens the page, in French, which has the longer words."""
    page = client.get("/", headers={"Accept-Language": "fr"}).text
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    loaded = ["/", "/static/words/fr.json", "/api/snapshot", "/api/pairing", "/api/addresses"]
    while named:
        address = named.pop()
        if address not in loaded:
            loaded.append(address)
            if address.endswith(".js"):
                with client.get(address) as answer:
                    text = answer.get_data(as_text=True)
                named += [f"/static/{name}" for name in re.findall(r'from "\./([^"]+)"', text)]
    return loaded


def test_first_load_is_small(client: FlaskClient) -> None:
    loaded = first_load(client)
    assert len(loaded) > 30
    total = 0
    for address in loaded:
        with client.get(address, headers={"Accept-Encoding": "gzip, br"}) as answer:
            assert answer.status_code == 200, address
            total += len(answer.data) + sum(len(name) + len(value) + 4 for name, value in answer.headers)
    assert total < FIRST_LOAD_LIMIT_BYTES


def test_files_are_compressed_for_those_who_take_it(client: FlaskClient) -> None:
    with client.get("/static/main.js") as plain:
        assert "Content-Encoding" not in plain.headers
        assert "Accept-Encoding" in plain.headers["Vary"]
        whole = plain.data
    with client.get("/static/main.js", headers={"Accept-Encoding": "gzip"}) as packed:
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == whole
        assert int(packed.headers["Content-Length"]) == len(packed.data)
        tag = packed.headers["ETag"]
    for encoding in ("gzip", ""):
        headers = {"If-None-Match": tag, "Accept-Encoding": encoding}
        with client.get("/static/main.js", headers=headers) as same:
            assert (same.status_code, same.data) == (304, b"")
    with client.get("/api/snapshot", headers={"Accept-Encoding": "gzip"}) as other:
        assert "Content-Encoding" not in other.headers
