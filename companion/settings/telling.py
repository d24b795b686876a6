"""Telling of the settings: the file with all defaults to begin with, and the table in the docs."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from companion.settings.values import Key, keys


def as_toml(value: object) -> str:
    """Return a value as TOML writes it.

    >>> as_toml((17, 27)), as_toml(True), as_toml("a")
    ('[17, 27]', 'true', '"a"')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Sequence):
        return "[" + ", ".join(as_toml(one) for one in value) + "]"
    return str(value)


def default_file() -> str:
    """Return a whole settings file: every key told of, and commented out at its default."""
    lines = [
        "# Settings of the companion. A line that begins with # says nothing: remove the mark to change it.",
        "# After a change: sudo systemctl restart companion",
    ]
    section = ""
    for key in keys():
        if key.section != section:
            section = key.section
            lines += ["", f"[{section}]"]
        told = f"{key.meaning} ({key.kind.words})"
        lines += textwrap.wrap(told, 100, initial_indent="# ", subsequent_indent="# ")
        lines.append(f"#{key.name} = {as_toml(key.default)}")
    return "\n".join(lines) + "\n"


def table_row(key: Key) -> str:
    """Return a key's row of the table in the docs."""
    return f"| `{key.name}` | `{as_toml(key.default)}` | {key.unit} | {key.kind.words} | {key.meaning} |"


def docs_tables() -> str:
    """Return the tables of all keys, one a section, in Markdown."""
    parts = []
    section = ""
    for key in keys():
        if key.section != section:
            section = key.section
            parts += [
                "",
                f"## `[{section}]`",
                "",
                "| key | default | unit | may be | meaning |",
                "|---|---|---|---|---|",
            ]
        parts.append(table_row(key))
    return "\n".join(parts[1:]) + "\n"
