"""`companion evaluate`: how well pictures with known truth are read."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.cli.faults import Fault
from companion.cli.progress import with_bar
from companion.evaluation import real
from companion.evaluation.decks import evaluate_decks, load_deck, told_decks
from companion.evaluation.figures import Scored, confusions, figures_of, grouped, problem_counts
from companion.evaluation.perturb import CHANGES, Change
from companion.evaluation.report import save_miss, told_miss, write_page
from companion.evaluation.run import REFUSED, Evaluated, evaluate_all, throws_as_recorded
from companion.evaluation.truth import TrueTable, TruthError, find_tables, is_deck, load_table
from companion.vision.reading import Reading

HELP = "measure how well pictures with known truth are read"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "dir",
        type=Path,
        metavar="DIR",
        help="a folder with truth.json, zones.json, empty.jpg, colours.jpg and the pictures they are for, "
        "or a folder of such",
    )
    parser.add_argument(
        "--perturb", action="store_true", help="also under changed light, noise, blur, shifts, …"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FOLDER", help="write every miss and an HTML page there"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Evaluate and print; the figures are a result, whatever they are, so the status is 0."""
    report: _Report | None = None
    try:
        if real.is_real_set(args.dir):
            found = real.evaluate_real(args.dir, with_bar)
            print(json.dumps(found, ensure_ascii=False) if args.json else real.told(found))
            return 0
        folders = find_tables(args.dir)
        decks = [folder for folder in folders if is_deck(folder)]
        tables = [load_table(folder) for folder in folders if folder not in decks]
        loaded = [load_deck(folder) for folder in decks]
        if args.report is not None:
            report = _Report(args.report)
        summary = _evaluated(tables, args, report) if tables else {}
        if decks:
            keeping = None if report is None else report.keeping
            summary["decks"] = evaluate_decks(
                loaded, perturb=args.perturb, report=args.report, keeping=keeping
            )
    except TruthError as error:
        unwritten = "" if report is None or report.fault is None else f" {report.fault}"
        raise Fault(f"{error}{unwritten}") from error
    finally:
        if report is not None:
            report.leave_no_empty_folder()
    if args.json:
        print(json.dumps(summary, ensure_ascii=False))
    else:
        told = [_told(summary)] if tables else []
        print("\n\n".join([*told, *([told_decks(summary["decks"])] if decks else [])]))
    if report is not None and report.fault is not None:
        raise report.fault
    return 0


class _Report:
    """The folder of `--report`; what fails while writing there waits until the figures are printed."""

    def __init__(self, folder: Path) -> None:
        """Make the folder, before an evaluation that takes long.

        Raises:
            Fault: it can not be made, or nothing can be written there.
        """
        self.folder = folder
        self.fault: Fault | None = None
        self._made: list[Path] = []
        try:
            self._made = [one for one in (folder, *folder.parents) if not one.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder):
                pass
        except FileExistsError as error:
            raise Fault(f"{folder}: this is a file; give --report a folder, which may be new.") from error
        except OSError as error:
            self.leave_no_empty_folder()
            raise self._told(error) from error

    def keeping(self, write: Callable[[], None]) -> None:
        """Write, unless that has failed before."""
        if self.fault is None:
            try:
                write()
            except OSError as error:
                self.fault = self._told(error)

    def leave_no_empty_folder(self) -> None:
        """Remove the folders that were made for the report and hold nothing; may be called again."""
        for folder in self._made:
            with suppress(OSError):  # it holds something, or could not be made
                folder.rmdir()

    def _told(self, error: OSError) -> Fault:
        return Fault(
            f"{self.folder}: the report can not be written ({error.strerror}); give --report a folder that "
            "you may write to, on a disk with room."
        )


def _evaluated(tables: list[TrueTable], args: argparse.Namespace, report: _Report | None) -> dict[str, Any]:
    changes: tuple[Change | None, ...] = (None, *CHANGES) if args.perturb else (None,)
    misses: list[tuple[str, str, Path]] = []
    readings: dict[str, list[Reading]] = {}
    show = not args.json and sys.stderr.isatty()

    def watch(evaluated: Evaluated) -> None:
        scored = evaluated.scored
        if show:
            print(f"\r{scored.name:60.60}", end="", file=sys.stderr, flush=True)
        if not scored.change:
            readings.setdefault(scored.table, []).append(evaluated.reading)
        # Under changes many a good picture is refused rightly; what was read wrong is drawn.
        drawn = scored.score.is_read_wrong if scored.change else scored.score.is_miss
        if drawn and report is not None:
            folder = report.folder
            report.keeping(
                lambda: misses.append((scored.name, told_miss(scored.score), save_miss(evaluated, folder)))
            )

    try:
        scored = evaluate_all(tables, changes, watch)
    finally:
        if show:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
    summary = _summary(scored)
    summary["games"] = {
        table.name: {
            "throws": len(readings[table.name]),
            "as_recorded": throws_as_recorded(table, readings[table.name]),
        }
        for table in tables
        if table.throws
    }
    if report is not None:
        report.keeping(lambda: summary.update(report=str(write_page(report.folder, summary, misses))))
    return summary


