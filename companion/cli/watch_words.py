"""What `companion watch` prints: the snapshot in plain words, one short block a picture."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game.dice import Die
from companion.table.phase import Phase
from companion.table.ports import LedPattern
from companion.table.sights import Why
from companion.table.snapshot import GameView, Snapshot
from companion.table.state import Doubt
from companion.vision.reading import DieSeen

HOLDERS = ("left", "middle", "right")
LIT = {
    LedPattern.STEADY: "can be taken",
    LedPattern.SLOW_BLINK: "can be taken with the black-dice change",
}

ASKED = {
    Why.NEW: "a new one; say on the phone what it is",
    Why.UNSURE: "not sure; the phone asks which it is",
    Why.SAME_AGAIN: "like the one just won; take that away, or say on the phone that it is another one",
    Why.TAKEN_BACK: "like one whose name was taken back; the phone asks",
    Why.DIFFERS: "looks otherwise than it was named; the phone asks",
}


NO_PAGE = "  no phone can answer without a page: leave out --no-page"


def told(name: str, snapshot: Snapshot, *, page: bool = True) -> str:
    """Return what became of the picture `name`: what was read and what is lit, or why it waits.

    Where there is no `page`, what a phone is asked for comes with how to have one.
    """
    reading, game = snapshot.reading, snapshot.game
    if reading is not None:
        seen = [f"  read: {dice_seen([die.seen for die in reading.dice])}"] if reading.dice else []
        todo = [*_to_do(reading, game), *_asked(game)]
        return "\n".join([f"{name}: waits. {reading.sentence}", *seen, *todo, *([] if page else [NO_PAGE])])
    if game is None:
        return f"{name}: no game is going on."
    asked = _asked(game)
    if asked and not page:
        asked.append(NO_PAGE)
    return "\n".join([f"{name}: {_throw(snapshot, game)}", f"  {lit(snapshot, game)}", *asked])


def _asked(game: GameView | None) -> list[str]:
    """Return what the camera asks about the cards."""
    holders = () if game is None else game.holders
    return [
        f"  the {HOLDERS[holder]} card: {ASKED[view.question.why]}"
        for holder, view in enumerate(holders)
        if view.question is not None
    ]


def dice_seen(dice: Sequence[DieSeen]) -> str:
    """Return the dice of a reading in words."""
    return ", ".join(
        f"{die.body} {die.colour}{' (reserve)' if die.zone == 'reserve' else ''}" for die in dice
    )


def dice_told(dice: Sequence[Die]) -> str:
    """Return the dice of a throw in words."""
    return ", ".join(f"{die.body} {die.colour}{' (kept)' if die.kept else ''}" for die in dice)


def lit(snapshot: Snapshot, game: GameView) -> str:
    """Return what the LEDs say, in words."""
    shown = [
        f"{HOLDERS[holder]} {LIT[pattern]}" for holder, pattern in enumerate(snapshot.leds) if pattern in LIT
    ]
    if shown:
        return "lights: " + ", ".join(shown)
    if snapshot.phase == Phase.THROW and game.seat is not None:
        kept = " (dice may be kept)" if game.inherited else ""
        return f"lights: none; {game.players[game.seat].name} is next{kept}"
    if snapshot.phase == Phase.OVER:
        winners = " and ".join(game.players[seat].name for seat in game.winners or ())
        return f"the game is over; {winners} won"
    return "lights: none"


def _throw(snapshot: Snapshot, game: GameView) -> str:
    dice = "" if game.dice is None else dice_told(game.dice)
    for fact in reversed(snapshot.said):
        if fact.key == "throw_made":
            return f"{fact.params['player']}, throw {fact.params['throw_number']}: {dice}"
    return dice


def _to_do(reading: Doubt, game: GameView | None) -> list[str]:
    """Return which cards must be named, or what else the phone offers."""
    if reading.why == "card_needed" and game is not None:
        unknown = [
            HOLDERS[holder] for holder, view in enumerate(game.holders) if view.card is None and view.pile
        ]
        return [f"  name the card of: {', '.join(unknown)}"]
    return ["  mend it on the phone, or take another picture"]
