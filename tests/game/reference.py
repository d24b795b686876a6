"""The rules a second time, for comparison: one flat game on plain dicts, written from the rules' text alone.

Nothing here is shared with `companion.game`: lines are decoded JSON objects, cards are compared by a
sorted copy, and a combination is tried by laying the six dice in every order.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Any

Json = dict[str, Any]

SIX = ["red", "orange", "yellow", "green", "blue", "purple"]
LIMITS = {2: (10, 7), 3: (8, 5), 4: (6, 4), 5: (6, 4), 6: (6, 4)}


class No(Exception):
    """The reference refuses; its code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@cache
def orders(colours: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return every order in which the dice can be laid in a row."""
    return frozenset(permutations(colours))


@cache
def laid_out(groups: tuple[tuple[int, str | None], ...], colours: tuple[str, ...]) -> bool:
    """Tell whether in some order the first dice are the first group, the next the second, and so on."""
    for row in orders(colours):
        at = 0
        for size, colour in groups:
            part = row[at : at + size]
            at += size
            if len(part) < size or any(c != (colour or part[0]) for c in part):
                break
        else:
            return True
    return False


def brute_force(groups: Sequence[Sequence[Any]], colours: Sequence[str]) -> bool:
    """Tell whether dice of these colours make these groups, by trying every assignment."""
    return laid_out(tuple((size, colour) for size, colour in groups), tuple(sorted(colours)))


def same(card: Json) -> tuple[Any, ...]:
    """Return something equal for cards that are the same card."""
    return sorted([size, colour or ""] for size, colour in card["groups"]), card["points"], card["action"]


def take_out(hand: list[Json], card: Json) -> None:
    """Remove one card like `card` from `hand`, or refuse."""
    for i, mine in enumerate(hand):
        if same(mine) == same(card):
            del hand[i]
            return
    raise No("no_such_card")


class Reference:
    """A game in progress; `play` one line after the other, `shown` says what a replay prints."""

    def __init__(self) -> None:
        self.started = False
        self.over = False

    def play(self, line: Json) -> None:
        """Do what the line says, or raise No and leave everything as it is."""
        kind = line["type"]
        if not self.started:
            if kind != "start":
                raise No("wrong_stage")
            self.start(line)
            return
        if self.over:
            raise No("game_over")
        if kind == "start":
            raise No("wrong_stage")
        getattr(self, kind)(line)

    def start(self, line: Json) -> None:
        self.started = True
        self.n = len(line["players"])
        self.colours = line.get("colours", SIX)
        self.left = list(line.get("piles", [15, 15, 15]))
        self.up: list[Json | None] = [None, None, None]
        self.cards: list[list[Json]] = [[] for _ in range(self.n)]
        self.mover = line["first"]
        self.done = 0  # throws made this turn
        self.lying: list[Json] | None = None
        self.gone: set[int] = set()  # lost holders
        self.todo: list[int] = []  # seats of an action under way
        self.action: str | None = None
        self.closer: int | None = None  # whose turn has just ended
        self.check_end()

    def twins(self) -> bool:
        """Tell whether the throw that lies there gives a change."""
        if not self.done or self.lying is None or self.action:
            return False
        one, two = (die for die in self.lying if die["body"] == "black")
        return one["colour"] == two["colour"] and not one["kept"] and not two["kept"]

    def light(self, holder: int) -> str | None:
        card = self.up[holder]
        if self.over or self.action or not self.done or card is None or holder in self.gone:
            return None
        assert self.lying is not None
        colours = [die["colour"] for die in self.lying]
        if brute_force(card["groups"], colours):
            return "yes"
        if self.twins():
            for i in range(6):
                for colour in self.colours:
                    if brute_force(card["groups"], [*colours[:i], colour, *colours[i + 1 :]]):
                        return "change"
        return None

    def lit(self) -> set[int]:
        return {h for h in range(3) if self.light(h)}

    def reveal(self, line: Json) -> None:
        if not self.left[line["holder"]]:
            raise No("pile_empty")
        self.up[line["holder"]] = line["card"]
        self.gone.discard(line["holder"])
        if self.done == 3 and not self.lit():
            self.next_turn()

    def throw(self, line: Json) -> None:
        dice = line["dice"]
        if self.action:
            raise No("wrong_stage")
        if self.done == 3:
            raise No("no_throw_left")
        if sorted(die["body"] for die in dice) != ["black"] * 2 + ["white"] * 4:
            raise No("wrong_dice")
        kept = [(die["body"], die["colour"]) for die in dice if die["kept"]]
        if len(kept) == 6:
            raise No("nothing_thrown")
        if kept:
            if self.lying is None:
                raise No("all_dice_needed")
            before = [(die["body"], die["colour"]) for die in self.lying]
            strange = 0
            for die in kept:
                if die in before:
                    before.remove(die)
                else:
                    strange += 1
            if strange > int(self.twins()):
                raise No("kept_die_differs")
        if any(self.left[h] and self.up[h] is None for h in range(3)):
            raise No("card_unknown")
        if self.done:
            self.gone |= self.lit()
            self.done += 1
        else:
            self.done = 2 if kept else 1
        self.lying = dice
        self.closer = None
        if self.done == 3 and not self.lit():
            self.next_turn()

    def take(self, line: Json) -> None:
        if self.action or not self.done:
            raise No("wrong_stage")
        assert self.lying is not None
        holder, change = line["holder"], line["change"]
        card = self.up[holder]
        if card is None or holder in self.gone:
            raise No("not_available")
        colours = [die["colour"] for die in self.lying]
        if change:
            if not self.twins():
                raise No("change_not_allowed")
            colours[change["die"]] = change["colour"]
        if not brute_force(card["groups"], colours):
            raise No("not_made")
        self.up[holder] = None
        self.left[holder] -= 1
        self.cards[self.mover].append(card)
        self.done, self.lying, self.gone = 0, None, set()
        others = [(self.mover + k) % self.n for k in range(1, self.n)]
        others = [seat for seat in others if self.cards[seat]]
        if card["action"] == "replay":
            self.check_end()
        elif card["action"] and others:
            self.action, self.todo = card["action"], others
        else:
            self.next_turn()

    def steal(self, line: Json) -> None:
        if self.action != "theft":
            raise No("wrong_stage")
        if line["victim"] not in self.todo:
            raise No("no_such_seat")
        take_out(self.cards[line["victim"]], line["card"])
        self.cards[self.mover].append(line["card"])
        self.next_turn()

    def exchange(self, line: Json) -> None:
        if self.action not in ("exchange", "super_exchange"):
            raise No("wrong_stage")
        every = self.action == "super_exchange"
        if line["other"] not in (self.todo[:1] if every else self.todo):
            raise No("no_such_seat")
        theirs, mine = list(self.cards[line["other"]]), list(self.cards[self.mover])
        take_out(theirs, line["received"])
        take_out(mine, line["given"])
        self.cards[line["other"]] = [*theirs, line["given"]]
        self.cards[self.mover] = [*mine, line["received"]]
        self.todo = self.todo[1:]
        if not every or not self.todo:
            self.next_turn()

    def pass_(self, _line: Json) -> None:
        if self.done != 3 or {self.light(h) for h in self.lit()} != {"change"}:
            raise No("wrong_stage")
        self.next_turn()

    def end_early(self, line: Json) -> None:
        if self.action:
            raise No("wrong_stage")
        if line["player"] != self.closer or len(self.cards[line["player"]]) < LIMITS[self.n][1]:
            raise No("may_not_end")
        self.over = True

    def next_turn(self) -> None:
        self.closer = self.mover
        self.mover = (self.mover + 1) % self.n
        self.done, self.gone, self.action, self.todo = 0, set(), None, []
        self.check_end()

    def check_end(self) -> None:
        if max(map(len, self.cards)) >= LIMITS[self.n][0] or not any(self.left):
            self.over = True

    def shown(self) -> Json:
        """Return the object that a replay prints after this line."""
        points = [sum(card["points"] for card in hand) for hand in self.cards]
        return {
            "over": self.over,
            "to_play": None if self.over else self.mover,
            "cards": [len(hand) for hand in self.cards],
            "points": points,
            "winners": [s for s in range(self.n) if points[s] == max(points)] if self.over else None,
            "lights": [self.light(h) for h in range(3)],
        }


setattr(Reference, "pass", Reference.pass_)  # the event's name is a word of the language
