"""The planning robot: plays each turn for the best chance to win the game."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from companion.coach.race import Standing, chance_of_winning, share_of_win
from companion.coach.robots import GreedyRobot, mean_points
from companion.game.cards import Action, Card
from companion.game.events import HOLDER_COUNT
from companion.game.judge import may_end_early
from companion.game.state import State


class PlanningRobot(GreedyRobot):
    """Wants the card after which the game is most likely won: cards left, opponents' counts, actions, ends.

    What a card is worth is the chance of winning the game with it, less the chance without any. That may be
    negative, for a card that ends the game for another. The exact odds then find the best play of the turn.
    """

    def worth(self, state: State) -> tuple[float, ...]:
        """Return by holder what winning its card adds to the chance of winning the game."""
        without = chance_of_winning(standing_of(state), state.seat, moves=False)
        return tuple(
            0.0 if card is None else self.chance_with(state, card) - without
            for card in (state.visible[holder] for holder in range(HOLDER_COUNT))
        )

    def ends_game(self, state: State, seat: int) -> bool:
        """See `Robot`."""
        share = share_of_win(state.points, seat)
        if not may_end_early(state, seat) or share == 0.0:
            return False
        return share >= chance_of_winning(standing_of(state), seat, moves=False)

    def draws_from(self, state: State, seats: Sequence[int]) -> int:
        """See `Robot`."""
        assert state.owed is not None
        standing, own = standing_of(state), state.hands[state.seat]
        steals = state.owed.action is Action.THEFT

        def chance(other: int) -> float:
            results = _after_theft if steals else _after_exchange
            return fmean(self._chance(state, after) for after in results(state, standing, own, other))

        return max(seats, key=lambda other: (chance(other), -other))

    def chance_with(self, state: State, card: Card) -> float:
        """Return the chance of winning the game once `card` is won and its action done."""
        seat = state.seat
        own = (*state.hands[seat], card)
        standing = standing_of(state).with_gain(seat, 1, card.points)
        others = [other for other, hand in enumerate(state.hands) if hand and other != seat]
        if card.action is Action.REPLAY:
            return self._chance(state, standing, moves=True)
        if card.action is None or not others:
            return self._chance(state, standing)
        if card.action is Action.SUPER_EXCHANGE:
            return self._chance(state, _after_super_exchange(state, standing, own, others))
        results = _after_theft if card.action is Action.THEFT else _after_exchange
        return max(
            fmean(self._chance(state, after) for after in results(state, standing, own, other))
            for other in others
        )

    def _chance(self, state: State, standing: Standing, *, moves: bool = False) -> float:
        """Return the chance after a card of the piles was won: the last one ends the game (rule 4.10)."""
        if sum(state.piles) == (1 if state.owed is None else 0):
            return share_of_win(standing.points, state.seat)
        return chance_of_winning(standing, state.seat, moves=moves)


def standing_of(state: State) -> Standing:
    """Return the cards and points in front of each player."""
    return Standing(tuple(map(len, state.hands)), state.points, state.limits)


def _after_theft(state: State, standing: Standing, own: Sequence[Card], victim: int) -> Iterable[Standing]:
    """Yield the standing for each card of the victim that may be drawn (rule 4.3)."""
    del own
    for drawn in state.hands[victim]:
        yield standing.with_gain(state.seat, 1, drawn.points).with_gain(victim, -1, -drawn.points)


def _after_exchange(state: State, standing: Standing, own: Sequence[Card], other: int) -> Iterable[Standing]:
    """Yield the standing for each card of `other` that may be drawn, the own least one given (rule 4.4)."""
    given = min(card.points for card in own)
    for drawn in state.hands[other]:
        gain = drawn.points - given
        yield standing.with_gain(state.seat, 0, gain).with_gain(other, 0, -gain)


def _after_super_exchange(
    state: State, standing: Standing, own: Sequence[Card], others: Iterable[int]
) -> Standing:
    """Return the standing after an exchange with each of `others`, all drawn cards being average ones."""
    held = sorted(float(card.points) for card in own)
    for other in others:
        drawn = mean_points(state.hands[other])
        gain = drawn - held[0]
        held = sorted((drawn, *held[1:]))
        standing = standing.with_gain(state.seat, 0, gain).with_gain(other, 0, -gain)
    return standing
