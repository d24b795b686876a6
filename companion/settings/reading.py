"""Reading the file: TOML text becomes settings; a fault is told with its line and what would be right."""

from __future__ import annotations

import difflib
import re
import tomllib
from typing import Any

from companion.settings.values import SECTIONS, Key, PageSettings, Settings, keys

HEADER = re.compile(r"^\s*\[\s*([A-Za-z0-9_-]+)\s*\]")
ASSIGNED = re.compile(r"""^\s*["']?([A-Za-z0-9_-]+)["']?\s*(?:\.\s*["']?([A-Za-z0-9_-]+)["']?\s*)?=""")
TOML_PLACE = re.compile(r"^(?P<what>.*?)\s*\(at (?:line (?P<line>\d+), column \d+|end of document)\)$")


class SettingsError(ValueError):
    """The text is no settings; the message is one sentence that says what would be right.

    `line` counts from 1; None where the fault is in no one line.
    """

    def __init__(self, sentence: str, line: int | None = None) -> None:
        where = "" if line is None else f"line {line}: "
        super().__init__(f"{where}{sentence}")
        self.line = line


def settings_from_toml(text: str) -> Settings:
    """Return the settings in a TOML text; what it does not say keeps its default.

    Raises:
        SettingsError: it is no TOML, names an unknown key, or a value is not as it must be.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(error, text) from None
    known = {str(key): key for key in keys()}
    given: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    for section, values in data.items():
        if section not in SECTIONS:
            raise _unknown_section(section, values, text)
        if not isinstance(values, dict):
            raise SettingsError(
                f"'{section}' is a section; write [{section}] on a line of its own, its keys below",
                line_of(text, "", section),
            )
        for name, value in values.items():
            line = line_of(text, section, name)
            key = known.get(f"{section}.{name}")
            if key is None:
                raise _unknown_key(section, name, line)
            given[section][name] = _value(key, value, line)
    settings = Settings(**{section: kind(**given[section]) for section, kind in SECTIONS.items()})
    _check_together(settings, text)
    return settings


def page_settings_in(text: str) -> PageSettings:
    """Return what a damaged text still says of the page; the defaults where that is damaged, too."""
    inside, lines = False, []
    for line in text.splitlines():
        header = HEADER.match(line)
        inside = header[1] == "page" if header is not None else inside
        lines += [line] if inside else []
    try:
        return settings_from_toml("\n".join(lines)).page
    except SettingsError:
        return PageSettings()


def line_of(text: str, section: str, name: str) -> int | None:
    r"""Return the line, from 1, on which a key is given its value; None where it is written in another way.

    >>> line_of("[leds]\nuse = true\n", "leds", "use")
    2
    """
    inside = ""
    for count, line in enumerate(text.splitlines(), start=1):
        header = HEADER.match(line)
        if header is not None:
            inside = header[1]
            continue
        assigned = ASSIGNED.match(line)
        if assigned is None:
            continue
        first, second = assigned.groups()
        where, what = (inside, first) if second is None else (first, second)
        if (where, what) == (section, name):
            return count
    return None


def _not_toml(error: tomllib.TOMLDecodeError, text: str) -> SettingsError:
    found = TOML_PLACE.match(str(error))
    what = found["what"] if found else str(error)
    line = int(found["line"]) if found and found["line"] else max(1, len(text.splitlines()))
    return SettingsError(
        f"this is not TOML ({what[:1].lower()}{what[1:]}); a line is `name = value`, texts stand in quotes",
        line,
    )


def _unknown_section(section: str, values: object, text: str) -> SettingsError:
    if isinstance(values, dict):
        line = _header_line(text, section)
        near = difflib.get_close_matches(section, SECTIONS, n=1, cutoff=0.5)
        hint = f"is [{near[0]}] meant?" if near else "there are " + ", ".join(f"[{one}]" for one in SECTIONS)
        return SettingsError(f"there is no section [{section}]; {hint}", line)
    line = line_of(text, "", section)
    at_home = [key.section for key in keys() if key.name == section]
    hint = f"it belongs below [{at_home[0]}]" if at_home else "each key stands below its section"
    return SettingsError(f"'{section}' stands outside of every section; {hint}", line)


def _header_line(text: str, section: str) -> int | None:
    for count, line in enumerate(text.splitlines(), start=1):
        header = HEADER.match(line)
        assigned = ASSIGNED.match(line)
        if (header and header[1] == section) or (assigned and assigned[2] and assigned[1] == section):
            return count
    return None


def _unknown_key(section: str, name: str, line: int | None) -> SettingsError:
    own = [key.name for key in keys() if key.section == section]
    near = difflib.get_close_matches(name, own, n=1, cutoff=0.5)
    elsewhere = [key.section for key in keys() if key.name == name]
    if elsewhere:
        hint = f"it belongs below [{elsewhere[0]}]"
    elif near:
        hint = f"is '{near[0]}' meant?"
    else:
        hint = "there are " + ", ".join(own)
    return SettingsError(f"[{section}] has no key '{name}'; {hint}", line)


def _value(key: Key, value: object, line: int | None) -> object:
    try:
        return key.kind.accept(value)
    except ValueError:
        instead = "" if key.is_secret else f", not {value!r}"
        raise SettingsError(f"'{key.name}' must be {key.kind.words}{instead}", line) from None


def _check_together(settings: Settings, text: str) -> None:
    """Check what several keys must be together."""
    button, leds, camera = settings.button, settings.leds, settings.camera
    if button.use and leds.use and button.gpio in leds.gpio:
        line = line_of(text, "button", "gpio") or line_of(text, "leds", "gpio")
        raise SettingsError(
            f"pin {button.gpio} is the button's and an LED's; give the button or that LED another one", line
        )
    if camera.kind == "folder" and not camera.folder:
        raise SettingsError(
            "the camera's kind is 'folder', so its 'folder' must be named", line_of(text, "camera", "kind")
        )
    if (camera.width_px == 0) != (camera.height_px == 0):
        line = line_of(text, "camera", "width_px") or line_of(text, "camera", "height_px")
        raise SettingsError("give both 'width_px' and 'height_px', or neither", line)
