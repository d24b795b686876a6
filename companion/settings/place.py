"""Where the settings are, and the files that they name; each fault told in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.settings.reading import SettingsError, settings_from_toml
from companion.settings.values import Settings

FILE_NAME = "companion.toml"
OF_THE_MACHINE = Path("/etc/companion") / FILE_NAME


class SettingsFault(Exception):
    """The file can not be used; the sentence names it, the line, and what would be right."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.sentence = sentence


def settings_file(
    given: Path | None, environment: Mapping[str, str], home: Path, machine: Path = OF_THE_MACHINE
) -> Path | None:
    """Return the file given; else the user's or the machine's, whichever is there first; else None."""
    if given is not None:
        return given
    base = environment.get("XDG_CONFIG_HOME", "")
    own = (Path(base) if base.startswith("/") else home / ".config") / "companion" / FILE_NAME
    return next((path for path in (own, machine) if mark_of(path) is not None), None)


def load_settings(path: Path | None) -> Settings:
    """Return the settings in a file; all defaults where there is none.

    Raises:
        SettingsFault: it cannot be read, or says what can not be.
    """
    if path is None:
        return Settings()
    try:
        return settings_from_toml(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise SettingsFault(
            path, f"{path}: the settings cannot be read ({error.strerror}); check the name and the rights."
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsFault(
            path, f"{path}: the settings are no UTF-8 text; write the file anew with a text editor."
        ) from error
    except SettingsError as error:
        sentence = str(error)
        raise SettingsFault(path, f"{path}: {sentence}{'' if sentence.endswith('?') else '.'}") from error


def mark_of(path: Path | None) -> tuple[int, int] | None:
    """Return what changes when the file is written anew: its time in ns and its size; None without a file."""
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
