"""Past games as a table for spreadsheets: one line for each player of each game."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from companion.history.past_game import Digest

COLUMNS = (
    "game",
    "started",
    "ended",
    "status",
    "ending",
    "seat",
    "player",
    "began",
    "points",
    "cards",
    "won",
    "turns",
    "throws",
)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def games_csv(digests: Iterable[Digest]) -> str:
    """Return the games as CSV with a heading (RFC 4180), times in UTC; `won` is the share of the win."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for digest in digests:
        table.writerows(_lines(digest))
    return text.getvalue()


def _lines(digest: Digest) -> Iterator[tuple[object, ...]]:
    for seat, player in enumerate(digest.players):
        tally = digest.tallies[seat]
        share: float | str = ""
        if digest.winners is not None:
            share = round(1 / len(digest.winners), 4) if seat in digest.winners else 0
        yield (
            digest.game_id,
            digest.started_at,
            digest.ended_at,
            str(digest.status),
            digest.ending or "",
            seat,
            plain_cell(player),
            int(seat == digest.first),
            digest.points[seat],
            digest.cards[seat],
            share,
            tally.turns,
            tally.throws,
        )


def plain_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula, whatever a player is called."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value
