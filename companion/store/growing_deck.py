"""A deck that grows by play: the cards people named, with their pictures, kept in a file as they come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from companion.game.cards import Card
from companion.store.deck_file import DeckFileFault, PicturedDeck, load_deck_file, save_deck_file
from companion.table.ports import DeckFault, Frame
from companion.vision.card_eye import HolderEye
from companion.vision.card_look import CardLook, CardLookError
from companion.vision.card_match import KnownCard
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

    def read(self, frame: Frame, holders: Collection[int]) -> Sequence[HolderReading | None]:
        """As `CardEye.read`."""
        return self._eye.read(frame, holders)

    def look(self, frame: Frame, holder: int) -> CardLook | None:
        """As `CardEye.look`."""
        return self._eye.look(frame, holder)

    def changed(self, before: Frame, now: Frame) -> tuple[bool, bool, bool]:
        """As `CardEye.changed`."""
        return self._eye.changed(before, now)

    def learn(self, look: CardLook, card: Card, instead_of: Card | None) -> None:
        """As `CardEye.learn`; a card that has lost its only picture leaves the deck."""
        deck = self._deck
        wrong = None if instead_of is None else deck.find(instead_of)
        # It may have been kept turned, to lie as that card's first look does.
        both = () if wrong is None else (look, look.turned())
        if wrong is not None and any(one in both for one in wrong.looks):
            left = tuple(one for one in wrong.looks if one not in both)
            deck = deck.with_card(replace(wrong, looks=left)) if left else deck.without(wrong.card)
            self._eye.cards.know(deck.known)
        try:
            known: KnownCard = self._eye.with_look(look, card)
            deck = deck.with_card(known)
            self._eye.cards.know(deck.known)
        except CardLookError as error:
            raise DeckFault(f"The card cannot be learned: {error}.") from error
        self._deck = deck
        if self._path is None:
            return
        try:
            save_deck_file(self._path, deck)
        except DeckFileFault as fault:
            raise DeckFault(f"{fault} The card is known until the companion ends.") from fault
