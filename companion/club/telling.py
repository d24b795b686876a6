"""Telling: what the club counts, as JSON for its pages and as CSV to take away."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from companion.club.book import Book
from companion.club.results import Result, key_of
from companion.club.standings import Standing, head_to_head, records, standings
from companion.history.tables import plain_cell


def season_json(book: Book, season: str | None) -> dict[str, Any]:
    """Return a season's standings with ratings, its records and its newest games; None: all seasons."""
    results = book.results(season)
    return {
        "season": season,
        "seasons": list(book.seasons()),
        "games": len(results),
        "standings": [_standing_json(book, one) for one in _standings(book, season)],
        "records": book.counted(("records", season), lambda: [_best_json(best) for best in records(results)]),
        "newest": [result_json(one) for one in reversed(results[-20:])],
    }


def duels_json(book: Book, season: str | None, name: str) -> dict[str, Any]:
    """Return a player head to head with each opponent."""
    key = key_of(name)
    duels = book.counted(("duels", season, key), lambda: head_to_head(book.results(season), key))
    return {
        "player": name,
        "duels": [
            {"name": d.name, "games": d.games, "ahead": d.ahead, "behind": d.behind, "ties": d.ties}
            for d in duels
        ],
    }


def result_json(result: Result) -> dict[str, Any]:
    """Return one game."""
    return {
        "game": result.game_id,
        "table": result.table,
        "table_name": result.table_name,
        "started_at": result.started_at,
        "ended_at": result.ended_at,
        "ending": result.ending,
        "throws": result.throws,
        "players": [
            {"name": seat.name, "points": seat.points, "cards": seat.cards, "place": seat.place}
            for seat in result.seats
        ],
    }


def standings_csv(book: Book, season: str | None) -> str:
    """Return the standings as a table: a player a line."""
    head = ("place", "player", "games", "wins", "score", "share", "points", "cards", "tables", "mu", "sigma")
    rows = []
    for one in _standings(book, season):
        rating = book.ratings().of(one.key)
        sums = (f"{one.wins:g}", f"{one.score:g}", f"{one.share:.4f}", one.points, one.cards, one.tables)
        rows.append((one.place, one.name, one.games, *sums, f"{rating.mu:.4f}", f"{rating.sigma:.4f}"))
    return _csv(head, rows)


def games_csv(results: Sequence[Result]) -> str:
    """Return the games as a table: a player in a game a line."""
    head = ["game", "table", "ended_at", "ending", "throws", "seat", "player", "points", "cards", "place"]
    rows = []
    for one in results:
        own = (one.game_id, one.table_name, one.ended_at, one.ending, one.throws)
        for number, seat in enumerate(one.seats):
            rows.append((*own, number, seat.name, seat.points, seat.cards, seat.place))
    return _csv(head, rows)


def _standings(book: Book, season: str | None) -> tuple[Standing, ...]:
    return book.counted(("standings", season), lambda: standings(book.results(season)))


def _standing_json(book: Book, one: Standing) -> dict[str, Any]:
    rating = book.ratings().of(one.key)
    return {
        "place": one.place,
        "name": one.name,
        "games": one.games,
        "wins": one.wins,
        "score": one.score,
        "share": one.share,
        "points": one.points,
        "cards": one.cards,
        "tables": one.tables,
        "rating": {
            "mu": rating.mu,
            "sigma": rating.sigma,
            "cautious": rating.cautious,
            "games": rating.games,
        },
    }


def _best_json(best: Any) -> dict[str, Any]:
    return {
        "kind": best.kind,
        "value": best.value,
        "names": list(best.names),
        "game": best.game_id,
        "ended_at": best.ended_at,
        "table_name": best.table_name,
    }


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([plain_cell(cell) for cell in row] for row in rows)
    return text.getvalue()
