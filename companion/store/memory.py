"""A journal in memory: for a table that is to forget everything when it closes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion.store.cards_met import cards_in


class MemoryJournal:
    """Keeps the entries of the current game, and the cards met, as long as the process lives."""

    def __init__(self) -> None:
        self._entries: list[str] = []
        self._cards: dict[str, Mapping[str, Any]] = {}

    def append(self, *entries: Mapping[str, Any]) -> None:
        """Keep the entries, as JSON text like a journal on disk."""
        for entry in entries:
            if entry["do"] == "start":
                self._entries.clear()
            self._entries.append(json.dumps(entry))
            for key, card in cards_in(entry):
                self._cards.pop(key, None)
                self._cards[key] = card

    def entries(self) -> Sequence[Mapping[str, Any]]:
        """Return the entries of the current game."""
        return [json.loads(entry) for entry in self._entries]

    def known_cards(self) -> Sequence[Mapping[str, Any]]:
        """Return the cards met, most recent first."""
        return list(reversed(self._cards.values()))
