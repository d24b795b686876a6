"""Judging a reading: it becomes a throw, waits for a card's name, or waits for people with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.game.dice import Body, Die, kept_dice_that_differ
from companion.game.events import Throw
from companion.game.refusal import Code, Refused
from companion.game.state import State
from companion.table.advice import WHY_SENTENCES, untrusted_sentence
from companion.table.decision import Draft, basis_of, sitting_of
from companion.table.entries import Happened, Held
from companion.table.log import Sitting
from companion.table.state import Basis, Differing, Doubt, LastSeen, Mend, Picture, SeenDie, TableState
from companion.vision.reading import DieSeen, Reading

UNMOVED_FRAC = 0.12
"""A die whose middle moved less than this part of its edge lies where it lay: 2 mm on a 16 mm die, far more
than two pictures of a still table differ; a thrown die lies so, same face up, once in 10,000 throws."""


def judged(state: TableState, basis: Basis, reading: Reading, picture: Picture) -> Draft:
    """Return the table after a reading taken for the moment `basis`, which is still the moment now."""
    sitting = sitting_of(state)
    doubt = _doubt_before_rules(state, sitting, basis, reading, picture)
    if doubt is not None:
        return Draft(replace(state, waiting=doubt, picture=picture))
    seen = _seen(state, sitting.state, reading.dice)
    found = Doubt("", "", basis, picture, seen)
    return thrown(replace(state, waiting=found, picture=picture), dice_of(seen), found)


def thrown(state: TableState, dice: tuple[Die, ...], doubt: Doubt | None) -> Draft:
    """Return the table after a throw of `dice`, held where a card is unknown.

    A throw that the rules refuse becomes `doubt` with their reason; without a doubt the refusal is raised.

    Raises:
        Refused: the rules do not allow it, and there is no reading to wait with.
    """
    sitting = sitting_of(state)
    try:
        draft = Draft(replace(state, waiting=None)).did(Happened((Throw(dice),)))
    except Refused as refused:
        if refused.code is Code.CARD_UNKNOWN:
            return _held(state, dice, doubt)
        if doubt is None:
            raise
        return Draft(replace(state, waiting=_refused(sitting, doubt, dice, refused)))
    return replace(draft, state=with_last_seen(draft.state, doubt))


def judged_again(draft: Draft) -> Draft:
    """Return the draft with a reading that the rules had refused tried again, now that others changed."""
    waiting = draft.state.waiting
    if not isinstance(waiting, Doubt) or waiting.why not in tuple(Code):
        return draft
    if waiting.basis != basis_of(draft.state):
        return replace(draft, state=replace(draft.state, waiting=None))
    again = thrown(draft.state, dice_of(waiting.dice), waiting)
    return draft.then(again)


def with_last_seen(state: TableState, doubt: Doubt | None) -> TableState:
    """Return the state that remembers where the dice of the throw just made were seen, if they were."""
    after = basis_of(state)
    if doubt is None or not doubt.dice or after is None:
        return replace(state, last_seen=None)
    return replace(state, last_seen=LastSeen(after, tuple(die.seen for die in doubt.dice)))


def for_card(doubt: Doubt | None) -> Doubt | None:
    """Return a reading as one that waits for nothing but a card's name."""
    if doubt is None:
        return None
    sentence = WHY_SENTENCES["card_needed"]
    return Doubt("card_needed", sentence, doubt.basis, doubt.picture, doubt.dice)


def dice_of(seen: Sequence[SeenDie]) -> tuple[Die, ...]:
    """Return dice as seen as the dice of a throw."""
    return tuple(Die(Body(die.seen.body), die.seen.colour, die.kept) for die in seen)


def _held(state: TableState, dice: tuple[Die, ...], doubt: Doubt | None) -> Draft:
    return Draft(replace(state, waiting=for_card(doubt))).did(Held(dice))


def _doubt_before_rules(
    state: TableState, sitting: Sitting, basis: Basis, reading: Reading, picture: Picture
) -> Doubt | None:
    """Return why a reading must not even be tried as a throw, or None."""
    game = sitting.state
    seen = _seen(state, game, reading.dice)
    if not reading.trusted:
        sentence = untrusted_sentence(reading.problems)
        return Doubt("untrusted", sentence, basis, picture, seen, reading.problems)
    bodies, colours = tuple(Body), game.colours
    if any(die.colour not in colours or die.body not in bodies for die in reading.dice):
        return Doubt("other_colours", WHY_SENTENCES["other_colours"], basis, picture, seen)
    if nothing_moved(state, seen):
        return Doubt("nothing_moved", WHY_SENTENCES["nothing_moved"], basis, picture, seen)
    turned = _turned_in_place(state, seen)
    if len(turned) > (1 if game.change_open else 0):
        return _kept_turned(sitting, Doubt(str(Code.KEPT_DIE_DIFFERS), "", basis, picture, seen), turned)
    if not state.setup.has_reserve and game.dice is not None:
        mends = (Mend(None, dice_of(seen)),)
        return Doubt("kept_unknown", WHY_SENTENCES["kept_unknown"], basis, picture, seen, mends=mends)
    return None


