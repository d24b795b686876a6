"""How many events a second the rules take, and how that grows with a record's length."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from time import perf_counter

from companion.bench import Figure
from companion.bench.random_game import random_course, random_start, random_throw
from companion.game.cards import Card, Group
from companion.game.decide import apply
from companion.game.dice import DEFAULT_COLOURS
from companion.game.events import HOLDER_COUNT, Event, Reveal
from companion.game.record import print_line
from companion.game.replay import replay, standings_json
from companion.game.state import State

NAME = "rules"
HELP = "replaying records, from a line of text to the standings it prints"

SHORT, LONG = 1_000, 10_000
#: Time may grow as the record does; so much more is within what timing can tell.
GROWTH_LIMIT = 1.3
ROUNDS = 5


def run() -> list[Figure]:
    """Time whole ordinary games one after another, then one endless game, 1,000 and 10,000 events of it."""
    rng = Random(1)
    games = [list(map(print_line, random_course(rng, random_start(rng)))) for _ in range(20)]
    game_events = sum(map(len, games))
    games_s = min(sum(replaying_s(game) for game in games) for _ in range(ROUNDS))

    long = [print_line(event) for event in endless_game(rng, LONG)]
    short_s, long_s = [], []
    for _ in range(ROUNDS):  # in turn, so that a slow moment of the machine meets both
        short_s.append(replaying_s(long[:SHORT]))
        long_s.append(replaying_s(long))
    growth = min(long_s) / min(short_s)
    return [
        Figure("events a second in whole games", game_events / games_s, "1/s"),
        Figure(f"events a second in a record of {LONG:,}", LONG / min(long_s), "1/s"),
        Figure(f"time for {LONG:,} events over time for {SHORT:,}", growth, "×"),
        Figure("the same over the growth of the record", growth / (LONG / SHORT), "×", GROWTH_LIMIT),
    ]


def replaying_s(lines: list[str]) -> float:
    """Return the seconds it takes to replay the record and to write what `replay --json` prints."""
    begun_s = perf_counter()
    for step in replay(lines):
        json.dumps(standings_json(step.state))
    return perf_counter() - begun_s


def endless_game(rng: Random, length: int) -> Iterator[Event]:
    """Yield a game of `length` events that nobody wins: what the dice would make is always corrected away.

    Any other record of this length ends before: the game ends with the tenth card of a player.
    """
    start = random_start(rng)
    yield start
    state = apply(None, start)
    for number in range(1, length):
        event = _next(rng, state, number)
        yield event
        state = apply(state, event)


def _next(rng: Random, state: State, number: int) -> Event:
    if state.unknown_holders:
        return Reveal(state.unknown_holders[0], _hard_card(rng))
    if state.throw_number == 3 or number % 50 == 0:
        return Reveal(rng.randrange(HOLDER_COUNT), _hard_card(rng))
    return random_throw(rng, state)


def _hard_card(rng: Random) -> Card:
    return Card((Group(rng.choice((5, 6)), rng.choice(DEFAULT_COLOURS)),), rng.randint(5, 6))
