"""Reading the holders: which card lies open in each of the three, as far as one frame tells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from companion.game.cards import Card
from companion.game.record import card_to_json
from companion.vision.card_compare import Face
from companion.vision.card_cover import HolderSurroundings, is_plain
from companion.vision.card_find import CardPlace, find_card
from companion.vision.card_guess import CardGuesser
from companion.vision.card_look import CardLook, face_of, take_look, thumbnail, tone_of
from companion.vision.card_match import KnownCard, KnownFaces, Match
from companion.vision.card_view import Bytes, Matrix
from companion.vision.geometry import Quad, Zones
from companion.vision.profile import Profile

#: From this probability on the reader says so; below it asks.
SURE = 0.9
#: A card keeps so many looks: the first one, and the latest of those that were confirmed.
MOST_LOOKS = 5


class HoldersError(ValueError):
    """The holders cannot be read; the message is one sentence that says what to do."""


class HolderState(StrEnum):
    """What is to be seen in a holder."""

    KNOWN = "known"
    NEW = "new"
    UNSURE = "unsure"
    EMPTY = "empty"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class HolderReading:
    """One holder.

    `card` is the card when known, the likelier one when unsure, else None; `confidence` the probability of
    what is said, 0 to 1; `runner_up` the next likely known card; `guess` what a card that may be new seems to
    say; `corners_px` where the card lies in the frame (NW, NE, SE, SW), None where none is seen.
    """

    state: HolderState
    card: Card | None
    confidence: float
    runner_up: Card | None
    guess: Card | None
    corners_px: Quad | None

    def to_dict(self) -> dict[str, Any]:
        """The shape printed by `companion cards read --json`."""
        return {
            "state": self.state.value,
            "card": _card_or_none(self.card),
            "confidence": round(self.confidence, 3),
            "runner_up": _card_or_none(self.runner_up),
            "guess": _card_or_none(self.guess),
        }


Readings = tuple[HolderReading, HolderReading, HolderReading]


class CardReader:
    """Reads the three holders of one table, knowing some cards."""

    def __init__(self, profile: Profile, known: Sequence[KnownCard] = ()) -> None:
        """Make ready; about two milliseconds for each look of the known cards.

        Raises:
            HoldersError: the profile's zones have no holders.
            FrameError: the profile's empty picture is damaged.
            CardLookError: a known card's picture is damaged.
        """
        if len(profile.zones.holders_px) != 3:
            raise HoldersError(
                "The profile has no zones for the card holders: mark the three holders and calibrate again."
            )
        self._profile = profile
        self._white_rgb = profile.faces.light
        self._surroundings = HolderSurroundings(profile.empty, profile.zones)
        self._guesser = CardGuesser(profile.faces)
        self._faces = KnownFaces(known)

    @property
    def known(self) -> tuple[KnownCard, ...]:
        """The cards it knows."""
        return self._faces.known

    @property
    def colours(self) -> tuple[str, ...]:
        """The names of the table's colours, in the profile's order."""
        return tuple(ink.name for ink in self._profile.faces.inks)

    def know(self, known: Sequence[KnownCard]) -> None:
        """Know these cards from now on, instead of those before; what is ready already is kept.

        Raises:
            CardLookError: a known card's picture is damaged.
        """
        self._faces = self._faces.with_known(known)

    def read(self, frame_bgr: Bytes, moved: Matrix | None = None) -> Readings:
        """Read a frame, shape (h, w, 3), uint8 BGR, of any resolution with the profile's shape.

        `moved` (3, 3) takes the profile's pictures to this frame where the camera was nudged (registration's
        matrix).

        Raises:
            ZonesError: the frame has another shape than the pictures the profile was made from.
        """
        first, second, third = self.read_some(frame_bgr, range(3), moved)
        assert first is not None
        assert second is not None
        assert third is not None
        return first, second, third

    def read_some(
        self, frame_bgr: Bytes, holders: Collection[int], moved: Matrix | None = None
    ) -> tuple[HolderReading | None, ...]:
        """As `read`, but of these holders (0 to 2) alone, each at a third of the cost; None for the others.

        Raises:
            ZonesError: as `read`.
        """
        zones = self._zones(frame_bgr, moved)
        readings = [
            self._holder(frame_bgr, find_card(frame_bgr, quad)) if holder in holders else None
            for holder, quad in enumerate(zones.holders_px)
        ]
        # A hand over a card hides some of its rim, so that only where no card is seen the question is open.
        if any(reading is not None and reading.state is HolderState.EMPTY for reading in readings):
            covered = self._surroundings.covered(frame_bgr, zones)
            for holder, reading in enumerate(readings):
                if reading is not None and covered[holder] and reading.state is HolderState.EMPTY:
                    readings[holder] = _blocked(reading)
        return tuple(readings)

    def look(self, frame_bgr: Bytes, holder: int, moved: Matrix | None = None) -> CardLook:
        """The face of the card in a holder (0 to 2), to show or to keep.

        Raises:
            HoldersError: no card is seen there, or something lies over it.
            ZonesError: as `read`.
        """
        place = find_card(frame_bgr, self._zones(frame_bgr, moved).holders_px[holder])
        if (
            place is None
            or not place.is_whole
            or is_plain(thumbnail(tone_of(face_of(frame_bgr, place.corners_px))))
        ):
            raise HoldersError(
                f"No whole card is seen in holder {holder}: lay it in its place, all of it in the picture "
                "and nothing over it, and try again."
            )
        return take_look(frame_bgr, place.corners_px, self._white_rgb)

    def learn(self, frame_bgr: Bytes, holder: int, card: Card, moved: Matrix | None = None) -> KnownCard:
        """What is known of `card` with the look it has in a holder (0 to 2); `know` it to use it.

        A card that is known already keeps its first look, which says which way up it is, and the latest
        others; the new look is turned to agree.

        Raises:
            HoldersError, ZonesError: as `look`.
        """
        return self.with_look(self.look(frame_bgr, holder, moved), card)

    def with_look(self, look: CardLook, card: Card) -> KnownCard:
        """What is known of `card` with one more look, as `learn` gives it; one it has already adds nothing.

        Raises:
            CardLookError: the look's picture, or that of the card's first look, is damaged.
        """
        before = next((one for one in self.known if one.card == card), None)
        if before is None or not before.looks:
            return KnownCard(card, (look,))
        if look in before.looks:
            return before
        first, *later = before.looks
        own = self._faces.with_known([KnownCard(card, (first,))])
        if own.match(Face.of(tone_of(look.face())), look.white_rgb).turned:
            look = look.turned()
        return KnownCard(before.card, (first, *[*later, look][1 - MOST_LOOKS :]))

    def alike(self, look: CardLook, known: KnownCard) -> tuple[CardLook, ...]:
        """Those looks of a card by which alone `look` would surely be taken for it.

        Raises:
            CardLookError: a look's picture is damaged.
        """
        face = Face.of(tone_of(look.face()))
        fits = (self._faces.with_known([replace(known, looks=(one,))]) for one in known.looks)
        new = [faces.match(face, look.white_rgb).new for faces in fits]
        return tuple(one for one, other in zip(known.looks, new, strict=True) if other <= 1 - SURE)

    def _zones(self, frame_bgr: Bytes, moved: Matrix | None) -> Zones:
        size_px = (frame_bgr.shape[1], frame_bgr.shape[0])
        zones = self._profile.zones.at_size(*size_px)
        return zones if moved is None else self._profile.zones.moved(np.asarray(moved, np.float64), size_px)

    def _holder(self, frame_bgr: Bytes, place: CardPlace | None) -> HolderReading:
        if place is None:
            return HolderReading(HolderState.EMPTY, None, SURE, None, None, None)
        face_bgr = face_of(frame_bgr, place.corners_px)
        face = Face.of(tone_of(face_bgr))
        if is_plain(face.thumb):
            return HolderReading(HolderState.EMPTY, None, SURE, None, None, None)
        match = self._faces.match(face, self._white_rgb)
        return self._judged(match, place, face_bgr)

    def _judged(self, match: Match, place: CardPlace, face_bgr: Bytes) -> HolderReading:
        cards = match.cards
        if cards and cards[0][1] >= SURE:
            runner_up = cards[1][0] if len(cards) > 1 else None
            return HolderReading(
                HolderState.KNOWN, cards[0][0], cards[0][1], runner_up, None, place.corners_px
            )
        if not place.is_whole:
            return HolderReading(
                HolderState.BLOCKED, None, 1 - min(place.support), None, None, place.corners_px
            )
        guess = self._guesser.guess(face_bgr, [one.card for one in self.known])
        if match.new >= SURE or not cards:
            runner_up = cards[0][0] if cards else None
            return HolderReading(HolderState.NEW, None, match.new, runner_up, guess, place.corners_px)
        runner_up = cards[1][0] if len(cards) > 1 else None
        return HolderReading(HolderState.UNSURE, cards[0][0], cards[0][1], runner_up, guess, place.corners_px)


def _blocked(reading: HolderReading) -> HolderReading:
    return HolderReading(HolderState.BLOCKED, None, SURE, None, None, reading.corners_px)


def _card_or_none(card: Card | None) -> dict[str, Any] | None:
    return None if card is None else card_to_json(card)
