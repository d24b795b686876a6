"""A deck that grows by play: the cards people named, with their pictures, kept in a file as they come."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from companion.game.cards import Card
from companion.store.deck_file import DeckFileFault, PicturedDeck, load_deck_file, save_deck_file
from companion.table.ports import DeckFault, Frame
from companion.vision.card_eye import HolderEye
from companion.vision.card_look import CardLook, CardLookError
from companion.vision.card_reader import HolderReading, HoldersError
from companion.vision.frame_view import FrameError
from companion.vision.profile import Profile

NAME = "deck.json"
"""The deck's usual file, beside the games."""


class GrowingDeck:
    """Reads the holders by the cards of a deck file, and adds to it what people name."""

    def __init__(self, eye: HolderEye, deck: PicturedDeck, path: Path | None) -> None:
        """Read with `eye`, which must know the deck's cards; without a `path` nothing is kept."""
        self._eye = eye
        self._deck = deck
        self._path = path
        self._next: HolderEye | None = None
        self._lock = threading.Lock()
        """For what eye and deck are, which several threads ask and change."""

    @classmethod
    def opened(cls, profile: Profile, path: Path, colours: tuple[str, ...]) -> Self:
        """Open a deck file, which is made with the first card that is learned; `colours` are the dice's.

        Raises:
            DeckFault: the file is no deck, not one of these dice, or the profile has no holders.
        """
        try:
            deck = load_deck_file(path) if path.exists() else PicturedDeck((), colours)
        except DeckFileFault as fault:
            raise DeckFault(str(fault)) from fault
        if set(deck.colours) != set(colours):
            raise DeckFault(
                f"{path}: this deck is for dice of other colours ({', '.join(deck.colours)}); "
                "name another file."
            )
        return cls.of(profile, deck, path)

    @classmethod
    def of(cls, profile: Profile, deck: PicturedDeck, path: Path | None) -> Self:
        """Begin with a deck.

        Raises:
            DeckFault: the profile has no holders, or a picture is damaged.
        """
        try:
            return cls(HolderEye(profile, deck.known), deck, path)
        except (HoldersError, FrameError) as error:
            raise DeckFault(str(error)) from error
        except CardLookError as error:
            raise DeckFault(f"{path}: {error}; learn that card again.") from error

    @property
    def deck(self) -> PicturedDeck:
        """The cards it has now."""
        return self._deck

    def use(self, profile: Profile) -> None:
        """See with another profile from the next picture on; may be called from any thread.

        Raises:
            DeckFault: the profile has no holders; it goes on as before.
        """
        try:
            newer = HolderEye(profile, self._deck.known)
        except (HoldersError, FrameError, CardLookError) as error:
            raise DeckFault(str(error)) from error
        with self._lock:
            self._next = newer

    def _newest(self) -> HolderEye:
        """Return what sees with the newest profile, and knows what was learned meanwhile."""
        with self._lock:
            return self._newest_alone()

    def _newest_alone(self) -> HolderEye:
        newer, self._next = self._next, None
        if newer is not None:
            newer.cards.know(self._deck.known)
            self._eye = newer
        return self._eye

    def read(self, frame: Frame, holders: Collection[int]) -> Sequence[HolderReading | None]:
        """As `CardEye.read`."""
        return self._newest().read(frame, holders)

    def look(self, frame: Frame, holder: int) -> CardLook | None:
        """As `CardEye.look`."""
        return self._newest().look(frame, holder)

    def changed(self, before: Frame, now: Frame) -> tuple[bool, bool, bool]:
        """As `CardEye.changed`."""
        return self._newest().changed(before, now)

    def learn(
        self, look: CardLook, card: Card, instead_of: Card | None, mistaken_for: Card | None = None
    ) -> None:
        """As `CardEye.learn`; a card that has lost its only picture leaves the deck.

        Of the card that it was mistaken for, a single picture that looks the same was named wrongly once: it
        goes over to `card`. Two such pictures say that people named it so twice: both cards look alike, keep
        theirs, and are asked about.
        """
        with self._lock:
            self._deck = deck = self._learned(look, card, instead_of, mistaken_for)
        if self._path is None:
            return
        try:
            save_deck_file(self._path, deck)
        except DeckFileFault as fault:
            raise DeckFault(f"{fault} The card is known until the companion ends.") from fault

    def _learned(
        self, look: CardLook, card: Card, instead_of: Card | None, mistaken_for: Card | None
    ) -> PicturedDeck:
        """Let the eye know what `learn` says, and return the deck with it; the lock is held."""
        deck, eye = self._deck, self._newest_alone()
        try:
            # It may have been kept turned, to lie as that card's first look does.
            deck = _without_looks(deck, instead_of, (look, look.turned()) if instead_of is not None else ())
            mistaken = None if mistaken_for is None else deck.find(mistaken_for)
            alike = () if mistaken is None else eye.cards.alike(look, mistaken)
            gained = alike if len(alike) == 1 else ()
            deck = _without_looks(deck, mistaken_for, gained)
            for one in (*gained, look):
                eye.cards.know(deck.known)
                deck = deck.with_card(eye.with_look(one, card))
            eye.cards.know(deck.known)
        except CardLookError as error:
            raise DeckFault(f"The card cannot be learned: {error}.") from error
        return deck


def _without_looks(deck: PicturedDeck, card: Card | None, looks: Collection[CardLook]) -> PicturedDeck:
    """The deck in which a card has not these looks; one that loses its last one leaves it."""
    found = None if card is None else deck.find(card)
    left = () if found is None else tuple(one for one in found.looks if one not in looks)
    if found is None or len(left) == len(found.looks):
        return deck
    return deck.with_card(replace(found, looks=left)) if left else deck.without(found.card)
