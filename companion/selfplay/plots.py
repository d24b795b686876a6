"""The plots of many games: lengths, scores, who begins, how often each rule comes into play."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.selfplay.figures import GameFigures
from companion.selfplay.summary import by_players, rule_counts, share_from_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE_IN = (8.0, 5.0)
"""Width and height of a plot, in inches."""


def save_plots(games: Sequence[GameFigures], folder: Path) -> tuple[Path, ...]:
    """Write the four plots of one game or more into `folder` as PNG files and return their paths.

    Raises:
        ImportError: matplotlib is not installed.
        OSError: the folder or a file can not be written.
    """
    from matplotlib.figure import Figure  # part of the extra `lab`, and slow to load

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, draw in (
        ("lengths", _lengths),
        ("scores", _scores),
        ("first_player", _first_player),
        ("rules", _rules),
    ):
        figure = Figure(figsize=SIZE_IN, layout="constrained")
        draw(figure.subplots(), games)
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=120)
        paths.append(path)
    return tuple(paths)


def _lengths(axes: "Axes", games: Sequence[GameFigures]) -> None:
    for count, group in by_players(games).items():
        _steps(axes, [game.turns for game in group], f"{count} players")
    axes.set(title="How long games are", xlabel="turns", ylabel="share of games of so many turns or fewer")
    axes.legend()


def _scores(axes: "Axes", games: Sequence[GameFigures]) -> None:
    for count, group in by_players(games).items():
        _steps(axes, [max(game.points) for game in group], f"{count} players")
    axes.set(
        title="What the winner has",
        xlabel="points of the winner",
        ylabel="share of games of so many or fewer",
    )
    axes.legend()


def _steps(axes: "Axes", values: Sequence[int], label: str) -> None:
    """Draw the share of values up to each one: steps tell few games and many alike."""
    rising = sorted(values)
    shares = [place / len(rising) for place in range(len(rising) + 1)]
    axes.step([rising[0], *rising], shares, where="post", label=label)


def _first_player(axes: "Axes", games: Sequence[GameFigures]) -> None:
    for count, group in by_players(games).items():
        shares = share_from_first(group)
        means = [mean * count for mean, _ in shares]
        spread = [(half or 0.0) * count for _, half in shares]
        axes.errorbar(range(1, count + 1), means, spread, marker="o", capsize=4, label=f"{count} players")
    axes.axhline(1.0, color="black", linewidth=0.8)
    axes.set_xticks(range(1, max(by_players(games)) + 1))
    axes.set(
        title="Does it help to begin? (bars: 95 % confidence)",
        xlabel="place in the order of play, 1 begins",
        ylabel="wins, an equal share being 1",
    )
    axes.legend()


def _rules(axes: "Axes", games: Sequence[GameFigures]) -> None:
    counts = rule_counts(games)
    names = list(counts)
    bars = axes.barh(names, [count / len(games) for count in counts.values()])
    axes.bar_label(bars, labels=[f" {count:,}" for count in counts.values()], fontsize=7)
    # Rare rules must be seen beside frequent ones; a rule that never came has no bar.
    rarest, most = 1 / len(games), max(counts.values()) / len(games)
    axes.set_xscale("symlog", linthresh=rarest)
    axes.set_xlim(0, 4 * max(most, rarest))
    axes.set_xticks([10.0**power for power in range(-6, 6) if rarest <= 10.0**power <= most])
    axes.tick_params(axis="y", labelsize=7)
    axes.invert_yaxis()
    axes.set(title="How often each rule comes into play", xlabel="times a game (in all beside the bar)")
