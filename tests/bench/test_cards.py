"""The bench of the cards: its decks are as large as they say, no two cards drawn alike."""

from companion.bench.cards import known_cards


def test_the_decks_are_as_large_as_asked_and_no_two_looks_are_alike() -> None:
    known = known_cards(60)
    assert len({one.card for one in known}) == 60
    assert len({one.looks for one in known}) == 60
