"""The pages of the appliance: settings, service, safe mode; what they say, in which language."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.cli.appliance import WELL
from companion.cli.appliance_parts import sight_of
from companion.cli.settings_rows import rows_of
from companion.doctor.finding import Finding, Level
from companion.settings.values import CameraSettings, PageSettings, Settings, keys
from companion.web.catalogue import Catalogue
from companion.web.safe_mode import create_safe_app
from companion.web.service import service_pages
from companion.web.settings_page import settings_pages

FRENCH = {"Accept-Language": "fr"}


@pytest.fixture
def client() -> FlaskClient:
    settings = replace(Settings(), page=PageSettings(name="<b>Ours</b>"))
    app = Flask("companion.web", template_folder="templates", static_folder="static")
    app.register_blueprint(settings_pages(rows_of(settings), "/etc/companion/companion.toml"))
    found = [
        Finding("warmth", Level.NOTE, "83 °C is hot: give the Pi air or a heat sink."),
        Finding("profile", Level.FAULT, "There is none; calibrate with `companion calibrate`."),
        Finding("camera", Level.FAULT, "Somebody <i>ate</i> the cable."),
    ]
    app.register_blueprint(service_pages(lambda: found, lambda: ("http://a.local/",), lambda: None))
    return app.test_client()


def test_every_key_is_told_and_changes_are_marked(client: FlaskClient) -> None:
    page = client.get("/settings").text
    for key in keys():
        assert f"<strong>{key.name}</strong>" in page
        assert f"<h2>[{key.section}]</h2>" in page
    assert page.count('class="finding note"') == page.count('<span class="changed">changed</span>') == 1
    assert ">!<" not in page
    assert "&lt;b&gt;Ours&lt;/b&gt;" in page
    assert "/etc/companion/companion.toml" in page


@pytest.mark.parametrize("headers", [{}, FRENCH], ids=["en", "fr"])
@pytest.mark.parametrize("path", ["/settings", "/service"])
def test_what_the_command_line_puts_in_backticks_is_code(
    client: FlaskClient, path: str, headers: dict[str, str]
) -> None:
    page = client.get(path, headers=headers).text
    assert "`" not in page
    assert "<code>companion calibrate</code>" in page or "<code>companion.db</code>" in page


def test_settings_are_told_in_french(client: FlaskClient) -> None:
    page = client.get("/settings", headers=FRENCH).text
    assert '<html lang="fr">' in page
    assert "Le port de la page" in page
    assert "(un nombre entier de 1 à 65535)" in page


@pytest.mark.parametrize("key", list(keys()), ids=str)
def test_every_key_has_its_french(key: object) -> None:
    french = Catalogue("service").of("fr")
    row = next(row for row in rows_of(Settings()) if f"{row.section}.{row.name}" == str(key))
    assert [language for _, language in row.told(french)] == ["fr", "fr"]


def test_service_is_told_in_french_as_far_as_the_devices_words_are_known(client: FlaskClient) -> None:
    page = client.get("/service", headers=FRENCH).text
    assert ">chaleur</strong>" in page
    assert '<span lang="fr">83 °C, c’est chaud' in page
    # What is not foreseen is told as it came, and said to be English.
    assert '<span lang="en">Somebody &lt;i&gt;ate&lt;/i&gt; the cable.</span>' in page
    assert ">warmth</strong>" in client.get("/service").text


@pytest.mark.parametrize("sentence", list(WELL.values()))
def test_what_is_said_of_a_device_that_is_well_has_its_french(sentence: str) -> None:
    assert Catalogue("service").of("fr").of_pattern("said", sentence)[1] == "fr"


@pytest.mark.parametrize(
    "camera", [CameraSettings(), CameraSettings(kind="none")], ids=["to-be-set-up", "none"]
)
def test_why_nothing_is_seen_has_its_french(camera: CameraSettings, tmp_path: Path) -> None:
    problem = sight_of(camera, tmp_path / "profile.json").problem
    assert problem is not None
    assert Catalogue("service").of("fr").of_pattern("said", problem)[1] == "fr"


def test_safe_mode_in_both_languages() -> None:
    client = create_safe_app("line 3: no such key").test_client()
    for headers, title in (({}, "The settings need a look"), (FRENCH, "Les réglages sont à revoir")):
        answer = client.get("/", headers=headers)
        assert answer.status_code == 503
        assert title in answer.text
        assert "line 3: no such key" in answer.text


def test_languages_have_the_same_words() -> None:
    catalogue = Catalogue("service")
    english, french = (catalogue.of(language)._words for language in ("en", "fr"))
    families = re.compile(r"(said|kind|setting|subject)\.")
    assert set(english) == {key for key in french if not families.match(key)}
    assert [key for key, text in french.items() if key.count("{}") != text.count("{}")] == []
