"""The owner's deck as the commands open it: beside the games, unless another file is named."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.table_parts import colours_of
from companion.store.growing_deck import NAME, GrowingDeck
from companion.vision.profile import Profile


def add_deck_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `--deck` and `--cards-by-hand`."""
    parser.add_argument(
        "--deck",
        type=Path,
        metavar="FILE",
        help=f"the cards that the camera knows, which grows by play (default: {NAME} beside the games)",
    )
    parser.add_argument(
        "--cards-by-hand", action="store_true", help="let people name every card; the camera reads none"
    )


def deck_beside(games: Path, given: Path | None) -> Path:
    """Return the deck's file."""
    return games.with_name(NAME) if given is None else given


def open_deck(profile: Profile, path: Path) -> GrowingDeck:
    """Open what reads and learns the cards in the holders.

    Raises:
        DeckFault: the file can not be used, or the profile has no holders.
    """
    return GrowingDeck.opened(profile, path, colours_of(profile))
