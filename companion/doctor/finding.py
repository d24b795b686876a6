"""A finding: one part of the appliance, how it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.table.state import Health, HealthState


class Level(StrEnum):
    """How grave a finding is."""

    OK = "ok"
    NOTE = "note"
    """Play goes on; something could be better, or is simply not there."""
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One part examined; `sentence` says what is so, and what to do where it is not well."""

    subject: str
    level: Level
    sentence: str

    def to_json(self) -> dict[str, Any]:
        """As `companion doctor --json` and the service page give it."""
        return {"subject": self.subject, "level": str(self.level), "sentence": self.sentence}


def of_health(subject: str, health: Health, well: str) -> Finding:
    """Return a running device's health as a finding; `well` is said of one that is."""
    level = {
        HealthState.OK: Level.OK,
        HealthState.STARTING: Level.NOTE,
        HealthState.ABSENT: Level.NOTE,
        HealthState.FAULT: Level.FAULT,
    }[health.state]
    return Finding(subject, level, health.sentence or (well if level is Level.OK else str(health.state)))


def worst(findings: Iterable[Finding]) -> Level:
    """Return the gravest level among them."""
    order = (Level.OK, Level.NOTE, Level.FAULT)
    return max((finding.level for finding in findings), key=order.index, default=Level.OK)
