"""What one game shows: its length and end, points, turns, and how often each rule came into play."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from companion.game.cards import Action
from companion.game.decide import apply
from companion.game.dice import kept_dice_that_differ
from companion.game.events import EndEarly, Event, Exchange, Pass, Start, Steal, Take, Throw
from companion.game.judge import takeable_holders
from companion.game.state import Ending, Stage, State
from companion.selfplay.game import PlayedGame

RULES = (
    "3.3 dice set aside before are thrown again",
    "3.4 a card is lost by throwing again",
    "3.5 a turn ends without a card",
    "3.5 a card is declined that needs the change",
    "3.6 a card is taken",
    "3.8 dice are inherited",
    "3.8 dice are not inherited, all six thrown",
    "4.2 replay",
    "4.3 theft",
    "4.4 exchange",
    "4.5 super exchange",
    "4.6 an action with nobody to apply it to",
    "4.7 the game ends by cards enough",
    "4.8 a replay card ends the game",
    "4.9 the game is ended by choice",
    "4.10 the game ends with the piles",
    "4.10 one pile is used up, the game goes on",
    "4.11 a win is shared",
    "5.1 both black dice alike: a change",
    "5.2 the change makes a card",
    "5.2 a changed die is kept",
    "5.2 the change is gone unused",
    "5.3 another change in the same turn",
)
"""The rules that dice and choices bring into play, by their numbers; section 6 is about readings."""

_ACTIONS = {
    Action.REPLAY: "4.2 replay",
    Action.THEFT: "4.3 theft",
    Action.EXCHANGE: "4.4 exchange",
    Action.SUPER_EXCHANGE: "4.5 super exchange",
}
_ENDINGS = {
    Ending.CARDS: "4.7 the game ends by cards enough",
    Ending.CHOICE: "4.9 the game is ended by choice",
    Ending.PILES: "4.10 the game ends with the piles",
}


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One finished game in figures."""

    robots: tuple[str, ...]
    """The robots' names by seat."""
    first: int
    """The seat that began."""
    throws: int
    points: tuple[int, ...]
    """By seat."""
    winners: tuple[int, ...]
    turn_points: tuple[int, ...]
    """Of each turn, the points of the card won, or -1 for none; in order."""
    rules: tuple[tuple[str, int], ...]
    """How often each of `RULES` came into play, those that did."""

    @property
    def turns(self) -> int:
        """How many turns were played, a replay's counted by itself."""
        return len(self.turn_points)

    def share_of_win(self, seat: int) -> float:
        """Return the part of the win that is the seat's (rule 4.11)."""
        return 1.0 / len(self.winners) if seat in self.winners else 0.0


def figures_of(played: PlayedGame, robots: tuple[str, ...]) -> GameFigures:
    """Count one finished game among the robots of these names."""
    start, *later = played.events
    assert isinstance(start, Start)
    before, state = None, apply(None, start)
    changes = 0
    turn_points: list[int] = []
    rules: Counter[str] = Counter()
    for event in later:
        before, state = state, apply(state, event)
        rules.update(_rules_at(before, event, state))
        changes = 0 if state.throw_number == 0 else changes + (isinstance(event, Throw) and state.change_open)
        rules["5.3 another change in the same turn"] += isinstance(event, Throw) and changes > 1
        if isinstance(event, Take):
            card = before.visible[event.holder]
            turn_points.append(0 if card is None else card.points)
        elif _ends_without_card(before, state):
            turn_points.append(-1)
    assert state.winners is not None
    assert state.ending is not None
    rules[_ENDINGS[state.ending]] += 1
    rules["4.11 a win is shared"] += len(state.winners) > 1
    return GameFigures(
        robots=robots,
        first=start.first,
        throws=sum(isinstance(event, Throw) for event in later),
        points=state.points,
        winners=state.winners,
        turn_points=tuple(turn_points),
        rules=tuple((rule, rules[rule]) for rule in RULES if rules[rule]),
    )


def _ends_without_card(before: State, after: State) -> bool:
    return (
        before.stage is Stage.DECIDE and after.stage is Stage.THROW and sum(before.piles) == sum(after.piles)
    )


def _rules_at(before: State, event: Event, after: State) -> Iterator[str]:
    if before.change_open and isinstance(event, Take | Throw | Pass):
        yield _use_of_change(before, event)
    if _ends_without_card(before, after):
        yield "3.5 a turn ends without a card"
    match event:
        case Throw():
            yield from _rules_at_throw(before, event, after)
        case Pass():
            yield "3.5 a card is declined that needs the change"
        case Take():
            yield from _rules_at_take(before, event, after)
        case Steal() | Exchange() | EndEarly():
            pass  # counted with the card that set them off, and with the game's end


def _use_of_change(before: State, event: Take | Throw | Pass) -> str:
    if isinstance(event, Take) and event.change is not None:
        return "5.2 the change makes a card"
    if isinstance(event, Throw) and kept_dice_that_differ(before.dice or (), event.dice):
        return "5.2 a changed die is kept"
    return "5.2 the change is gone unused"


def _rules_at_throw(before: State, event: Throw, after: State) -> Iterator[str]:
    kept = sum(die.kept for die in event.dice)
    if before.throw_number and takeable_holders(before):
        yield "3.4 a card is lost by throwing again"
    if before.inherited_dice is not None:
        yield "3.8 dice are inherited" if kept else "3.8 dice are not inherited, all six thrown"
    elif kept < sum(die.kept for die in before.dice or ()):
        yield "3.3 dice set aside before are thrown again"
    if after.change_open:
        yield "5.1 both black dice alike: a change"


def _rules_at_take(before: State, event: Take, after: State) -> Iterator[str]:
    yield "3.6 a card is taken"
    if after.piles[event.holder] == 0 and any(after.piles):
        yield "4.10 one pile is used up, the game goes on"
    card = before.visible[event.holder]
    if card is None or card.action is None:
        return
    yield _ACTIONS[card.action]
    if card.action is Action.REPLAY and after.stage is Stage.OVER:
        yield "4.8 a replay card ends the game"
    if card.action is not Action.REPLAY and after.owed is None:
        yield "4.6 an action with nobody to apply it to"
