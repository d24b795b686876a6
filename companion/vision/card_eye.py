"""An eye on the three holders: the cards read in their place even where the camera was nudged, and stillness.

Two pictures of a holder at rest differ by noise and by the lamp's flicker alone. Over a cell of several
millimetres noise averages out, and a flicker changes all cells by one factor; a hand or another card changes
some of them far more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from companion.game.cards import Card
from companion.vision.card_look import CardLook
from companion.vision.card_match import KnownCard
from companion.vision.card_reader import CardReader, HolderReading, HoldersError, HolderState
from companion.vision.card_view import Bytes, Floats
from companion.vision.frame_view import small_view
from companion.vision.geometry import Quad
from companion.vision.profile import Profile
from companion.vision.registration import Registration, prepare_anchors, register

_CELLS = (13, 18)
"""Columns and rows over a holder: cells of about five millimetres."""
_FLOOR_LEVELS = 6.0
"""Keeps the logarithm of black finite."""
_STIRRED = 0.12
"""A cell whose light changed by this much more or less than the others' (a logarithm): an eighth. Noise of
ten levels leaves a hundredth."""

_UNSEEN = HolderReading(HolderState.BLOCKED, None, 1.0, None, None, None)


class HolderEye:
    """Reads the holders of one table, wherever it lies in the frame now."""

    def __init__(self, profile: Profile, known: Sequence[KnownCard] = ()) -> None:
        """Make ready, some tens of milliseconds and two for each known look.

        Raises:
            HoldersError, FrameError, CardLookError: as `CardReader`.
        """
        self.cards = CardReader(profile, known)
        self._zones = profile.zones
        self._anchors = prepare_anchors(profile.empty, profile.zones)

    def read(self, frame_bgr: Bytes, holders: Collection[int]) -> tuple[HolderReading | None, ...]:
        """Read these holders (0 to 2) in a frame, shape (h, w, 3), uint8 BGR; None for the others.

        Where the camera has moved too far to tell which holder is which, they are blocked.

        Raises:
            ZonesError: the frame has another shape than the pictures the profile was made from.
        """
        self._zones.at_size(frame_bgr.shape[1], frame_bgr.shape[0])
        seen = self._registration(frame_bgr)
        if seen.moved:
            return tuple(_UNSEEN if holder in holders else None for holder in range(3))
        return self.cards.read_some(frame_bgr, holders, seen.as_array())

    def look(self, frame_bgr: Bytes, holder: int) -> CardLook | None:
        """The face of the card in a holder (0 to 2); None where no whole card is seen.

        Raises:
            ZonesError: as `read`.
        """
        seen = self._registration(frame_bgr)
        if seen.moved:
            return None
        try:
            return self.cards.look(frame_bgr, holder, seen.as_array())
        except HoldersError:
            return None

    def with_look(self, look: CardLook, card: Card) -> KnownCard:
        """As `CardReader.with_look`."""
        return self.cards.with_look(look, card)

    def changed(self, before_bgr: Bytes, now_bgr: Bytes) -> tuple[bool, bool, bool]:
        """Tell for each holder whether something moved there between two frames (h, w, 3), uint8 BGR."""
        if before_bgr.shape != now_bgr.shape:
            return True, True, True
        change = np.abs(self._cells(now_bgr) - self._cells(before_bgr))
        first, second, third = (bool((holder > _STIRRED).any()) for holder in change)
        return first, second, third

    def _registration(self, frame_bgr: Bytes) -> Registration:
        size_px = (frame_bgr.shape[1], frame_bgr.shape[0])
        return register(small_view(frame_bgr, self._anchors.view_px), self._anchors, size_px)

    def _cells(self, frame_bgr: Bytes) -> Floats:
        """Each holder in a few cells, (3, rows, columns), as logarithms of light without the lamp's part."""
        zones = self._zones.at_size(frame_bgr.shape[1], frame_bgr.shape[0])
        cells = [
            cv2.resize(_around(frame_bgr, quad), _CELLS, interpolation=cv2.INTER_AREA)
            for quad in zones.holders_px
        ]
        light = np.log(np.stack(cells).astype(np.float32).mean(axis=3) + _FLOOR_LEVELS)
        return np.asarray(light - np.median(light), np.float32)


def _around(frame_bgr: Bytes, quad: Quad) -> Bytes:
    """The upright part of a frame in which a holder lies."""
    corners = np.asarray(quad, np.float64)
    height, width = frame_bgr.shape[:2]
    low = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, (width - 2, height - 2))
    high = np.maximum(np.ceil(corners.max(axis=0)).astype(int), low + 1)
    return frame_bgr[low[1] : high[1], low[0] : high[0]]
