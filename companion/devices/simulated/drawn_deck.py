"""The simulated table's cards as a camera would have learned them: their drawings, evenly lit."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.devices.simulated.card_face import card_face
from companion.game.cards import Card
from companion.vision.card_look import KEPT_SIZE_PX, CardLook
from companion.vision.card_match import KnownCard

_WHITE = (0.8, 0.8, 0.8)
"""Linear light of a white die where the drawings' paper has the light of its reflectance."""


def drawn_look(card: Card) -> CardLook:
    """A card's drawing as one look."""
    light = np.clip(card_face(card), 0, 1)
    # sRGB of linear light (IEC 61966-2-1).
    levels = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055) * 255
    picture = cv2.resize(np.asarray(np.rint(levels), np.uint8), KEPT_SIZE_PX, interpolation=cv2.INTER_AREA)
    return CardLook.of(np.asarray(picture, np.uint8), _WHITE)


def drawn_deck(cards: Sequence[Card]) -> tuple[KnownCard, ...]:
    """Each different card of these, with its drawing."""
    return tuple(KnownCard(card, (drawn_look(card),)) for card in dict.fromkeys(cards))
