"""What the camera's sight of the cards leads to: a name, a question, or nothing; never a silent mistake.

Only a card that is known for sure is named without people (rule 3.6 uncovers it), and even that not where it
may still be the card that was won, nor where people took the name back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.game.cards import Card
from companion.game.events import Reveal, Take
from companion.game.state import Stage, State
from companion.table import moves
from companion.table.decision import Draft, NotNow, sitting_of
from companion.table.entries import Happened
from companion.table.intents import NameCard
from companion.table.log import Sitting
from companion.table.sights import Asked, CardsSeen, Lesson, Question, Seen, Sight, Sights, Watch, Why
from companion.table.state import TableState
from companion.vision.card_reader import HolderReading, HolderState


def asked_of(state: TableState) -> Asked | None:
    """Return the holders of the game now; None where no cards are read or no game is going on."""
    sitting = state.log.playing
    if sitting is None or not state.setup.reads_cards or sitting.state.stage is Stage.OVER:
        return None
    return Asked(sitting.game_id, sitting.state.piles, sitting.state.visible)


def watch_of(state: TableState) -> Watch | None:
    """Return what to look at without a press, or None."""
    asked = asked_of(state)
    if asked is None or not state.setup.glances or not state.sights.watched:
        return None
    return Watch(asked, state.sights.watched, state.sights.as_before)


def look_at_cards(state: TableState) -> Draft:
    """Look at all cards without a name, since people say that they lie there."""
    sitting = sitting_of(state)
    if not state.setup.reads_cards:
        raise NotNow("cards_by_hand", "the camera reads no cards at this table; name them on a phone")
    if not sitting.state.unknown_holders:
        raise NotNow("cards_named", "every card has its name already")
    if not state.setup.glances:
        raise NotNow("next_picture", "this table sees its cards in the next picture; throw, and take it")
    sights = _of_game(state.sights, sitting)
    unknown = frozenset(sitting.state.unknown_holders)
    told = replace(sights, watched=sights.watched | unknown, as_before=sights.as_before - unknown)
    return Draft(state if told == state.sights else replace(state, sights=told))


def seen(state: TableState, arrived: CardsSeen, *, makes_held: bool = True) -> Draft:
    """Return the table after a sight of its cards; what has changed since it was asked for is passed over.

    With the last name a throw that waits for it is made, unless `makes_held` says that a newer one comes.
    """
    draft = Draft(state)
    for holder, sight in enumerate(arrived.sights):
        sitting = draft.state.log.playing
        if sitting is None or sitting.game_id != arrived.asked.game_id:
            return draft
        game = sitting.state
        if game.stage is Stage.OVER:
            return draft
        pile = game.piles[holder]
        # A card that was named or renamed meanwhile was named by people who look at it.
        is_same = (pile, game.visible[holder]) == (arrived.asked.piles[holder], arrived.asked.cards[holder])
        if sight is not None and pile and is_same:
            draft = _noted(draft, sitting, holder, sight, arrived.is_glance, makes_held)
    return draft


def only_known(arrived: CardsSeen) -> CardsSeen:
    """Return the sight without the cards that are not known for sure."""
    sure = (
        sight if sight is not None and sight.reading.state is HolderState.KNOWN else None
        for sight in arrived.sights
    )
    return replace(arrived, sights=tuple(sure))


def _noted(
    draft: Draft, sitting: Sitting, holder: int, sight: Sight, is_glance: bool, makes_held: bool
) -> Draft:
    """Take one holder's sight in."""
    game, reading = sitting.state, sight.reading
    sights = _of_game(draft.state.sights, sitting)
    named = game.visible[holder]
    pile = game.piles[holder]
    if named is not None:
        return _compared(draft, sights, holder, pile, named, sight)
    if reading.state in (HolderState.EMPTY, HolderState.BLOCKED):
        return draft
    why = _doubt(sights, sitting, holder, reading)
    if why is Why.SAME_AGAIN and is_glance:
        return draft  # people need a moment to take away what they won
    if why is not None:
        question = Question(why, sight.look, _candidates(reading), reading.guess)
        return _remembering(draft, sights, holder, Seen(pile, sight, question))
    assert reading.card is not None
    draft = _remembering(draft, sights, holder, Seen(pile, sight))
    if makes_held:
        return draft.then(moves.name_card(draft.state, NameCard(holder, reading.card), by_camera=True))
    return draft.did(Happened((Reveal(holder, reading.card),), by_camera=True))


def _doubt(sights: Sights, sitting: Sitting, holder: int, reading: HolderReading) -> Why | None:
    """Return why a card without a name must be asked about, None where it is known for sure."""
    if reading.state is not HolderState.KNOWN or reading.card is None:
        return Why.NEW if reading.state is HolderState.NEW else Why.UNSURE
    if (holder, sitting.state.piles[holder], reading.card) in sights.taken_back:
        return Why.TAKEN_BACK
    return Why.SAME_AGAIN if reading.card == _won_last(sitting, holder) else None


def _candidates(reading: HolderReading) -> tuple[Card, ...]:
    """Return the known cards that it may be."""
    if reading.state is HolderState.NEW:
        return ()
    either = (reading.card, reading.runner_up if reading.state is HolderState.UNSURE else None)
    return tuple(card for card in either if card is not None)


def _won_last(sitting: Sitting, holder: int) -> Card | None:
    """Return the card that was taken from this holder last, or None."""
    for node in sitting.course.nodes():
        if isinstance(node.event, Take) and node.event.holder == holder and node.before is not None:
            return node.before.state.visible[holder]
    return None


