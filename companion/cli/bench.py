"""`companion bench`: speed and growth on this machine."""

from __future__ import annotations

import argparse
import json
import platform
import sys

from companion.bench import Figure, available_benches, load_bench

HELP = "measure speed and growth on this machine"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "benches",
        nargs="*",
        metavar="BENCH",
        help=f"only these, out of: {', '.join(available_benches())} (default: all)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per bench")


def run(args: argparse.Namespace) -> int:
    """Run the benches one after another and print their figures; a broken limit is told, not a fault."""
    known = available_benches()
    unknown = [name for name in args.benches if name not in known]
    if unknown:
        print(f"There is no bench {unknown[0]!r}; choose out of: {', '.join(known)}.", file=sys.stderr)
        return 2
    if not args.json:
        print(f"{platform.machine()}, Python {platform.python_version()}")
    for name in args.benches or known:
        bench = load_bench(name)
        figures = bench.run()
        if args.json:
            print(
                json.dumps({"bench": bench.NAME, "figures": [_as_json(figure) for figure in figures]}),
                flush=True,
            )
            continue
        print(f"{bench.NAME}: {bench.HELP}")
        for figure in figures:
            print(_told(figure), flush=True)
    return 0


def _as_json(figure: Figure) -> dict[str, object]:
    return {
        "name": figure.name,
        "value": round(figure.value, 4),
        "unit": figure.unit,
        "limit": figure.limit,
        "within": figure.is_within,
    }


def _told(figure: Figure) -> str:
    line = f"  {figure.name:52} {figure.value:12,.3f} {figure.unit}"
    if figure.limit is None:
        return line
    return f"{line}  ({'within' if figure.is_within else 'OVER'} the limit of {figure.limit:g})"
