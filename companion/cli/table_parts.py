"""What a profile says of a table: colours, reserve, the deck to offer, and how its pictures are read."""

from __future__ import annotations

from companion.game.cards import Card
from companion.game.deck import DeckError, default_deck
from companion.game.dice import DEFAULT_COLOURS
from companion.table.ports import Frame, Reader
from companion.table.state import Setup
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from companion.vision.reading import Reading


def colours_of(profile: Profile) -> tuple[str, ...]:
    """Return the profile's colours, in the usual order where they are the usual ones."""
    names = tuple(ink.name for ink in profile.faces.inks)
    return DEFAULT_COLOURS if set(names) == set(DEFAULT_COLOURS) else names


def setup_of(profile: Profile) -> Setup:
    """Return what the table is set up with."""
    return Setup(colours_of(profile), has_reserve=profile.zones.reserve_px is not None)


def deck_in(colours: tuple[str, ...]) -> tuple[Card, ...]:
    """Return the default deck's cards in these colours; none for a set of fewer or more colours."""
    try:
        return default_deck().in_colours(colours).kinds
    except DeckError:
        return ()


def reader_of(profile: Profile) -> Reader:
    """Return what reads the table's pictures."""

    def read(frame: Frame) -> Reading:
        return read_picture(frame, profile)

    return read
