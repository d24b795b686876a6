"""The settings page: every key, what was changed marked, nothing taken for markup."""

from dataclasses import replace

from flask import Flask

from companion.cli.settings_rows import rows_of
from companion.settings.values import PageSettings, Settings, keys
from companion.web.settings_page import settings_pages


def test_every_key_is_told_and_changes_are_marked() -> None:
    settings = replace(Settings(), page=PageSettings(name="<b>Ours</b>"))
    app = Flask("companion.web", template_folder="templates", static_folder="static")
    app.register_blueprint(settings_pages(rows_of(settings), "/etc/companion/companion.toml"))
    page = app.test_client().get("/settings").text
    for key in keys():
        assert f"<strong>{key.name}</strong>" in page
        assert f"<h2>[{key.section}]</h2>" in page
    assert page.count('class="finding note"') == 1
    assert "&lt;b&gt;Ours&lt;/b&gt;" in page
    assert "/etc/companion/companion.toml" in page
