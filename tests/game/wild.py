"""Events by chance, allowed or not: what a careless reader or finger could send at any moment."""

from random import Random

from companion.bench.random_game import random_card, random_course, random_start
from companion.game.cards import Card
from companion.game.dice import BODY_COUNTS, Body, Change, Die
from companion.game.events import EndEarly, Event, Exchange, Pass, Reveal, Start, Steal, Take, Throw
from companion.game.state import State

__all__ = ["random_card", "random_course", "random_start", "small_start", "wild_event"]


def small_start(rng: Random) -> Start:
    """Return a start whose piles are small, sometimes empty, so that they are used up now and then."""
    start = random_start(rng)
    piles = (rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 4))
    colours = rng.choice((start.colours, ("A", "B", "C", "D", "E", "F")))
    return Start(start.players, start.first, piles, colours)


def wild_event(rng: Random, state: State) -> Event:
    """Return any well-formed event of this game, often one that the rules refuse now."""
    seat, holder = rng.randrange(len(state.players)), rng.randrange(3)
    match rng.randrange(12):
        case 0:
            return Start(state.players, 0)
        case 1:
            return Pass()
        case 2:
            return EndEarly(seat)
        case 3:
            return Reveal(holder, random_card(rng, state.colours))
        case 4 | 5:
            return Steal(seat, _card_of(rng, state, seat))
        case 6 | 7:
            return Exchange(seat, _card_of(rng, state, seat), _card_of(rng, state, state.seat))
        case 8:
            return Take(holder)
        case 9:
            return Take(holder, Change(rng.randrange(6), rng.choice(state.colours)))
        case _:
            return Throw(_dice(rng, state))


def _card_of(rng: Random, state: State, seat: int) -> Card:
    """Return mostly a card that the seat has, with its groups in another order."""
    if state.hands[seat] and rng.random() < 0.8:
        card = rng.choice(state.hands[seat])
        return Card(tuple(rng.sample(card.groups, len(card.groups))), card.points, card.action)
    return random_card(rng, state.colours)


def _dice(rng: Random, state: State) -> tuple[Die, ...]:
    bodies = [body for body, count in BODY_COUNTS.items() for _ in range(count)]
    if rng.random() < 0.1:
        bodies = rng.choices(tuple(Body), k=rng.choice((5, 6, 6, 7)))
    kept_share = rng.choice((0.0, 0.0, 0.3, 0.6, 1.0))
    dice = [Die(body, rng.choice(state.colours), rng.random() < kept_share) for body in bodies]
    if state.dice is not None and rng.random() < 0.8:
        # Dice as they lie, kept or thrown by chance; now and then one or two kept ones are misread.
        dice = [Die(die.body, die.colour, rng.random() < kept_share) for die in state.dice]
        dice = [die if die.kept else Die(die.body, rng.choice(state.colours)) for die in dice]
        for _ in range(rng.choice((0, 0, 1, 2))):
            index = rng.randrange(len(dice))
            dice[index] = Die(dice[index].body, rng.choice(state.colours), dice[index].kept)
    rng.shuffle(dice)
    return tuple(dice)
