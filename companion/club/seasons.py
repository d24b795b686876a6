"""Seasons: the stretches of time over which a club counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

KINDS: Mapping[str, Callable[[int, int], str]] = {
    "year": lambda year, _: f"{year}",
    "half_year": lambda year, month: f"{year}-H{(month + 5) // 6}",
    "quarter": lambda year, month: f"{year}-Q{(month + 2) // 3}",
    "month": lambda year, month: f"{year}-{month:02}",
}
"""The names under which a season's length is chosen, and how one is called."""


def season_of(ended_at: str, kind: str) -> str:
    """Return the season of a game by the end of the game (ISO 8601, UTC).

    >>> season_of("2026-11-30T20:00:00.000+00:00", "quarter")
    '2026-Q4'
    """
    return KINDS[kind](int(ended_at[:4]), int(ended_at[5:7]))
