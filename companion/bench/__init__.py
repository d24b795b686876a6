"""What is measured on this machine: a small registry of benches, each a module with NAME, HELP and run().

A bench measures what a person waits for, or how cost grows, and gives figures; a figure may have a limit
that it must not exceed. Ratios measured in one run travel between machines better than seconds.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol, cast

#: Modules of this package that are benches, in the order in which they run; one that is absent is left out.
MODULES = ("rules", "vision", "cards", "coach", "selfplay", "appliance", "soak", "web", "club")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value; with a limit, larger is a failure."""

    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def is_within(self) -> bool:
        """Whether the limit, if there is one, is kept."""
        return self.limit is None or self.value <= self.limit


class Bench(Protocol):
    """What a bench's module offers."""

    NAME: str
    HELP: str

    def run(self) -> Sequence[Figure]:
        """Measure, in at most a minute or two."""


def available_benches() -> tuple[str, ...]:
    """Names of the benches of this version, in their order."""
    return tuple(name for name in MODULES if find_spec(f"companion.bench.{name}") is not None)


def load_bench(name: str) -> Bench:
    """Import one bench by its module's name."""
    return cast(Bench, importlib.import_module(f"companion.bench.{name}"))
