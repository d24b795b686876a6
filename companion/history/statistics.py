"""Statistics over past games: for each player by name, and of the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.coach.luck import NOTHING_LOST, TurnLuck
from companion.game.dice import Body
from companion.history.fairness import Fairness, fairness
from companion.history.past_game import Digest, Status

KnownLuck = Callable[[str], "tuple[TurnLuck, ...] | None"]
"""Game id to the luck of its turns, None where it is not worked out yet."""


@dataclass(frozen=True, slots=True)
class LuckSum:
    """Luck and losses of a player, summed up, in points."""

    games: int
    turns: int
    luck: float
    """What the dice gave beyond expectation."""
    loss: float
    """What better choices would have brought."""
    decisions: int
    best_decisions: int


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player over all finished games; a player is a name, whatever its capitals."""

    name: str
    games: int
    wins: float
    """A win shared by two counts half."""
    points: int
    cards: int
    turns: int
    throws: int
    won: int
    """Cards won from the holders."""
    shapes: Mapping[str, int]
    luck: LuckSum | None
    luck_course: tuple[float, ...]
    """The luck of each game for which it is worked out, oldest first, in points."""

    @property
    def throws_per_card(self) -> float | None:
        """Throws for each card won from the holders; None where none was."""
        return self.throws / self.won if self.won else None


@dataclass(frozen=True, slots=True)
class DiceStatistics:
    """How often each colour came up, for games with the same six colours."""

    colours: tuple[str, ...]
    counts: Mapping[Body, tuple[int, ...]]
    tests: Mapping[Body, Fairness]


def player_statistics(digests: Iterable[Digest], known_luck: KnownLuck) -> tuple[PlayerStatistics, ...]:
    """Count the finished games for each player, most games first, then most wins."""
    sums: dict[str, _Sum] = {}
    for digest in digests:
        if digest.status is not Status.FINISHED:
            continue
        luck = known_luck(digest.game_id)
        for seat, name in enumerate(digest.players):
            # Digests come newest first: a name is shown as it was last written.
            sums.setdefault(name.casefold(), _Sum(name)).add(digest, seat, luck)
    found = [one.told() for one in sums.values()]
    return tuple(sorted(found, key=lambda player: (-player.games, -player.wins, player.name.casefold())))


def dice_statistics(digests: Iterable[Digest]) -> tuple[DiceStatistics, ...]:
    """Count the faces of all games, also of those that were left; sets of other colours by themselves."""
    sets: dict[tuple[str, ...], dict[Body, Sequence[int]]] = {}
    for digest in digests:
        counts = sets.setdefault(digest.colours, {body: (0,) * len(digest.colours) for body in Body})
        for body in Body:
            counts[body] = [a + b for a, b in zip(counts[body], digest.faces[body], strict=True)]
    return tuple(
        DiceStatistics(
            colours,
            {body: tuple(counts[body]) for body in Body},
            {body: fairness(counts[body]) for body in Body},
        )
        for colours, counts in sets.items()
    )


class _Sum:
    """A player's sums in the making."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.games = self.points = self.cards = self.turns = self.throws = 0
        self.wins = 0.0
        self.shapes: Counter[str] = Counter()
        self.lucky_games = 0
        self.lucky_turns: list[TurnLuck] = []
        self.course: list[float] = []

    def add(self, digest: Digest, seat: int, luck: tuple[TurnLuck, ...] | None) -> None:
        tally = digest.tallies[seat]
        self.games += 1
        if digest.winners is not None and seat in digest.winners:
            self.wins += 1 / len(digest.winners)
        self.points += digest.points[seat]
        self.cards += digest.cards[seat]
        self.turns += tally.turns
        self.throws += tally.throws
        self.shapes.update(tally.shapes)
        if luck:
            self.lucky_games += 1
            own = [turn for turn in luck if turn.seat == seat]
            self.lucky_turns += own
            self.course.append(sum(turn.luck for turn in own))

    def told(self) -> PlayerStatistics:
        return PlayerStatistics(
            name=self.name,
            games=self.games,
            wins=self.wins,
            points=self.points,
            cards=self.cards,
            turns=self.turns,
            throws=self.throws,
            won=self.shapes.total(),
            shapes=dict(self.shapes),
            luck=luck_sum(self.lucky_turns, self.lucky_games) if self.lucky_games else None,
            luck_course=tuple(reversed(self.course)),
        )


def luck_sum(turns: Sequence[TurnLuck], games: int = 1) -> LuckSum:
    """Sum up turns of one player."""
    decisions = [loss for turn in turns for loss in turn.decisions]
    return LuckSum(
        games=games,
        turns=len(turns),
        luck=sum(turn.luck for turn in turns),
        loss=sum(decisions),
        decisions=len(decisions),
        best_decisions=sum(loss <= NOTHING_LOST for loss in decisions),
    )
