"""In place of LEDs where there are none: the phones show the same."""

from __future__ import annotations

from companion.table.ports import LedPatterns


class NoLeds:
    """Takes the patterns, and lights nothing."""

    def show(self, patterns: LedPatterns) -> None:
        """Show nothing."""
