"""Replaying a game record line by line, stopping at the first line that the rules refuse or that is none."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.game.decide import apply
from companion.game.events import Event
from companion.game.fields import one_line
from companion.game.judge import lights
from companion.game.record import BadLine, read_events
from companion.game.refusal import Refused
from companion.game.state import State


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a record: its number from 1, its event, and the state after it."""

    line: int
    event: Event
    state: State


class Stopped(ValueError):
    """A replay that can not go on; its text is one line, `line N: code: sentence`.

    Attributes:
        line: the number of the line that stopped it, from 1.
        code: a refusal's code, or `bad_line`.
        sentence: what is wrong, for a person.
        refused: whether the rules refused it; else the line is no event at all.
    """

    def __init__(self, line: int, code: str, sentence: str, *, refused: bool) -> None:
        self.sentence = one_line(sentence)  # names come from the record and may hold anything
        super().__init__(f"line {line}: {code}: {self.sentence}")
        self.line = line
        self.code = code
        self.refused = refused


def replay(lines: Iterable[str | bytes]) -> Iterator[Step]:
    """Yield a step for each line of a record; empty lines are passed over.

    Raises:
        Stopped: the rules refuse a line, or it is no event.
    """
    state: State | None = None
    try:
        for number, event in read_events(lines):
            try:
                state = apply(state, event)
            except Refused as error:
                raise Stopped(number, error.code, error.sentence, refused=True) from error
            yield Step(number, event, state)
    except BadLine as error:
        raise Stopped(error.line or 0, BadLine.CODE, error.sentence, refused=False) from error


def standings_json(state: State) -> dict[str, object]:
    """Return what scripts are told of a state: one JSON object, as documented with the game record."""
    return {
        "over": state.to_play is None,
        "to_play": state.to_play,
        "cards": [len(hand) for hand in state.hands],
        "points": list(state.points),
        "winners": None if state.winners is None else list(state.winners),
        "lights": [None if light is None else str(light) for light in lights(state)],
    }