def _seen(state: TableState, game: State, dice: Sequence[DieSeen]) -> tuple[SeenDie, ...]:
    """Tell which dice count as kept: those in the reserve; without one, a guess: those that did not move."""
    if state.setup.has_reserve:
        return tuple(SeenDie(die, die.zone == "reserve") for die in dice)
    if game.dice is None:
        return tuple(SeenDie(die, False) for die in dice)
    before = _lying(state)
    return tuple(SeenDie(die, any(_unmoved(old, die) for old in before)) for die in dice)


def nothing_moved(state: TableState, seen: Sequence[SeenDie]) -> bool:
    """Tell whether every die that counts as thrown lies just where it lay before, so that none was thrown."""
    before = _lying(state)
    thrown_dice = [die.seen for die in seen if not (die.kept and state.setup.has_reserve)]
    return bool(thrown_dice) and all(any(_unmoved(old, die) for old in before) for die in thrown_dice)


def _turned_in_place(state: TableState, seen: Sequence[SeenDie]) -> tuple[tuple[int, str], ...]:
    """Return kept dice that lie just where one of their body lay, in another colour: index, and what it was.

    As a multiset the kept dice may still be among those that lay there; their places say that one was turned.
    """
    return tuple(
        (index, old.colour)
        for index, die in enumerate(seen)
        if die.kept
        for old in _lying(state)
        if old.body == die.seen.body and old.colour != die.seen.colour and _same_place(old, die.seen)
    )


def _lying(state: TableState) -> tuple[DieSeen, ...]:
    """Return the dice as they were seen at the throw that lies there now, as far as known."""
    last = state.last_seen
    return last.dice if last is not None and last.basis == basis_of(state) else ()


def _unmoved(old: DieSeen, new: DieSeen) -> bool:
    return (old.body, old.colour) == (new.body, new.colour) and _same_place(old, new)


def _same_place(old: DieSeen, new: DieSeen) -> bool:
    corners = np.asarray(old.top_px, dtype=np.float64)
    edge_px = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    moved_px = float(np.hypot(old.centre_px[0] - new.centre_px[0], old.centre_px[1] - new.centre_px[1]))
    return moved_px <= UNMOVED_FRAC * edge_px


def _refused(sitting: Sitting, doubt: Doubt, dice: tuple[Die, ...], refused: Refused) -> Doubt:
    """Return the doubt with the rules' reason, and the truths that would settle it."""
    code = refused.code
    sentence = WHY_SENTENCES.get(code, f"The rules refuse this throw: {refused.sentence}.")
    waiting = replace(doubt, why=str(code), sentence=sentence, differing=(), mends=())
    if code is Code.ALL_DICE_NEEDED:
        return replace(waiting, mends=(Mend(None, tuple(replace(die, kept=False) for die in dice)),))
    if code is Code.KEPT_DIE_DIFFERS and sitting.state.dice is not None:
        return _kept_differs(sitting, waiting, dice, sitting.state.dice)
    return waiting


def _kept_turned(sitting: Sitting, doubt: Doubt, turned: Sequence[tuple[int, str]]) -> Doubt:
    """Name the kept dice that were turned where they lie, and offer both truths."""
    this, earlier = list(dice_of(doubt.dice)), list(sitting.state.dice or ())
    told: list[Differing] = []
    for index, was in turned:
        die = this[index]
        told.append(Differing(str(die.body), (was,), die.colour))
        this[index] = replace(die, colour=was)
        places = [i for i, old in enumerate(earlier) if (old.body, old.colour) == (die.body, was)]
        if places:
            earlier[places[0]] = replace(earlier[places[0]], colour=die.colour)
    mends = (Mend(None, tuple(this)), Mend(sitting.last_throw(), tuple(earlier)))
    return replace(doubt, sentence=_differs_sentence(told), differing=tuple(told), mends=mends)


def _differs_sentence(told: Sequence[Differing]) -> str:
    words = "; ".join(f"{die.body}: there lay {' or '.join(die.was)}, now {die.now}" for die in told)
    return f"A kept die differs ({words}). Which of the two readings is wrong?"


def _kept_differs(sitting: Sitting, doubt: Doubt, dice: tuple[Die, ...], before: tuple[Die, ...]) -> Doubt:
    """Name the kept dice that differ, and offer both truths: mend this reading, or the earlier throw."""
    differing = list(kept_dice_that_differ(before, dice))
    left = Counter((die.body, die.colour) for die in before)
    left -= Counter((die.body, die.colour) for die in dice if die.kept)
    told: list[Differing] = []
    this, earlier = list(dice), list(before)
    # Of equal dice the least sure is the likeliest to be misread.
    for index in sorted(range(len(dice)), key=lambda i: doubt.dice[i].seen.confidence):
        die = dice[index]
        if not die.kept or die not in differing:
            continue
        differing.remove(die)
        lay = [colour for (body, colour) in left.elements() if body is die.body]
        told.append(Differing(str(die.body), tuple(dict.fromkeys(lay)), die.colour))
        runner_up = doubt.dice[index].seen.runner_up
        was = runner_up if runner_up in lay else lay[0]
        left[die.body, was] -= 1
        this[index] = replace(die, colour=was)
        place = next(i for i, old in enumerate(earlier) if (old.body, old.colour) == (die.body, was))
        earlier[place] = replace(earlier[place], colour=die.colour)
    mends = (Mend(None, tuple(this)), Mend(sitting.last_throw(), tuple(earlier)))
    return replace(doubt, sentence=_differs_sentence(told), differing=tuple(told), mends=mends)
