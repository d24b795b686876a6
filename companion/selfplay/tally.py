"""What many games have in common: lengths, scores, who wins, how often each rule comes into play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from companion.game.decide import apply
from companion.game.dice import kept_dice_that_differ
from companion.game.events import EndEarly, Exchange, Start, Steal, Take, Throw
from companion.game.judge import takeable_holders
from companion.game.state import Stage, State
from companion.selfplay.game import PlayedGame


@dataclass(slots=True)
class Tally:
    """Counts over games; add games with `add`, other tallies with `merge`."""

    games: int = 0
    turns: list[int] = field(default_factory=list)
    throws: list[int] = field(default_factory=list)
    scores: list[tuple[int, ...]] = field(default_factory=list)
    """Points by seat."""
    wins: Counter[int] = field(default_factory=Counter)
    """By seat counted from the first player; a shared win counts for each."""
    wins_by_seat: Counter[int] = field(default_factory=Counter)
    shared_wins: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    """How often each rule came into play, by its name."""

    def add(self, played: PlayedGame) -> None:
        """Count one game in."""
        state: State | None = None
        turns = throws = 0
        for event in played.events:
            before, state = state, apply(state, event)
            if before is not None:
                self.rules.update(_rules_at(before, event, state))
                turns += before.stage is not Stage.THROW and state.stage in (Stage.THROW, Stage.OVER)
            throws += isinstance(event, Throw)
        winners = played.state.winners
        start = played.events[0]
        assert winners is not None and isinstance(start, Start) and played.state.ending is not None
        self.games += 1
        self.turns.append(turns)
        self.throws.append(throws)
        self.scores.append(played.state.points)
        self.wins.update((seat - start.first) % len(start.players) for seat in winners)
        self.wins_by_seat.update(winners)
        self.shared_wins += len(winners) > 1
        self.rules[f"end: {played.state.ending.value}"] += 1

    def merge(self, other: Tally) -> None:
        """Count the games of another tally in."""
        self.games += other.games
        self.turns += other.turns
        self.throws += other.throws
        self.scores += other.scores
        self.wins += other.wins
        self.wins_by_seat += other.wins_by_seat
        self.shared_wins += other.shared_wins
        self.rules += other.rules

    def to_json(self) -> dict[str, Any]:
        """Return the summary's figures."""
        return {
            "games": self.games,
            "turns_mean": _mean(self.turns),
            "throws_mean": _mean(self.throws),
            "points_mean_by_seat": [_mean(points) for points in zip(*self.scores, strict=True)],
            "win_share_from_first_player": _shares(self.wins, self.games),
            "win_share_by_seat": _shares(self.wins_by_seat, self.games),
            "shared_wins": self.shared_wins,
            "rules": dict(sorted(self.rules.items())),
        }


def _rules_at(before: State, event: object, after: State) -> Iterable[str]:
    match event:
        case Throw():
            if before.throw_number and takeable_holders(before):
                yield "card lost by throwing again (3.4)"
            if before.inherited_dice is not None and any(die.kept for die in event.dice):
                yield "dice inherited (3.8)"
            if before.inherited_dice is not None and not any(die.kept for die in event.dice):
                yield "dice not inherited, all thrown (3.8)"
            if before.change_open and kept_dice_that_differ(before.dice or (), event.dice):
                yield "change kept (5.2)"
            if any(die.kept for die in before.dice or ()) and _fewer_kept(before, event):
                yield "kept dice thrown again (3.3)"
            if after.throw_number == 0:
                yield "turn without a card (3.5)"
            if after.change_open:
                yield "change given (5.1)"
        case Take():
            yield "card taken (3.6)"
            if event.change is not None:
                yield "change used to take (5.2)"
            card = before.visible[event.holder]
            if card is not None and card.action is not None:
                idle = after.owed is None and card.action.value != "replay"
                yield f"{card.action.value}{' with nobody to apply it to (4.6)' if idle else ''}"
        case Steal():
            yield "card stolen (4.3)"
        case Exchange():
            yield "cards exchanged (4.4, 4.5)"
        case EndEarly():
            yield "ended early (4.9)"


def _fewer_kept(before: State, event: Throw) -> bool:
    return sum(die.kept for die in event.dice) < sum(die.kept for die in before.dice or ())


def _mean(values: Iterable[int]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0


def _shares(counts: Counter[int], total: int) -> dict[str, float]:
    return {str(key): counts[key] / total for key in sorted(counts)} if total else {}
