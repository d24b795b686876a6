"""The display, the rules, and the address for phones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

import companion.web
from companion.web import create_app
from companion.web.house import LISTENS_ON, house_pages
from companion.web.language import LANGUAGES
from tests.web.table_at_hand import table_at_hand

STATIC = Path(companion.web.__file__).parent / "static"
FOLDERS = ("display", "rules")


@pytest.fixture
def app() -> Iterator[Flask]:
    with table_at_hand() as table:
        yield create_app(table)


def house(*addresses: str, host: str = "0.0.0.0") -> Flask:
    app = Flask("companion.web")
    app.config[LISTENS_ON] = host
    app.register_blueprint(house_pages(lambda: addresses))
    return app


def test_addresses_end_with_the_one_that_works_everywhere() -> None:
    client = house("192.168.1.7").test_client()
    urls = client.get("/api/addresses", headers={"Host": "pi.local:8123"}).get_json()["urls"]
    assert urls[-1] == "http://192.168.1.7:8123/"
    assert urls[0].endswith(".local:8123/")
    code = client.get("/address.svg", headers={"Host": "pi.local:8123"})
    assert code.content_type.startswith("image/svg+xml")
    assert code.data.startswith(b"<?xml")


@pytest.mark.parametrize(
    "app", [house(), house("192.168.1.7", host="127.0.0.1"), house("192.168.1.7", host="localhost")]
)
def test_no_address_where_phones_can_not_come(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/api/addresses").get_json() == {"urls": []}
    assert client.get("/address.svg").status_code == 404


@pytest.mark.parametrize("page", FOLDERS)
def test_pages_speak_the_browser_s_language_from_own_files(app: Flask, page: str) -> None:
    client = app.test_client()
    for language in LANGUAGES:
        text = client.get(f"/{page}", headers={"Accept-Language": language}).text
        assert f'<html lang="{language}"' in text
        for address in re.findall(r'(?:src|href)="([^"]+)"', text):
            assert address.startswith("/static/")
            answer = client.get(address)
            answer.close()
            assert answer.status_code == 200, address
        assert "style=" not in text


@pytest.mark.parametrize("folder", FOLDERS)
def test_words_are_complete_and_none_is_idle(folder: str) -> None:
    catalogues = {
        language: json.loads((STATIC / folder / "words" / f"{language}.json").read_text("utf-8"))
        for language in LANGUAGES
    }
    english = catalogues["en"]
    script = (STATIC / folder / "main.js").read_text("utf-8")
    named = set(re.findall(rf'"({folder}\.[\w.]+)"', script))
    for part, count in re.findall(r'part\("(\w+)", (\d)', script):
        named |= {f"{folder}.{part}", *(f"{folder}.{part}.{n + 1}" for n in range(int(count)))}
    named |= {f"{folder}.{name}" for name in ("players", "at", "from") if folder == "rules"}
    assert named == set(english)
    for words in catalogues.values():
        assert set(words) == set(english)
        assert all(text.strip() for text in words.values())
