"""Card watch: the worker's part in which holders are read, glanced at until they rest, and cards learned."""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable

from companion.table.decide import HealthChanged, Inner
from companion.table.ports import CameraFault, CardEye, DeckFault, Frame
from companion.table.sights import Asked, CardsSeen, Lesson, Sight, Watch
from companion.table.state import Health, HealthState
from companion.vision.card_look import CardLook
from companion.vision.card_reader import HolderState
from companion.vision.geometry import ZonesError

LOG = logging.getLogger(__name__)

GLANCE_S = 0.6
"""How often the holders are looked at while a card has just been uncovered."""
LATER_S = 5.0
"""How often later on, when nobody seems to be about to uncover it."""
GLANCES_AT_FIRST = 100
LOOKS_KEPT = 24
"""Pictures of cards that may be asked about or corrected: some throws' worth."""

Glance = Callable[[], Frame]
"""A picture of what the camera sees now, whatever moves there; raises CameraFault."""


class CardWatch:
    """Reads holders for the worker, which alone calls it; only `turn_to` and `jpeg` are for other threads."""

    def __init__(self, eye: CardEye, glance: Glance | None = None, glance_s: float = GLANCE_S) -> None:
        """Read with `eye`; without `glance` only at presses."""
        self._eye = eye
        self._glance = glance
        self._glance_s = glance_s
        self._watch: Watch | None = None
        self._begun: Watch | None = None
        self._count = 0
        self._last: Frame | None = None
        self._judged: Frame | None = None
        self._pressed: Frame | None = None
        self._looks: OrderedDict[str, CardLook] = OrderedDict()
        self._is_well = True

    def turn_to(self, watch: Watch | None) -> bool:
        """Look at these holders from now on; return whether that is news."""
        if watch == self._watch:
            return False
        self._watch = watch
        return True

    @property
    def wait_s(self) -> float | None:
        """How long until the next glance; None: until there is something to look at."""
        if self._watch is None or self._glance is None:
            return None
        return self._glance_s if self._count < GLANCES_AT_FIRST else max(LATER_S, self._glance_s)

    def jpeg(self, look: str) -> bytes | None:
        """Return the picture of a card by its id, None where it is not held any more."""
        found = self._looks.get(look)
        return None if found is None else found.jpeg

    def seen(self, frame: Frame, asked: Asked) -> CardsSeen | None:
        """Read the holders in the picture of a press: those without a name, or where all have one, all."""
        self._pressed = frame
        holders = frozenset(asked.unknown or range(len(asked.piles)))
        return self._read(frame, asked, holders, is_glance=False)

    def glance(self) -> Inner | None:
        """Look at the holders that are watched; tell of them once they rest and something is new there."""
        watch = self._watch
        if watch is None or self._glance is None:
            return None
        if watch != self._begun:
            self._begun, self._count, self._last, self._judged = watch, 0, None, None
        self._count += 1
        try:
            frame = self._glance()
            before, self._last = self._last, frame
            # A hand is still there: two pictures that are alike must come first.
            if before is None or self._differs(before, frame, watch.holders):
                return None
            if self._judged is not None and not self._differs(self._judged, frame, watch.holders):
                return None
            self._judged = frame
            holders = watch.holders - self._untouched(frame, watch)
            return self._read(frame, watch.asked, holders, is_glance=True) if holders else None
        except CameraFault as fault:
            LOG.debug("no glance at the holders: %s", fault.sentence)
            self._count = GLANCES_AT_FIRST
            return None

    def learn(self, lesson: Lesson) -> Inner | None:
        """Keep what a card looks like."""
        look = self._looks.get(lesson.look)
        if look is None:
            return None
        try:
            self._eye.learn(look, lesson.card, lesson.instead_of, lesson.mistaken_for)
        except DeckFault as fault:
            return self._ill(fault.sentence)
        return self._well()

    def _differs(self, one: Frame, other: Frame, holders: frozenset[int]) -> bool:
        changed = self._eye.changed(one, other)
        return any(changed[holder] for holder in holders)

    def _untouched(self, frame: Frame, watch: Watch) -> frozenset[int]:
        """Return the holders where the card that was won seems to lie still, just as at the last press."""
        if self._pressed is None or not watch.as_before:
            return frozenset()
        changed = self._eye.changed(self._pressed, frame)
        return frozenset(holder for holder in watch.as_before if not changed[holder])

    def _read(
        self, frame: Frame, asked: Asked, holders: frozenset[int], *, is_glance: bool
    ) -> CardsSeen | None:
        try:
            wanted = frozenset(holder for holder in holders if asked.piles[holder] > 0)
            sights: list[Sight | None] = []
            for holder, reading in enumerate(self._eye.read(frame, wanted)):
                if reading is None:
                    sights.append(None)
                    continue
                is_card = reading.state not in (HolderState.EMPTY, HolderState.BLOCKED)
                is_news = reading.card is None or reading.card != asked.cards[holder]
                sights.append(Sight(reading, self._kept(frame, holder) if is_card and is_news else None))
        except ZonesError as error:
            LOG.debug("the holders were not read: %s", error)
            return None
        return CardsSeen(asked, tuple(sights), is_glance)

    def _kept(self, frame: Frame, holder: int) -> str | None:
        """Take the card's own picture; its id follows from it alone."""
        look = self._eye.look(frame, holder)
        if look is None:
            return None
        name = hashlib.sha256(look.jpeg).hexdigest()[:16]
        self._looks[name] = look
        self._looks.move_to_end(name)
        while len(self._looks) > LOOKS_KEPT:
            self._looks.popitem(last=False)
        return name

    def _ill(self, sentence: str) -> Inner:
        self._is_well = False
        LOG.warning("%s", sentence)
        return HealthChanged("cards", Health(HealthState.FAULT, sentence))

    def _well(self) -> Inner | None:
        if self._is_well:
            return None
        self._is_well = True
        return HealthChanged("cards", Health(HealthState.OK))
