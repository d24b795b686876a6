"""Where the games are kept when nobody says where."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FILE_NAME = "companion.db"


def default_file(environment: Mapping[str, str], home: Path) -> Path:
    """Return the file: in the service's state folder under systemd, else in the user's data folder."""
    state = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    if state:
        return Path(state) / FILE_NAME
    data = environment.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else home / ".local" / "share"
    return base / "companion" / FILE_NAME
