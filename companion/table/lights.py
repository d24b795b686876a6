"""Lights: the three LEDs as a pure function of what the snapshot shows."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.events import HOLDER_COUNT
from companion.game.judge import Light, Standing
from companion.table.facts import Fact, FactKey
from companion.table.phase import Phase
from companion.table.ports import LedPattern, LedPatterns
from companion.table.snapshot import HolderView
from companion.table.state import PASS_MARK, Mark


def leds_of(
    phase: Phase, holders: Sequence[HolderView], marker: Mark | None, said: Sequence[Fact]
) -> LedPatterns:
    """Return the patterns from left to right."""
    patterns = [_pattern(phase, holder, holders, marker) for holder in range(HOLDER_COUNT)]
    taken = _just_taken(said)
    if taken is not None and phase in (Phase.THROW, Phase.ACTION, Phase.OVER) and not _known(holders, taken):
        patterns[taken] = LedPattern.TAKEN
    return patterns[0], patterns[1], patterns[2]


def _pattern(phase: Phase, holder: int, holders: Sequence[HolderView], marker: Mark | None) -> LedPattern:
    if phase is Phase.READING:
        return LedPattern.READING
    if phase in (Phase.DOUBT, Phase.ACTION):
        return LedPattern.LOOK_AT_PHONE
    if phase is Phase.CARD_NEEDED:
        unknown = holders[holder].standing is Standing.UNKNOWN
        return LedPattern.LOOK_AT_PHONE if unknown else LedPattern.OFF
    if phase is not Phase.DECIDE:
        return LedPattern.OFF
    if marker in (holder, PASS_MARK):
        return LedPattern.FAST_BLINK
    shown = {Light.YES: LedPattern.STEADY, Light.CHANGE: LedPattern.SLOW_BLINK, None: LedPattern.OFF}
    return shown[holders[holder].light]


def _just_taken(said: Sequence[Fact]) -> int | None:
    """Return the holder whose card was taken in the step told last, or None."""
    for fact in reversed(said):
        if fact.revision != said[-1].revision:
            return None
        if fact.key is FactKey.CARD_TAKEN:
            return int(fact.params["holder"])
    return None


def _known(holders: Sequence[HolderView], holder: int) -> bool:
    return bool(holders) and holders[holder].card is not None
