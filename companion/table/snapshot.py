"""The snapshot: everything that is shown, as one frozen value with a revision and a JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.game.cards import Card
from companion.game.dice import Change, Die
from companion.game.judge import Light, Standing
from companion.game.record import card_to_json, change_to_json
from companion.table.facts import Fact, card_json, dice_json
from companion.table.phase import Phase
from companion.table.ports import LedPatterns
from companion.table.sights import Question
from companion.table.state import Doubt, Health, Mark, Picture
from companion.vision.reading import DieSeen


@dataclass(frozen=True, slots=True)
class HolderView:
    """One holder: its card (None: unknown or empty), pile, light, and changes that would make the card.

    `question` is what the camera asks about the card.
    """

    card: Card | None
    pile: int
    light: Light | None
    standing: Standing
    changes: tuple[Change, ...]
    question: Question | None = None

    def to_json(self) -> dict[str, Any]:
        """As in the snapshot's `holders`."""
        return {
            "card": card_json(self.card),
            "pile": self.pile,
            "light": None if self.light is None else str(self.light),
            "standing": str(self.standing),
            "changes": [change_to_json(change) for change in self.changes],
            "question": None if self.question is None else question_json(self.question),
        }


@dataclass(frozen=True, slots=True)
class CardsView:
    """How cards get their names at this table where the camera reads them.

    `glances` tells whether it may look without a press, `watched` at which holders it does so now.
    """

    glances: bool
    watched: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """As in the snapshot's `cards`."""
        return {"glances": self.glances, "watched": list(self.watched)}


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player: how many cards, and the points unless they are hidden."""

    name: str
    cards: int
    points: int | None


@dataclass(frozen=True, slots=True)
class OwedView:
    """An action to be done now: with whom, and the card the companion drew for it (None while hidden)."""

    action: str
    seats: tuple[int, ...]
    drawn: Card | None
    drawn_from: int | None


@dataclass(frozen=True, slots=True)
class GameView:
    """The game as it may be shown to everybody."""

    game_id: str
    hidden: bool
    colours: tuple[str, ...]
    players: tuple[PlayerView, ...]
    hands: tuple[tuple[Card, ...], ...] | None
    seat: int | None
    throw_number: int
    throws_left: int
    dice: tuple[Die, ...] | None
    inherited: bool
    change_open: bool
    holders: tuple[HolderView, ...]
    owed: OwedView | None
    may_pass: bool
    may_end: tuple[int, ...]
    automatic: int
    by_choice: int
    winners: tuple[int, ...] | None
    ending: str | None

    def to_json(self) -> dict[str, Any]:
        """As in the snapshot's `game`."""
        hands = None if self.hands is None else [[card_to_json(card) for card in hand] for hand in self.hands]
        owed = self.owed
        return {
            "id": self.game_id,
            "hidden": self.hidden,
            "colours": list(self.colours),
            "players": [
                {"name": player.name, "cards": player.cards, "points": player.points}
                for player in self.players
            ],
            "hands": hands,
            "seat": self.seat,
            "throw_number": self.throw_number,
            "throws_left": self.throws_left,
            "dice": None if self.dice is None else dice_json(self.dice),
            "inherited": self.inherited,
            "change_open": self.change_open,
            "holders": [holder.to_json() for holder in self.holders],
            "owed": None
            if owed is None
            else {
                "action": owed.action,
                "seats": list(owed.seats),
                "drawn": card_json(owed.drawn),
                "drawn_from": owed.drawn_from,
            },
            "may_pass": self.may_pass,
            "may_end": list(self.may_end),
            "limits": {"automatic": self.automatic, "by_choice": self.by_choice},
            "winners": None if self.winners is None else list(self.winners),
            "ending": self.ending,
        }


def question_json(question: Question) -> dict[str, Any]:
    """What is asked about a holder, as in the snapshot's `question`."""
    return {
        "why": str(question.why),
        "look": question.look,
        "cards": [card_to_json(card) for card in question.cards],
        "guess": card_json(question.guess),
    }


def reading_json(doubt: Doubt) -> dict[str, Any]:
    """A waiting reading, as in the snapshot's `reading`."""
    return {
        "picture": _picture_id(doubt.picture),
        "size": None if doubt.picture is None else list(doubt.picture.size),
        "dice": [{**_die_json(die.seen), "kept": die.kept} for die in doubt.dice],
        "problems": list(doubt.problems),
        "why": doubt.why,
        "sentence": doubt.sentence,
        "differing": [{"body": die.body, "was": list(die.was), "now": die.now} for die in doubt.differing],
        "mends": [{"index": mend.index, "dice": dice_json(mend.dice)} for mend in doubt.mends],
    }


def _die_json(die: DieSeen) -> dict[str, Any]:
    return {
        "body": die.body,
        "colour": die.colour,
        "zone": die.zone,
        "centre_px": list(die.centre_px),
        "top_px": [list(corner) for corner in die.top_px],
        "confidence": die.confidence,
        "runner_up": die.runner_up,
        "problems": list(die.problems),
    }


def _seen_json(picture: Picture | None, seen: tuple[DieSeen, ...]) -> dict[str, Any] | None:
    """How the throw that lies there was read, so that it can be corrected in its picture; null if typed."""
    if picture is None or not seen:
        return None
    return {
        "picture": picture.picture_id,
        "size": list(picture.size),
        "dice": [_die_json(die) for die in seen],
    }


def _picture_id(picture: Picture | None) -> str | None:
    return None if picture is None else picture.picture_id


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is true at one revision; pages, LEDs and announcements are functions of it alone.

    `reading` is what waits for a tap; `picture` the picture of the last reading, if there is one; `seen` the
    dice as they were read in it, in the order of the throw that lies there, or (); `cards` is None where
    people name all cards.
    """

    revision: int
    phase: Phase
    game: GameView | None
    reading: Doubt | None
    picture: Picture | None
    seen: tuple[DieSeen, ...]
    held: tuple[Die, ...] | None
    marker: Mark | None
    leds: LedPatterns
    said: tuple[Fact, ...]
    undo: Fact | None
    redo: Fact | None
    health: Mapping[str, Health]
    cards: CardsView | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON object that phones get."""
        return {
            "revision": self.revision,
            "phase": str(self.phase),
            "game": None if self.game is None else self.game.to_json(),
            "reading": None if self.reading is None else reading_json(self.reading),
            "picture": _picture_id(self.picture),
            "seen": _seen_json(self.picture, self.seen),
            "held": None if self.held is None else dice_json(self.held),
            "marker": self.marker,
            "leds": [str(pattern) for pattern in self.leds],
            "said": [fact.to_json() for fact in self.said],
            "undo": None if self.undo is None else self.undo.label(),
            "redo": None if self.redo is None else self.redo.label(),
            "cards": None if self.cards is None else self.cards.to_json(),
            "health": {name: health.to_json() for name, health in self.health.items()},
        }
