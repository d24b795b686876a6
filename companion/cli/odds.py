"""`companion odds`: the exact odds of a turn, from a position on standard input."""

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from companion.cli.faults import Fault
from companion.coach.odds import Odds, odds
from companion.coach.position import Position
from companion.game.dice import DEFAULT_COLOURS
from companion.game.events import HOLDER_COUNT
from companion.game.record import BadLine, card_from_json, change_to_json, die_from_json

HELP = "work out the exact odds of a turn"

EXAMPLE = (
    '{"cards": [{"groups": [[3, null]], "points": 1, "action": null}, null, null], "dice": null, "throw": 0}'
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = (
        "The position is one JSON object on standard input: the three cards, the holders whose card is\n"
        "lost, the dice as they lie (null before the first throw), and how many throws are made.\n\n"
        "For instance:\n"
        f"  echo '{EXAMPLE}' | companion odds"
    )
    parser.add_argument("--json", action="store_true", help="print the answer as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Answer the position on standard input."""
    position = _position(_read())
    answer = odds(position)
    print(json.dumps(answer_to_json(answer)) if args.json else _told(position, answer))
    return 0


def answer_to_json(answer: Odds) -> dict[str, Any]:
    """Turn the odds into their JSON object."""
    return {
        "chance": list(answer.chance),
        "any": answer.any,
        "points": answer.points,
        "keep": None if answer.keep is None else list(answer.keep),
        "change": change_to_json(answer.change),
        "take": answer.take,
    }


def _read() -> Mapping[str, Any]:
    try:
        data = json.loads(sys.stdin.read())
    except (ValueError, RecursionError) as error:
        raise Fault(
            f"standard input is not one JSON object ({error}); see `companion odds --help`."
        ) from error
    if not isinstance(data, dict):
        raise Fault("standard input must hold one JSON object, the position; see `companion odds --help`.")
    return data


def _position(data: Mapping[str, Any]) -> Position:
    try:
        cards = data.get("cards")
        if not isinstance(cards, list):
            raise BadLine('"cards" must be a list of three cards, null for an empty holder')
        colours = data.get("colours", list(DEFAULT_COLOURS))
        if not isinstance(colours, list) or len(set(map(str, colours))) != len(DEFAULT_COLOURS):
            raise BadLine('"colours" must be six different names')
        names = tuple(str(colour) for colour in colours)
        raw_dice = data.get("dice")
        if raw_dice is not None and not isinstance(raw_dice, list):
            raise BadLine('"dice" must be null or a list of six dice')
        inherited = data.get("inherited", False)
        if not isinstance(inherited, bool):
            raise BadLine('"inherited" must be true or false')
        return Position(
            cards=tuple(None if card is None else card_from_json(card, names) for card in cards),
            lost=_lost(data.get("lost", [])),
            dice=None if raw_dice is None else tuple(die_from_json(die, names) for die in raw_dice),
            throw=_throw(data.get("throw", 0)),
            inherited=inherited,
            colours=names,
        )
    except ValueError as error:
        raise Fault(f"not a position: {error}; see `companion odds --help`.") from error


def _lost(value: object) -> frozenset[int]:
    if not isinstance(value, list) or any(type(h) is not int or not 0 <= h < HOLDER_COUNT for h in value):
        raise BadLine(f'"lost" must be a list of holders, 0 to {HOLDER_COUNT - 1}')
    return frozenset(value)


def _throw(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadLine('"throw" must be a whole number, the throws made')
    return value


def _told(position: Position, answer: Odds) -> str:
    lines = []
    for holder, card in enumerate(position.cards):
        if card is None:
            lines.append(f"holder {holder}: no card")
        else:
            groups = " + ".join(f"{group.size} {group.colour or 'alike'}" for group in card.groups)
            lost = ", lost this turn" if holder in position.lost else ""
            lines.append(
                f"holder {holder}: {answer.chance[holder]:7.2%}  {groups} ({card.points} points{lost})"
            )
    lines.append(f"any card: {answer.any:7.2%}")
    lines.append(f"expected points: {answer.points:.3f}")
    lines.append(f"best for points: {_move(position, answer)}")
    return "\n".join(lines)


def _move(position: Position, answer: Odds) -> str:
    change = ""
    if answer.change is not None and position.dice is not None:
        die = position.dice[answer.change.die]
        change = f"turn the {die.body} {die.colour} die to {answer.change.colour}, then "
    if answer.take is not None:
        return f"{change}take the card of holder {answer.take}"
    if answer.keep is None:
        return "the turn is over"
    if not answer.keep or position.dice is None:
        return "throw all six dice"
    dice = (position.dice[i] for i in answer.keep)
    return f"{change}keep " + ", ".join(f"{die.body} {die.colour}" for die in dice) + " and throw the rest"
