"""Cards met: which cards an entry of the journal names, so that they are offered again at the next game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def cards_in(entry: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield key and JSON object of each card that was revealed in `entry`; equal cards have equal keys."""
    for event in entry.get("events", ()):
        if event["type"] == "reveal":
            yield card_key(event["card"]), event["card"]


def card_key(card: Mapping[str, Any]) -> str:
    """Return a text that is the same for cards with the same multiset of groups, points and action."""
    groups = sorted((size, colour or "") for size, colour in card["groups"])
    return json.dumps([groups, card["points"], card["action"]], ensure_ascii=False)
