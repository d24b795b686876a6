"""The settings as their page shows them: each key with its value, its default and its meaning."""

from __future__ import annotations

from companion.settings.telling import as_toml
from companion.settings.values import Key, Settings, keys
from companion.web.settings_page import SettingRow


def rows_of(settings: Settings) -> tuple[SettingRow, ...]:
    """Return a row for every key, in the file's order."""
    return tuple(
        SettingRow(
            key.section,
            key.name,
            _shown(key, getattr(getattr(settings, key.section), key.name)),
            as_toml(key.default),
            key.unit,
            key.kind.words,
            key.meaning,
        )
        for key in keys()
    )


def _shown(key: Key, value: object) -> str:
    return "***" if key.is_secret and value else as_toml(value)
