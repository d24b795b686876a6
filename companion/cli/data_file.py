"""The file that keeps the games, as the commands find it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from companion.store.place import default_file


def add_data_argument(parser: argparse.ArgumentParser) -> None:
    """Declare `--data`."""
    parser.add_argument(
        "--data", type=Path, metavar="FILE", help="where the games are kept (default: the user's data folder)"
    )


def data_file(given: Path | None) -> Path:
    """Return the file given, or the default one."""
    return given if given is not None else default_file(os.environ, Path.home())
