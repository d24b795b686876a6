"""The settings page: every key with its value and what it means; to be changed in the file alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, make_response, render_template


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One key as the page shows it; values as the file writes them."""

    section: str
    name: str
    value: str
    default: str
    unit: str
    may_be: str
    meaning: str

    @property
    def is_changed(self) -> bool:
        """Whether somebody has set it to something else than the default."""
        return self.value != self.default


def settings_pages(rows: Sequence[SettingRow], place: str) -> Blueprint:
    """Return `/settings`; `place` is the file they came from, or where one would be looked for."""
    pages = Blueprint("settings", __name__)

    @pages.get("/settings")
    def page() -> Response:
        sections = dict.fromkeys(row.section for row in rows)
        grouped = [(section, [row for row in rows if row.section == section]) for section in sections]
        return make_response(render_template("settings.html", sections=grouped, place=place))

    return pages
