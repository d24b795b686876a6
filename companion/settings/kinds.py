"""Kinds of values: what a setting may be, in words and as a check."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from companion.mqtt.address import is_host
from companion.mqtt.topics import LEVEL

FIRST_GPIO, LAST_GPIO = 2, 27
"""The numbers (BCM) that the 40-pin header leads out; 0 and 1 belong to the boards that are plugged on."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value may be: in words that complete "… must be", and as a check of what TOML gave.

    `accept` returns the value as the settings hold it, or raises ValueError.
    """

    words: str
    accept: Callable[[object], object]


def choice(*names: str) -> Kind:
    """One of these words."""

    def accept(value: object) -> object:
        if value not in names:
            raise ValueError
        return value

    return Kind("one of " + ", ".join(f'"{name}"' for name in names), accept)


def yes_no() -> Kind:
    """True or false."""

    def accept(value: object) -> object:
        if not isinstance(value, bool):
            raise ValueError
        return value

    return Kind("true or false", accept)


def whole(low: int, high: int) -> Kind:
    """A whole number within bounds that belong to it."""

    def accept(value: object) -> object:
        return _whole(value, low, high)

    return Kind(f"a whole number from {low} to {high}", accept)


def measure(low: float, high: float) -> Kind:
    """A number within bounds that belong to it."""

    def accept(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError
        if not low <= value <= high:
            raise ValueError
        return float(value)

    return Kind(f"a number from {low:g} to {high:g}", accept)


def text(words: str = "a text in quotes") -> Kind:
    """Any text of one line."""

    def accept(value: object) -> object:
        if not isinstance(value, str) or not value.isprintable():
            raise ValueError
        return value

    return Kind(words, accept)


def host() -> Kind:
    """The name or address of a machine, as it can be looked up."""

    def accept(value: object) -> object:
        if not isinstance(value, str) or not is_host(value):
            raise ValueError
        return value

    return Kind("a machine's name or address in quotes", accept)


def texts(words: str = "a list of texts in quotes") -> Kind:
    """Any number of texts."""

    def accept(value: object) -> object:
        if not isinstance(value, list) or not all(
            isinstance(one, str) and one.isprintable() for one in value
        ):
            raise ValueError
        return tuple(value)

    return Kind(words, accept)


def level() -> Kind:
    """One level of a topic: what a broker, a file name and an address take alike."""

    def accept(value: object) -> object:
        if not isinstance(value, str) or not LEVEL.fullmatch(value):
            raise ValueError
        return value

    return Kind("1 to 40 of the signs a–z, A–Z, 0–9, - and _", accept)


def level_or_nothing() -> Kind:
    """As `level`, or an empty text."""
    kind = level()
    return Kind(f"{kind.words}, or nothing", lambda value: value if value == "" else kind.accept(value))


def pin() -> Kind:
    """A pin by its BCM number."""
    return Kind(
        f"a BCM number from {FIRST_GPIO} to {LAST_GPIO}",
        lambda value: _whole(value, FIRST_GPIO, LAST_GPIO),
    )


def pins(count: int) -> Kind:
    """So many different pins."""

    def accept(value: object) -> object:
        if not isinstance(value, list) or len(value) != count:
            raise ValueError
        found = tuple(_whole(one, FIRST_GPIO, LAST_GPIO) for one in value)
        if len(set(found)) != count:
            raise ValueError
        return found

    return Kind(f"a list of {count} different BCM numbers from {FIRST_GPIO} to {LAST_GPIO}", accept)


def _whole(value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError
    return value
