"""A deck file with pictures: the cards an owner has, and how each of them looked when it was named.

It is a deck as in `companion.game.deck` with one field more, "looks": a list of {"card", "looks"}, where each
look is a small JPEG in base64 with the light of white in it (`companion.vision.card_look`). So one file is
the whole deck, can be copied and shared, and a program that knows nothing of pictures reads its cards all the
same.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.game.cards import Card
from companion.game.deck import Deck, DeckError, deck_from_text, deck_to_text
from companion.game.dice import DEFAULT_COLOURS
from companion.game.fields import BadLine
from companion.game.record import card_from_json, card_to_json
from companion.vision.card_look import CardLook, CardLookError
from companion.vision.card_match import KnownCard
from companion.vision.card_reader import MOST_LOOKS


class DeckFileFault(Exception):
    """The deck file cannot be read or written; one sentence says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class PicturedDeck:
    """The cards of a deck, each different one once, with their looks; some may have none yet."""

    cards: tuple[KnownCard, ...] = ()
    colours: tuple[str, ...] = DEFAULT_COLOURS

    @property
    def known(self) -> tuple[KnownCard, ...]:
        """The cards that have looks: those the camera can know."""
        return tuple(one for one in self.cards if one.looks)

    @property
    def deck(self) -> Deck:
        """The cards without pictures."""
        return Deck(tuple(one.card for one in self.cards), self.colours)

    def find(self, card: Card) -> KnownCard | None:
        """What is known of a card, None when it is not in the deck."""
        return next((one for one in self.cards if one.card == card), None)

    def with_card(self, known: KnownCard) -> PicturedDeck:
        """The deck with this card as it is given, in its old place or at the end."""
        if self.find(known.card) is None:
            return replace(self, cards=(*self.cards, known))
        return replace(self, cards=tuple(known if one.card == known.card else one for one in self.cards))

    def without(self, card: Card) -> PicturedDeck:
        """The deck without a card and its looks."""
        return replace(self, cards=tuple(one for one in self.cards if one.card != card))

    def changed(self, card: Card, to: Card) -> PicturedDeck:
        """The deck in which the looks of `card` are those of `to`: a naming put right."""
        before = self.find(card)
        if before is None:
            return self
        other = self.find(to) if to != card else None
        looks = before.looks if other is None else (*other.looks, *before.looks)
        named = KnownCard(to, looks[:MOST_LOOKS])
        rest = tuple(
            named if one.card == card else one for one in self.cards if one.card == card or one.card != to
        )
        return replace(self, cards=rest)

    def joined(self, others: Iterable[KnownCard]) -> PicturedDeck:
        """The deck with the cards and looks of another; a card's own looks come first."""
        result = self
        for other in others:
            own = result.find(other.card)
            looks = other.looks if own is None else tuple(dict.fromkeys((*own.looks, *other.looks)))
            result = result.with_card(KnownCard(other.card, looks[:MOST_LOOKS]))
        return result


def deck_file_from_text(text: str) -> PicturedDeck:
    """Read a deck with or without pictures.

    Raises:
        DeckError: it is no deck, or a look in it can not be used.
    """
    deck = deck_from_text(text)
    rows = json.loads(text).get("looks", [])
    if not isinstance(rows, list):
        raise DeckError('"looks" must be a list of {"card", "looks"}')
    looks: dict[Card, tuple[CardLook, ...]] = {}
    for number, row in enumerate(rows, start=1):
        try:
            card, found = _row(row, deck.colours)
        except (BadLine, CardLookError) as error:
            raise DeckError(f"entry {number} of the looks: {error}") from error
        looks[card] = (*looks.get(card, ()), *found)
    cards = tuple(dict.fromkeys((*deck.kinds, *looks)))
    return PicturedDeck(tuple(KnownCard(card, looks.get(card, ())) for card in cards), deck.colours)


def deck_file_to_text(deck: PicturedDeck) -> str:
    """Write a deck with its pictures as the text of its file: a card a line, a card's looks a line."""
    head = deck_to_text(deck.deck).rstrip().removesuffix("}").rstrip()
    rows = ",\n".join(
        json.dumps(
            {"card": card_to_json(one.card), "looks": [look.to_json_value() for look in one.looks]},
            ensure_ascii=False,
        )
        for one in deck.known
    )
    return f'{head},\n"looks": [\n{rows}\n]\n}}\n'


def load_deck_file(path: Path) -> PicturedDeck:
    """Read a deck file.

    Raises:
        DeckFileFault: it is not there, cannot be read, or is no deck.
    """
    try:
        return deck_file_from_text(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise DeckFileFault(f"{path}: there is no such deck; check the name.") from None
    except OSError as error:
        raise DeckFileFault(f"{path}: the deck cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError:
        raise DeckFileFault(f"{path}: the deck is not UTF-8 text; is it another file?") from None
    except DeckError as error:
        raise DeckFileFault(f"{path}: {error}; mend it, or begin a new deck under another name.") from error


def save_deck_file(path: Path, deck: PicturedDeck) -> None:
    """Write a deck file; whatever happens meanwhile, either the old or the new one is there whole.

    Raises:
        DeckFileFault: the folder does not exist or cannot be written.
    """
    partial = None
    try:
        handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(deck_file_to_text(deck))
            file.flush()
            os.fsync(file.fileno())
        # A file of one's own would be shut to others; a deck is to be shared.
        Path(partial).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        Path(partial).replace(path)
    except OSError as error:
        if partial is not None:
            Path(partial).unlink(missing_ok=True)
        raise DeckFileFault(
            f"{path}: the deck cannot be written ({error.strerror}); choose another place."
        ) from error


def _row(row: object, colours: Sequence[str]) -> tuple[Card, tuple[CardLook, ...]]:
    if not isinstance(row, dict) or not isinstance(row.get("looks"), list) or "card" not in row:
        raise BadLine('expected {"card": …, "looks": […]}')
    card = card_from_json(row["card"], tuple(colours))
    return card, tuple(CardLook.from_json_value(value) for value in row["looks"])