def _summary(scored: Sequence[Scored]) -> dict[str, Any]:
    """The figures of the pictures as they are; those under changes beside them, never mixed in."""
    plain = [one for one in scored if not one.change]
    changed = [one for one in scored if one.change]
    summary: dict[str, Any] = {
        "figures": figures_of(plain).to_dict(),
        "by_light": {name: one.to_dict() for name, one in grouped(plain, lambda one: one.light).items()},
        "by_kind": {
            name: one.to_dict() for name, one in grouped(plain, lambda one: one.score.picture.kind).items()
        },
        "by_table": {name: one.to_dict() for name, one in grouped(plain, lambda one: one.table).items()},
        "confusion": confusions(plain),
        "refused_because": problem_counts(plain),
        "misses": _told_misses([one for one in plain if one.score.is_miss]),
    }
    if changed:
        summary["changed"] = figures_of(changed).to_dict()
        summary["by_change"] = {
            change.name: {"told": change.told, **figures.to_dict()}
            for change in CHANGES
            for name, figures in grouped(changed, lambda one: one.change).items()
            if name == change.name
        }
        wrong = [one for one in changed if one.score.is_trusted_but_wrong]
        summary["changed_trusted_but_wrong"] = _told_misses(wrong)
    return summary


def _told_misses(scored: Sequence[Scored]) -> list[dict[str, str]]:
    """Name and what went wrong; a table that could not be calibrated is told once."""
    told: dict[tuple[str, str], str] = {}
    for one in scored:
        what = told_miss(one.score)
        name = f"{one.table} (all pictures)" if what.startswith(REFUSED) else one.name
        told[name, what] = what
    return [{"picture": name, "what": what} for name, what in told]


def _told(summary: dict[str, Any]) -> str:
    figures = summary["figures"]
    lines = [
        f"{figures['pictures']} pictures, {figures['dice']} dice",
        f"  dice right in body, colour and zone  {figures['dice_right_frac']:8.2%}"
        f"  ({figures['dice'] - figures['dice_right']} wrong, {figures['dice_missed']} of them not found,"
        f" {figures['dice_extra']} made up)",
        f"  pictures trusted                     {figures['trusted']:8d}",
        f"  trusted but wrong                    {figures['trusted_but_wrong']:8d}",
        f"  good pictures refused                {figures['good_refused_frac']:8.1%}"
        f"  ({figures['good_refused']} of {figures['good']})",
    ]
    for name, game in summary["games"].items():
        lines.append(f"  {name}: {game['as_recorded']} of {game['throws']} throws trusted and as recorded")
    for title, key in (("by light", "by_light"), ("by kind", "by_kind"), ("under changes", "by_change")):
        if summary.get(key):
            lines += ["", f"{title:28} pictures  dice right  trusted  wrong  good refused"]
            lines += [_told_row(name, row) for name, row in summary[key].items()]
    if "changed" in summary:
        changed = summary["changed"]
        lines += [
            "",
            f"under changes, {changed['dice']} dice: trusted but wrong {changed['trusted_dice_wrong']}"
            f" ({changed['trusted_dice_wrong_frac']:.3%}),"
            f" good pictures refused {changed['good_refused_frac']:.1%}",
        ]
        lines += [f"  {miss['picture']}: {miss['what']}" for miss in summary["changed_trusted_but_wrong"]]
    wrong = {
        f"{true} read as {seen}": count
        for true, row in summary["confusion"].items()
        for seen, count in row.items()
        if seen != true
    }
    if wrong:
        lines += ["", "colours: " + ", ".join(f"{name} {count}×" for name, count in wrong.items())]
    if summary["misses"]:
        lines += ["", "misses:"] + [f"  {miss['picture']}: {miss['what']}" for miss in summary["misses"]]
    if "report" in summary:
        lines += ["", f"report: {summary['report']}"]
    return "\n".join(lines)


def _told_row(name: str, row: dict[str, Any]) -> str:
    return (
        f"  {name:26} {row['pictures']:8d}  {row['dice_right_frac']:10.2%}  {row['trusted']:7d}"
        f"  {row['trusted_but_wrong']:5d}  {row['good_refused_frac']:12.1%}"
    )
