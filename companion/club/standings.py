"""Standings of a season, head to head, and records: what can be counted over some games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from companion.club.results import Result, Seat


@dataclass(slots=True)
class _Tally:
    """What a player did, while it is being counted."""

    name: str = ""
    games: int = 0
    wins: float = 0.0
    score: float = 0.0
    opponents: int = 0
    points: int = 0
    cards: int = 0
    tables: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Standing:
    """One player in a season.

    `score` counts each opponent that the player was ahead of as one, a tie as a half; `share` is that over
    all opponents met: 0.5 for whoever is as good as the others. A win shared by two is half a win.
    """

    place: int
    key: str
    name: str
    games: int
    wins: float
    score: float
    share: float
    points: int
    cards: int
    tables: int


def standings(results: Iterable[Result]) -> tuple[Standing, ...]:
    """Return all players of these games, the first first: by score, then wins, points and name."""
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for result in results:
        for seat in result.seats:
            _count(tallies[seat.key], result, seat)
    ranked = sorted(
        tallies.items(),
        key=lambda item: (-item[1].score, -item[1].wins, -item[1].points, item[0]),
    )
    found: list[Standing] = []
    for number, (key, tally) in enumerate(ranked, start=1):
        same = found and (found[-1].score, found[-1].wins) == (tally.score, tally.wins)
        found.append(
            Standing(
                found[-1].place if same else number,
                key,
                tally.name,
                tally.games,
                tally.wins,
                tally.score,
                tally.score / tally.opponents if tally.opponents else 0.0,
                tally.points,
                tally.cards,
                len(tally.tables),
            )
        )
    return tuple(found)


def _count(tally: _Tally, result: Result, seat: Seat) -> None:
    tally.name = seat.name  # as it was written last
    tally.games += 1
    tally.wins += 1 / len(result.winners) if seat.place == 1 else 0.0
    tally.score += result.share(seat)
    tally.opponents += len(result.seats) - 1
    tally.points += seat.points
    tally.cards += seat.cards
    tally.tables.add(result.table)


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players over all games in which both sat: how often each was ahead."""

    opponent: str
    name: str
    games: int
    ahead: int
    behind: int
    ties: int


def head_to_head(results: Iterable[Result], key: str) -> tuple[Duel, ...]:
    """Return a player's duels, those met most often first."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    names: dict[str, str] = {}
    for result in results:
        own = next((seat for seat in result.seats if seat.key == key), None)
        if own is None:
            continue
        for seat in result.seats:
            if seat is own:
                continue
            names[seat.key] = seat.name
            counts[seat.key][0 if own.place < seat.place else 1 if own.place > seat.place else 2] += 1
    duels = [Duel(other, names[other], sum(found), *found) for other, found in counts.items()]
    return tuple(sorted(duels, key=lambda duel: (-duel.games, duel.opponent)))


@dataclass(frozen=True, slots=True)
class Best:
    """A record: what it is (`most_points` …), its value, who holds it, and the game of it."""

    kind: str
    value: float
    names: tuple[str, ...]
    game_id: str
    ended_at: str
    table_name: str


def records(results: Sequence[Result]) -> tuple[Best, ...]:
    """Return the records of these games, which are in order; whoever reached one first holds it."""
    if not results:
        return ()
    kinds: tuple[tuple[str, Callable[[Result], tuple[float, tuple[str, ...]]]], ...] = (
        ("most_points", lambda one: _most(one, [seat.points for seat in one.seats])),
        ("most_cards", lambda one: _most(one, [seat.cards for seat in one.seats])),
        ("largest_lead", _lead),
        ("most_throws", lambda one: (one.throws, tuple(seat.name for seat in one.seats))),
        (
            "fewest_throws",
            lambda one: (-one.throws, tuple(seat.name for seat in one.seats if seat.place == 1)),
        ),
    )
    found = []
    for kind, measured in kinds:
        best = max(results, key=lambda one: measured(one)[0])  # the first of equals
        value, names = measured(best)
        found.append(Best(kind, abs(value), names, best.game_id, best.ended_at, best.table_name))
    return (*found, _streak(results))


def _most(result: Result, values: Sequence[int]) -> tuple[float, tuple[str, ...]]:
    best = max(values)
    return best, tuple(seat.name for seat, value in zip(result.seats, values, strict=True) if value == best)


def _lead(result: Result) -> tuple[float, tuple[str, ...]]:
    points = sorted((seat.points for seat in result.seats), reverse=True)
    return points[0] - points[1], tuple(seat.name for seat in result.seats if seat.place == 1)


def _streak(results: Sequence[Result]) -> Best:
    """Return the longest run of games that one player won, each alone or shared."""
    runs: dict[str, int] = defaultdict(int)
    best, where, who = 0, results[0], ""
    for result in results:
        for seat in result.seats:
            runs[seat.key] = runs[seat.key] + 1 if seat.place == 1 else 0
            if runs[seat.key] > best:
                best, where, who = runs[seat.key], result, seat.name
    return Best("longest_streak", best, (who,), where.game_id, where.ended_at, where.table_name)
