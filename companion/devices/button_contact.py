"""The button's contact over time: gestures, an edge that was lost, and a button that is stuck; no threads."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.table.gestures import Gesture, Gestures

LOOK_S = 0.05
"""How often the pin is looked at while the button is down, in case its release was never told."""
STUCK_S = 30.0
"""Nobody holds a button so long: something lies on it, or its wires touch."""


@dataclass(frozen=True, slots=True)
class Contact:
    """What is known of the contact; each edge or look gives the next value and perhaps a gesture."""

    gestures: Gestures = field(default_factory=Gestures)
    counts: bool = True
    """False until the button was up once: one that was down at the start, or stuck, means nothing."""
    is_down: bool = False
    """The contact as it was last told."""

    @classmethod
    def at_start(cls, down: bool) -> Contact:
        """Begin; a button that is down already was not pressed for us."""
        return cls(counts=not down, is_down=down)

    def edge(self, down: bool, now_s: float) -> tuple[Contact, Gesture | None]:
        """Return what follows from the contact closing (`down`) or opening at `now_s`."""
        if not self.counts:
            return replace(self, counts=not down, is_down=down), None
        gestures, gesture = self.gestures.edge(down, now_s)
        return self._after(replace(self, gestures=gestures, is_down=down), gesture)

    def look(self, down: bool, now_s: float) -> tuple[Contact, Gesture | None]:
        """Return what follows from the pin being so at `now_s`, with no edge told since."""
        contact, gesture = self, None
        if down != self.is_down:
            contact, gesture = self.edge(down, now_s)
        if not contact.counts or gesture is not None:
            return contact, gesture
        gestures, gesture = contact.gestures.look(now_s)
        return contact._after(replace(contact, gestures=gestures), gesture)

    def is_stuck(self, now_s: float) -> bool:
        """Tell whether the button has been down for longer than anybody holds it."""
        return self.gestures.down and now_s - self.gestures.since_s >= STUCK_S

    def wait_s(self, now_s: float) -> float | None:
        """Return how long to wait for an edge before the next look; None: as long as it takes."""
        due_s = self.gestures.due_s
        if self.counts and due_s is not None:
            return max(0.001, due_s - now_s)
        return LOOK_S if self.is_down else None

    def _after(self, following: Contact, gesture: Gesture | None) -> tuple[Contact, Gesture | None]:
        """Return what was recognised, but nothing of a button that had been stuck."""
        down_s = following.gestures.since_s - self.gestures.since_s
        return following, None if down_s >= STUCK_S else gesture
