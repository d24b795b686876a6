"""Random legal play: whole courses of the game, quickly made, to measure with."""

from collections.abc import Iterator
from random import Random

from companion.game.cards import SHAPES, Action, Card, Group, useful_changes
from companion.game.decide import apply
from companion.game.dice import DEFAULT_COLOURS, Body, Die
from companion.game.events import (
    HOLDER_COUNT,
    EndEarly,
    Event,
    Exchange,
    Pass,
    Reveal,
    Start,
    Steal,
    Take,
    Throw,
)
from companion.game.judge import Light, lights, may_end_early, may_pass
from companion.game.state import LAST_THROW, Stage, State

BODIES = (Body.WHITE,) * 4 + (Body.BLACK,) * 2


def random_start(rng: Random, player_count: int | None = None) -> Start:
    """Return the start of a game with `player_count` players, by default 2 to 6."""
    count = player_count or rng.randint(2, 6)
    return Start(("Ana", "Ben", "Chloe", "Dan", "Eve", "Finn")[:count], rng.randrange(count))


def random_card(rng: Random, colours: tuple[str, ...] = DEFAULT_COLOURS) -> Card:
    """Return a card of one of the eight shapes, free, named or mixed, every second one with an action."""
    sizes = rng.choice(tuple(SHAPES))
    named_share = rng.choice((0.0, 0.0, 0.5, 1.0))
    groups = tuple(Group(size, rng.choice(colours) if rng.random() < named_share else None) for size in sizes)
    return Card(groups, rng.randint(1, 6), rng.choice((None, None, None, None, *Action)))


def random_course(rng: Random, start: Start) -> Iterator[Event]:
    """Yield the events of a whole game, from `start` to its end."""
    event: Event | None = start
    state: State | None = None
    while event is not None:
        yield event
        state = apply(state, event)
        event = next_event(rng, state)


def next_event(rng: Random, state: State) -> Event | None:
    """Return an event that the rules allow now, by chance; None once the game is over."""
    if state.stage is Stage.OVER:
        return None
    if state.unknown_holders and (state.stage is Stage.THROW or rng.random() < 0.5):
        return Reveal(rng.choice(state.unknown_holders), random_card(rng, state.colours))
    with_cards = [holder for holder in range(HOLDER_COUNT) if state.piles[holder]]
    if with_cards and rng.random() < 0.02:
        return Reveal(rng.choice(with_cards), random_card(rng, state.colours))
    if state.stage is Stage.ACTION:
        return _action(rng, state)
    if state.stage is Stage.DECIDE:
        return _decision(rng, state)
    ender = state.may_end_seat
    if ender is not None and may_end_early(state, ender) and rng.random() < 0.1:
        return EndEarly(ender)
    return random_throw(rng, state)


def random_throw(rng: Random, state: State) -> Throw:
    """Return the next throw, some dice kept where any lie there, one changed where that is allowed."""
    bodies = BODIES if state.dice is None else tuple(die.body for die in state.dice)
    dice = [Die(body, rng.choice(state.colours)) for body in bodies]
    if state.dice is None:
        return Throw(tuple(dice))
    kept = _kept(rng, state.dice)
    for index in kept:
        dice[index] = Die(state.dice[index].body, state.dice[index].colour, kept=True)
    if kept and state.change_open and rng.random() < 0.5:
        index = rng.choice(kept)
        dice[index] = Die(dice[index].body, rng.choice(state.colours), kept=True)
    rng.shuffle(dice)
    return Throw(tuple(dice))


def _kept(rng: Random, lying: tuple[Die, ...]) -> list[int]:
    """Return which dice to keep, none to five: mostly those of the commonest colour."""
    if rng.random() < 0.7:
        showing = [die.colour for die in lying]
        best = max(showing, key=showing.count)
        return [index for index, colour in enumerate(showing) if colour == best][:5]
    return rng.sample(range(len(lying)), rng.randint(0, 5))


def _decision(rng: Random, state: State) -> Event:
    shown = lights(state)
    lit = [holder for holder, light in enumerate(shown) if light is not None]
    if may_pass(state) and rng.random() < 0.3:
        return Pass()
    if lit and (state.throw_number == LAST_THROW or rng.random() < 0.7):
        holder = rng.choice(lit)
        card = state.visible[holder]
        if shown[holder] is Light.CHANGE and card is not None and state.dice is not None:
            return Take(holder, rng.choice(useful_changes(card, state.dice, state.colours)))
        return Take(holder)
    return random_throw(rng, state)


def _action(rng: Random, state: State) -> Event:
    assert state.owed is not None
    in_order = state.owed.action is Action.SUPER_EXCHANGE
    seat = state.owed.seats[0] if in_order else rng.choice(state.owed.seats)
    drawn = rng.choice(state.hands[seat])
    if state.owed.action is Action.THEFT:
        return Steal(seat, drawn)
    return Exchange(seat, drawn, rng.choice(state.hands[state.seat]))
