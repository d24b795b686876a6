"""What looking at the three holders costs beside reading the dice of the same frame, few or many cards known.

Both are timed in turn on one thread, so that the ratio says the same on a fast and on a slow machine, and so
that neither finds the processor's caches as it left them. Times are the processor's: other programs that want
it meanwhile do not count. The table and its cards are simulated; the known cards' looks are their drawings.
"""

from __future__ import annotations

from itertools import product
from time import process_time

from companion.bench import Figure
from companion.bench.vision import one_thread
from companion.devices.simulated.drawn_deck import drawn_look
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.table import SimulatedTable
from companion.game.cards import SHAPES, Action, Card, Group
from companion.game.dice import DEFAULT_COLOURS
from companion.vision.card_look import CardLook
from companion.vision.card_match import KnownCard
from companion.vision.card_reader import CardReader
from companion.vision.geometry import Image
from companion.vision.profile import Profile
from companion.vision.read import read_picture

NAME = "cards"
HELP = "looking at the three holders against one reading of the dice in the same frame, on one thread"

#: Looking at the holders may cost as much as one reading.
COST_LIMIT = 1.0
COUNTS = (45, 500)
_ROUNDS = 15


def run() -> list[Figure]:
    """Cost in milliseconds and as a ratio, for each number of known cards; and of three new cards."""
    table = SimulatedTable(seed=1, pose=Pose(width_px=1640, height_px=1232))
    profile = table.calibrated()
    table.throw(everything=True)
    known = known_cards(max(COUNTS))
    shown = known[0].card, known[20].card, known[44].card
    table.show_cards(shown)
    frame = table.picture()[1]
    figures = []
    costs_s: list[float] = []
    with one_thread():
        for count in COUNTS:
            reader = CardReader(profile, known[:count])
            right = sum(reading.card == card for reading, card in zip(reader.read(frame), shown, strict=True))
            cards_s, dice_s = cards_and_dice_s(frame, reader, profile)
            costs_s.append(cards_s)
            figures += [
                Figure(f"three holders, {count} known cards", cards_s * 1e3, "ms"),
                Figure("the same over one reading of the dice", cards_s / dice_s, "×", COST_LIMIT),
                Figure("of the three cards, not recognised", 3 - right, "", 0),
            ]
        figures.append(
            Figure(f"growth of cost from {COUNTS[0]} to {COUNTS[1]}", costs_s[1] / costs_s[0], "×")
        )
        nothing = CardReader(profile)
        new_s, dice_s = cards_and_dice_s(frame, nothing, profile)
        figures.append(Figure("three new cards and their guesses over one reading", new_s / dice_s, "×"))
    return figures


def cards_and_dice_s(
    frame: Image, reader: CardReader, profile: Profile, rounds: int = _ROUNDS
) -> tuple[float, float]:
    """Least times of looking at the holders and of reading the dice, taken in turn."""
    cards, dice = [], []
    for _ in range(rounds):
        start = process_time()
        reader.read(frame)
        middle = process_time()
        read_picture(frame, profile)
        cards.append(middle - start)
        dice.append(process_time() - middle)
    return min(cards), min(dice)


def known_cards(count: int) -> list[KnownCard]:
    """So many cards with their drawings as looks, look-alikes among them, but no two drawn the same."""
    actions = (None, *Action)
    fillings = [(None, None, None), *((first, *_others(first)) for first in DEFAULT_COLOURS)]
    cards = (
        Card(tuple(Group(size, colour) for size, colour in zip(sizes, colours, strict=False)), points, action)
        for points, colours, sizes, action in product(range(1, 7), fillings, SHAPES, actions)
    )
    looks: dict[CardLook, Card] = {}
    for card in cards:
        looks.setdefault(drawn_look(card), card)
        if len(looks) == count:
            break
    return [KnownCard(card, (look,)) for look, card in looks.items()]


def _others(first: str) -> tuple[str, str]:
    at = DEFAULT_COLOURS.index(first)
    return DEFAULT_COLOURS[(at + 2) % 6], DEFAULT_COLOURS[(at + 4) % 6]
