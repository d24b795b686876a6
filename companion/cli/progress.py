"""How far a long command is, told on standard error while it runs, and only to a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import TypeVar

Item = TypeVar("Item")


def with_bar(items: Iterable[Item], total: int, unit: str) -> Iterator[Item]:
    """Pass the items on, with a bar at a terminal, or with their number without the extra `lab`."""
    if find_spec("tqdm") is None:
        if sys.stderr.isatty():
            print(f"{total} × {unit} …", file=sys.stderr, flush=True)
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, total=total, unit=f" {unit}", disable=None)
