"""The settings as their page shows them: each key with its value, its default and its meaning."""

from __future__ import annotations

from companion.settings.telling import as_toml
from companion.settings.values import Settings, keys
from companion.web.settings_page import SettingRow


def rows_of(settings: Settings) -> tuple[SettingRow, ...]:
    """Return a row for every key, in the file's order."""
    return tuple(
        SettingRow(
            key.section,
            key.name,
            as_toml(getattr(getattr(settings, key.section), key.name)),
            as_toml(key.default),
            key.unit,
            key.kind.words,
            key.meaning,
        )
        for key in keys()
    )
