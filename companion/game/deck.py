"""A deck: the cards that owners may meet, as a JSON file, and the one that comes along (rule 1.3)."""

import json
from dataclasses import dataclass, replace
from importlib.resources import files

from companion.game.cards import Card, Group
from companion.game.dice import DEFAULT_COLOURS
from companion.game.fields import BadLine, colours_field, field_of, is_whole, json_object, shown
from companion.game.record import card_from_json, card_to_json

VERSION = 1


class DeckError(ValueError):
    """A text that is no deck; the sentence says which card and what is wrong."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards, the same one as often as it is in the box, and the six colours that their groups may name."""

    cards: tuple[Card, ...]
    colours: tuple[str, ...] = DEFAULT_COLOURS

    @property
    def kinds(self) -> tuple[Card, ...]:
        """Each different card once, in the order in which they first come."""
        return tuple(dict.fromkeys(self.cards))

    def count(self, card: Card) -> int:
        """How often `card` is in the deck."""
        return self.cards.count(card)

    def with_card(self, card: Card) -> "Deck":
        """Return the deck with one more card, as owners add those they meet."""
        return replace(self, cards=(*self.cards, card))

    def in_colours(self, colours: tuple[str, ...]) -> "Deck":
        """Return the deck for a set whose six colours have other names, the first for the first and so on.

        Raises:
            DeckError: there are not as many names, or one comes twice.
        """
        if len(set(colours)) != len(self.colours) or len(colours) != len(self.colours):
            raise DeckError(f"a deck needs {len(self.colours)} different colours, not {', '.join(colours)}")
        names = dict(zip(self.colours, colours, strict=True))
        return Deck(
            tuple(
                replace(
                    card,
                    groups=tuple(
                        Group(group.size, None if group.colour is None else names[group.colour])
                        for group in card.groups
                    ),
                )
                for card in self.cards
            ),
            colours,
        )


def deck_from_text(text: str) -> Deck:
    """Read a deck from the text of its file.

    Raises:
        DeckError: it is no JSON, of an unknown version, or a card is not as it must be.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DeckError(f"the deck is not valid JSON ({error})") from error
    try:
        return _deck(data)
    except BadLine as error:
        raise DeckError(error.sentence) from error


def deck_to_text(deck: Deck) -> str:
    """Write a deck as the text of its file, one card a line."""
    colours = json.dumps(list(deck.colours), ensure_ascii=False)
    head = f'{{\n"version": {VERSION},\n"colours": {colours},\n"cards": ['
    cards = ",\n".join(json.dumps(card_to_json(card), ensure_ascii=False) for card in deck.cards)
    return f"{head}\n{cards}\n]\n}}\n"


def default_deck() -> Deck:
    """Return the plausible deck of 45 cards that comes with the product."""
    return deck_from_text(files("companion.game").joinpath("decks", "default.json").read_text("utf-8"))


def _deck(data: object) -> Deck:
    fields = json_object(data, "the deck")
    version = field_of(fields, "version")
    if not is_whole(version) or version != VERSION:
        raise BadLine(f"this deck is of version {shown(version)}, and only version {VERSION} is known here")
    colours = colours_field(fields)
    cards = field_of(fields, "cards")
    if not isinstance(cards, list):
        raise BadLine(f'"cards" must be a list of cards, not {shown(cards)}')
    return Deck(
        tuple(_card(number, card, colours) for number, card in enumerate(cards, start=1)),
        colours,
    )


def _card(number: int, data: object, colours: tuple[str, ...]) -> Card:
    try:
        return card_from_json(data, colours)
    except BadLine as error:
        raise BadLine(f"card {number} of the deck: {error.sentence}") from error
