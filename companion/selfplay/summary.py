"""The summary of many games: figures for scripts, and the same in plain words."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import fmean
from typing import Any

from companion.selfplay.figures import RULES, GameFigures

NORMAL_95 = 1.96
"""Standard errors on each side of a mean that hold the truth 95 times of 100."""

ENOUGH_GAMES = 30
"""From fewer games neither a share of wins nor its interval says anything; words leave both out."""

Interval = tuple[float, float | None]
"""A mean, and how far on each side its 95 % confidence interval reaches; None from a single value."""


def mean_with_interval(values: Sequence[float]) -> Interval:
    """Return the mean of independent values and half the width of its 95 % confidence interval."""
    mean = fmean(values)
    if len(values) < 2:
        return mean, None
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, NORMAL_95 * sqrt(variance / len(values))


def rule_counts(games: Iterable[GameFigures]) -> dict[str, int]:
    """Return how often each rule came into play, those that never did as well."""
    counts: Counter[str] = Counter()
    for game in games:
        counts.update(dict(game.rules))
    return {rule: counts[rule] for rule in RULES}


def by_players(games: Iterable[GameFigures]) -> dict[int, list[GameFigures]]:
    """Return the games by their number of players, rising."""
    groups: dict[int, list[GameFigures]] = defaultdict(list)
    for game in games:
        groups[len(game.robots)].append(game)
    return dict(sorted(groups.items()))


def share_from_first(games: Sequence[GameFigures]) -> list[Interval]:
    """Return the share of wins of the player who began, the next one … ; games of one player count."""
    count = len(games[0].robots)
    return [
        mean_with_interval([game.share_of_win((game.first + step) % count) for game in games])
        for step in range(count)
    ]


def share_of_robot(games: Iterable[GameFigures], robot: str) -> tuple[Interval, float] | None:
    """Return the share of the wins that a kind of robot took, and what its number of seats would be due.

    Only games count in which others sat, too; None where there are none.
    """
    took, due = [], []
    for game in games:
        seats = [seat for seat, name in enumerate(game.robots) if name == robot]
        if 0 < len(seats) < len(game.robots):
            took.append(sum(game.share_of_win(seat) for seat in seats))
            due.append(len(seats) / len(game.robots))
    return (mean_with_interval(took), fmean(due)) if took else None


def turn_shares(games: Iterable[GameFigures]) -> dict[str, float]:
    """Return how often a turn won no card ("none") and a card of so many points."""
    counts = Counter(points for game in games for points in game.turn_points)
    total = counts.total() or 1
    return {"none" if points < 0 else str(points): counts[points] / total for points in sorted(counts)}


def summary_json(games: Sequence[GameFigures]) -> dict[str, Any]:
    """Return the summary of one game or more as a JSON object; intervals as [mean, half width]."""
    robots = sorted({name for game in games for name in game.robots})
    return {
        "games": len(games),
        "players": {str(count): _group_json(group) for count, group in by_players(games).items()},
        "robots": {
            name: {"win_share": list(share[0]), "due": share[1]}
            for name in robots
            if (share := share_of_robot(games, name)) is not None
        },
        "turn_points": turn_shares(games),
        "rules": rule_counts(games),
    }


def _group_json(games: Sequence[GameFigures]) -> dict[str, Any]:
    return {
        "games": len(games),
        "turns": _told(games, lambda game: game.turns),
        "throws": _told(games, lambda game: game.throws),
        "points": _told(games, lambda game: fmean(game.points)),
        "winning_points": _told(games, lambda game: max(game.points)),
        "win_share_from_first": [list(share) for share in share_from_first(games)],
    }


def _told(games: Sequence[GameFigures], figure: Callable[[GameFigures], float]) -> dict[str, float]:
    values = [figure(game) for game in games]
    return {"mean": fmean(values), "least": min(values), "most": max(values)}


def summary_text(games: Sequence[GameFigures]) -> str:
    """Return the summary of one game or more in plain words."""
    lines = [_headline(games), ""]
    lines += [_players_line(count, group) for count, group in by_players(games).items()]
    lines += _robot_lines(games)
    turns = turn_shares(games)
    lines += [
        "",
        f"A turn won no card in {turns.pop('none', 0.0):.1%} of turns; points of the others: "
        + (", ".join(f"{points}: {share:.1%}" for points, share in turns.items()) or "none")
        + ".",
        "",
        "How often each rule came into play:",
    ]
    lines += [f"{count:>9,}  {rule}" for rule, count in rule_counts(games).items()]
    return "\n".join(lines)


def _headline(games: Sequence[GameFigures]) -> str:
    throws = sum(game.throws for game in games)
    return (
        f"{_games(len(games))} with {throws:,} throws, played to the end: "
        "no move was refused, no card lost, and every record replays to the same end."
    )


def _robot_lines(games: Sequence[GameFigures]) -> list[str]:
    if len(games) < ENOUGH_GAMES:
        return [f"Who wins how often is told from {ENOUGH_GAMES} games on."]
    return [
        f"The {name} robots won {_percent(*share['win_share'])} of the games with others; "
        f"their seats were due {share['due']:.1%}."
        for name, share in summary_json(games)["robots"].items()
    ]


def _players_line(count: int, games: Sequence[GameFigures]) -> str:
    group = _group_json(games)
    turns, throws = group["turns"], group["throws"]
    if len(games) == 1:
        lasted = f"{turns['most']} turns, {throws['most']} throws"
    else:
        lasted = (
            f"{turns['mean']:.1f} turns ({turns['least']} to {turns['most']}), {throws['mean']:.1f} throws"
        )
    line = (
        f"{count} players, {_games(len(games))}: {lasted}; "
        f"{group['points']['mean']:.1f} points each, the winner {group['winning_points']['mean']:.1f}"
    )
    if len(games) < ENOUGH_GAMES:
        return f"{line}."
    share = _percent(*share_from_first(games)[0])
    return f"{line}; who begins wins {share}, an equal share is {1 / count:.1%}."


def _games(count: int) -> str:
    return f"{count:,} {'game' if count == 1 else 'games'}"


def _percent(mean: float, half: float | None) -> str:
    return f"{mean:.1%}" if half is None else f"{mean:.1%} (± {half:.1%})"