def _compared(draft: Draft, sights: Sights, holder: int, pile: int, named: Card, sight: Sight) -> Draft:
    """Hold a card's name against its picture: a plain contradiction is asked about, nothing is changed."""
    reading, before = sight.reading, sights.seen[holder]
    if reading.state is not HolderState.KNOWN or reading.card is None:
        return draft
    if reading.card == named or (holder, pile, reading.card) in sights.taken_back:
        if before is None or before.question is None:
            return draft
        return _remembering(draft, sights, holder, replace(before, question=None))
    question = Question(Why.DIFFERS, sight.look, (reading.card,))
    return _remembering(draft, sights, holder, Seen(pile, sight, question))


def _remembering(draft: Draft, sights: Sights, holder: int, what: Seen) -> Draft:
    before = sights.seen[holder]
    if before is not None and before.sight.look == what.sight.look and what.learned is None:
        what = replace(what, learned=before.learned)
    if before is not None and before.question == what.question and what.question is not None:
        return draft  # the same is asked already
    told = replace(sights, seen=_with(sights.seen, holder, what))
    return replace(draft, state=replace(draft.state, sights=told))


def _with(seen_before: Sequence[Seen | None], holder: int, what: Seen | None) -> tuple[Seen | None, ...]:
    return (*seen_before[:holder], what, *seen_before[holder + 1 :])


def confirmed(state: TableState, intent: NameCard) -> Draft | None:
    """Return the table after people say that a card's name is right though it looks otherwise; else None.

    To the game that is no event: naming a lost card anew would open it again.
    """
    sitting = sitting_of(state)
    before = _of_game(state.sights, sitting).seen[intent.holder]
    if before is None or before.question is None or before.question.why is not Why.DIFFERS:
        return None
    if sitting.state.visible[intent.holder] != intent.card:
        return None
    denied = {(intent.holder, before.pile, card) for card in before.question.cards}
    sights = replace(
        state.sights,
        seen=_with(state.sights.seen, intent.holder, replace(before, question=None)),
        taken_back=state.sights.taken_back | denied,
    )
    return Draft(replace(state, sights=sights))


def lesson_of(state: TableState, intent: NameCard) -> Lesson | None:
    """Return what the camera learns when people name a card; None where it has no picture or knew it."""
    sitting = state.log.playing
    if sitting is None:
        return None
    was = _of_game(state.sights, sitting).seen[intent.holder]
    if was is None or was.sight.look is None or was.pile != sitting.state.piles[intent.holder]:
        return None
    if was.question is not None and was.question.why is Why.DIFFERS:
        # A person who contradicts a plain picture may err; it must not be learned from.
        return None
    reading = was.sight.reading
    knew = reading.card if reading.state is HolderState.KNOWN else None
    if intent.card in (was.learned, knew if was.learned is None else None):
        return None
    # Where people put it right twice, what was mistaken first has gone over to the second name.
    mistaken_for = knew if knew is None or was.learned is None else was.learned
    return Lesson(was.sight.look, intent.card, was.learned, mistaken_for)


def learned(state: TableState, holder: int, card: Card) -> TableState:
    """Return the state that remembers what a holder's picture was learned as."""
    was = state.sights.seen[holder]
    if was is None:
        return state
    seen_now = _with(state.sights.seen, holder, replace(was, learned=card))
    return replace(state, sights=replace(state.sights, seen=seen_now))


def followed(before: TableState, after: TableState) -> TableState:
    """Return `after` with what was seen brought in line with its game: uncovered, named, taken back."""
    if not after.setup.reads_cards:
        return after
    sitting = after.log.playing
    if sitting is None or sitting.state.stage is Stage.OVER:
        return after if after.sights == Sights() else replace(after, sights=Sights())
    game = sitting.state
    sights = _of_game(after.sights, sitting)
    was = None if before.log.playing is None else before.log.playing.state
    is_same_game = before.log.playing is not None and before.log.playing.game_id == sitting.game_id
    taken_back = {entry for entry in sights.taken_back if game.piles[entry[0]] == entry[1]}
    watched, as_before = set(sights.watched), set(sights.as_before)
    if is_same_game and was is not None and was is not game:
        for holder, pile in enumerate(game.piles):
            name = was.visible[holder]
            if game.visible[holder] is None and name is not None and pile == was.piles[holder]:
                taken_back.add((holder, pile, name))
                watched.discard(holder)
            if _was_uncovered(was, game, holder):
                watched.add(holder)
                as_before.add(holder)
            elif pile != was.piles[holder]:
                watched.discard(holder)
    watched &= set(game.unknown_holders)
    told = Sights(
        sitting.game_id,
        tuple(_still(one, game, holder) for holder, one in enumerate(sights.seen)),
        frozenset(taken_back),
        frozenset(watched),
        frozenset(as_before & watched),
    )
    return after if told == after.sights else replace(after, sights=told)


def _was_uncovered(was: State, game: State, holder: int) -> bool:
    """Tell whether a card was just taken from the holder and another lies below it."""
    return 0 < game.piles[holder] == was.piles[holder] - 1 and game.visible[holder] is None


def _still(one: Seen | None, game: State, holder: int) -> Seen | None:
    """Return what is remembered of a holder as far as it fits the game now."""
    if one is None or one.pile != game.piles[holder]:
        return None
    if one.question is None:
        return one
    named = game.visible[holder]
    differs = one.question.why is Why.DIFFERS
    fits = named is not None and named not in one.question.cards if differs else named is None
    return one if fits else replace(one, question=None)


def _of_game(sights: Sights, sitting: Sitting) -> Sights:
    return sights if sights.game_id == sitting.game_id else Sights(sitting.game_id)
