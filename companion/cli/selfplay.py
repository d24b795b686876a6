"""`companion selfplay`: robots play whole games; a summary, plots and records of them."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from companion.cli.faults import Fault
from companion.cli.progress import with_bar
from companion.game.record import MAX_PLAYERS, MIN_PLAYERS, print_line
from companion.selfplay.figures import GameFigures
from companion.selfplay.game import LawBroken
from companion.selfplay.plots import save_plots
from companion.selfplay.series import ROBOTS, Series, SeriesGame, play_series
from companion.selfplay.summary import summary_json, summary_text

HELP = "let robots play whole games"

LAB = "install the extra 'lab' (`pip install '.[lab]'` in the project's folder)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("games", type=_positive, metavar="N", help="how many games")
    parser.add_argument(
        "--players",
        type=int,
        choices=range(MIN_PLAYERS, MAX_PLAYERS + 1),
        help=f"how many play (default: {MIN_PLAYERS} to {MAX_PLAYERS} in turn)",
    )
    parser.add_argument(
        "--robots",
        type=_robots,
        default=(),
        metavar="KINDS",
        help=f"kinds that sit down in turn, with commas, out of: {', '.join(ROBOTS)} (default: a mix of all)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed gives the same games (default: %(default)s)"
    )
    parser.add_argument(
        "--jobs",
        type=_positive,
        default=os.cpu_count() or 1,
        help="processes that play (default: one a core, %(default)s here)",
    )
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="write four plots there (PNG)")
    parser.add_argument("--records", type=Path, metavar="FOLDER", help="write each game's record there")
    parser.add_argument("--json", action="store_true", help="print the summary as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play, and tell what the games have in common."""
    _prepare(args.plots, args.records)
    series = Series(args.seed, args.robots, args.players)
    games = [_kept(game, args.records) for game in _played(series, args.games, args.jobs)]
    print(json.dumps(summary_json(games)) if args.json else summary_text(games))
    if args.plots is not None:
        for path in save_plots(games, args.plots):
            print(f"plot: {path}", file=sys.stderr)
    return 0


def _prepare(plots: Path | None, records: Path | None) -> None:
    """Find out before a long run what would fail after it."""
    if plots is not None and find_spec("matplotlib") is None:
        raise Fault(f"plots need the Python package 'matplotlib'; {LAB}.")
    for folder in (plots, records):
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise Fault(f"{folder} can not be made ({error.strerror}); name another folder.") from error


def _played(series: Series, count: int, jobs: int) -> Iterator[SeriesGame]:
    played = 0
    try:
        for game in with_bar(play_series(series, range(count), min(jobs, count)), count, "game"):
            played += 1
            yield game
    except LawBroken as broken:
        again = f"--seed {series.seed}, and the same --robots and --players"
        raise Fault(
            f"game {played + 1} broke a law of the game: {broken}. This is a defect; please report it. "
            f"`companion selfplay {played + 1}` with {again} plays it again."
        ) from broken


def _kept(game: SeriesGame, folder: Path | None) -> GameFigures:
    if folder is not None:
        lines = "".join(f"{print_line(event)}\n" for event in game.events)
        (folder / f"game-{game.number + 1:06}.jsonl").write_text(lines, encoding="utf-8")
    return game.figures


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 up, not {text!r}")
    return number


def _robots(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    unknown = [name for name in names if name not in ROBOTS]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"there is no robot {unknown[0]!r}; choose out of: {', '.join(ROBOTS)}"
        )
    return names
