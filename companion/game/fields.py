"""Reading the fields of decoded JSON: each is checked, and what is wrong is said in a sentence."""

import json
from collections.abc import Mapping
from typing import Any

from companion.game.dice import DEFAULT_COLOURS

MAX_NUMBER = 1_000_000_000
"""No points and no pile are larger: a slip of the keyboard is refused, sums stay printable."""


class BadLine(ValueError):
    """A line that is no event at all: unknown type, a field missing, ill-typed or out of range.

    Attributes:
        sentence: what is wrong, for a person.
        line: the line's number in its record, from 1, where it is known.
    """

    CODE = "bad_line"

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence if line is None else f"line {line}: {sentence}")
        self.sentence = sentence
        self.line = line


def json_object(data: object, what: str) -> Mapping[str, Any]:
    """Return `data` if it is a JSON object; `what` names it in the sentence of the BadLine."""
    if not isinstance(data, dict):
        raise BadLine(f"{what} must be a JSON object, not {shown(data)}")
    return data


def field_of(fields: Mapping[str, Any], name: str) -> Any:
    """Return the field `name`; BadLine where it is missing."""
    if name not in fields:
        raise BadLine(f'the field "{name}" is missing')
    return fields[name]


def index_field(fields: Mapping[str, Any], name: str, count: int) -> int:
    """Return the field `name`, an index from 0 to `count` - 1; else BadLine."""
    value = field_of(fields, name)
    if not is_whole(value) or not 0 <= value < count:
        raise BadLine(f'"{name}" must be a whole number from 0 to {count - 1}, not {shown(value)}')
    return int(value)


def colour_named(value: object, colours: tuple[str, ...]) -> str:
    """Return `value` if it is one of `colours`; else BadLine."""
    if not isinstance(value, str) or value not in colours:
        raise BadLine(f"unknown colour {shown(value)}; this game has {', '.join(colours)}")
    return value


def colours_field(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the field `colours`, six different names; the default ones where it is missing; else BadLine."""
    colours = fields.get("colours", list(DEFAULT_COLOURS))
    if (
        not isinstance(colours, list)
        or not all(is_text(name) and name for name in colours)
        or len(colours) != len(DEFAULT_COLOURS)
        or len(set(colours)) != len(colours)
    ):
        raise BadLine('"colours" must be six different names')
    return tuple(colours)


def is_whole(value: object) -> bool:
    """Tell whether it is a whole number; JSON's true and 1.0 are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value: object) -> bool:
    """Tell whether it is a whole number from 0 to MAX_NUMBER."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER


def is_text(value: object) -> bool:
    """Tell whether it is a string that UTF-8 can hold; JSON's escapes can make lone surrogates, too."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def one_line(text: str) -> str:
    r"""Return a text as one line of printable characters: nothing in it steers a terminal.

    >>> one_line("  Ana\tMaria\n")
    'Ana Maria'
    """
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def shown(value: object) -> str:
    """Return a decoded JSON value as a sentence shows it, never longer than some words."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."
