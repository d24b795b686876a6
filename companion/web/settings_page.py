"""The settings page: every key with its value and what it means; to be changed in the file alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Response

from companion.web.catalogue import Catalogue, Words
from companion.web.shell import shell


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One key as the page shows it; values as the file writes them, meanings in English."""

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

    def told(self, words: Words) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return meaning and kind, each with the language it is in."""
        return (
            words.of_source(f"setting.{self.section}.{self.name}", self.meaning),
            words.of_pattern("kind", self.may_be),
        )


def settings_pages(rows: Sequence[SettingRow], place: str) -> Blueprint:
    """Return `/settings`; `place` is the file they came from, or where one would be looked for."""
    pages = Blueprint("settings", __name__)
    catalogue = Catalogue("service")

    @pages.get("/settings")
    def page() -> Response:
        words = catalogue.asked_for()
        sections = dict.fromkeys(row.section for row in rows)
        grouped = [
            (section, [(row, *row.told(words)) for row in rows if row.section == section])
            for section in sections
        ]
        return shell("settings.html", t=words, sections=grouped, place=place)

    return pages
