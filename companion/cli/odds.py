"""`companion odds`: the exact odds of a turn, from a position on standard input."""

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from companion.cli.faults import Fault
from companion.coach.odds import Odds, odds
from companion.coach.position import Position
from companion.game.events import HOLDER_COUNT
from companion.game.fields import BadLine, colours_field, field_of, index_field, is_whole, json_object
from companion.game.record import card_from_json, die_from_json
from companion.game.state import LAST_THROW

HELP = "work out the exact odds of a turn"

EXIT_REFUSED = 2
SEE_HELP = "see `companion odds --help`"

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
        f"  echo '{EXAMPLE}' | companion odds\n\n"
        "exit status: 0 answered; 2 no turn comes to such a position; 3 the input is no position at all"
    )
    parser.add_argument("--json", action="store_true", help="print the answer as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Answer the position on standard input."""
    try:
        position = _position(_read())
    except ValueError as error:
        print(f"companion: no turn comes to this position: {error}; {SEE_HELP}.", file=sys.stderr)
        return EXIT_REFUSED
    answer = odds(position)
    print(json.dumps(answer.to_json()) if args.json else _told(position, answer))
    return 0


def _read() -> Mapping[str, Any]:
    try:
        return json_object(json.loads(sys.stdin.buffer.read().decode("utf-8-sig")), "the position")
    except BadLine as error:
        raise Fault(f"not a position: {error}; {SEE_HELP}.") from error
    except (ValueError, RecursionError) as error:
        raise Fault(f"standard input is not one JSON object ({error}); {SEE_HELP}.") from error


def _position(data: Mapping[str, Any]) -> Position:
    """Read the position; what is ill-formed is a Fault, what no turn can come to a ValueError."""
    try:
        colours = colours_field(data)
        cards = field_of(data, "cards")
        if not isinstance(cards, list) or len(cards) != HOLDER_COUNT:
            raise BadLine(f'"cards" must be a list of {HOLDER_COUNT} cards, null for an empty holder')
        dice = data.get("dice")
        if dice is not None and not isinstance(dice, list):
            raise BadLine('"dice" must be a list of six dice, or null before the first throw')
        inherited = data.get("inherited", False)
        if not isinstance(inherited, bool):
            raise BadLine('"inherited" must be true or false')
        lost = _lost(data.get("lost", []))
        throw = index_field({"throw": 0, **data}, "throw", LAST_THROW + 1)
        known_cards = tuple(None if card is None else card_from_json(card, colours) for card in cards)
        lying = None if dice is None else tuple(die_from_json(die, colours) for die in dice)
    except BadLine as error:
        raise Fault(f"not a position: {error}; {SEE_HELP}.") from error
    return Position(known_cards, lost, lying, throw, inherited, colours)


def _lost(value: object) -> frozenset[int]:
    if not isinstance(value, list) or not all(is_whole(h) and 0 <= h < HOLDER_COUNT for h in value):
        raise BadLine(f'"lost" must be a list of holders, 0 to {HOLDER_COUNT - 1}')
    return frozenset(value)


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
