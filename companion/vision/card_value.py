"""The points that a combination is usually worth, for filling in a form before anybody has looked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from companion.game.cards import Card, Group
from companion.game.deck import default_deck

_Pattern = tuple[tuple[int, bool], ...]


def usual_points(groups: Sequence[Group], known: Iterable[Card] = ()) -> int:
    """Points of cards with groups of the same sizes, named or free as these.

    Of the `known` ones where there are such, else of the default deck's, else an estimate.
    """
    pattern = _pattern(groups)
    own = sorted(card.points for card in known if _pattern(card.groups) == pattern)
    if own:
        return own[len(own) // 2]
    points = _known_points().get(pattern)
    if points is not None:
        return points
    # Each die a card needs beyond two, and each group whose colour is named, make it harder (rule 1.3's
    # values).
    return max(1, sum(size for size, _ in pattern) - 2 + any(named for _, named in pattern))


def _pattern(groups: Sequence[Group]) -> _Pattern:
    return tuple(sorted((group.size, group.colour is not None) for group in groups))


@lru_cache(maxsize=1)
def _known_points() -> dict[_Pattern, int]:
    worth: dict[_Pattern, list[int]] = {}
    for card in default_deck().kinds:
        worth.setdefault(_pattern(card.groups), []).append(card.points)
    return {pattern: sorted(points)[len(points) // 2] for pattern, points in worth.items()}
