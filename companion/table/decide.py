"""Deciding: state and intent give the next state and what to keep of it, or a refusal; no clock, no IO."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.game.events import EndEarly, Pass, Steal, Take, Throw
from companion.game.refusal import Refused
from companion.table import button, card_sight, intents, moves
from companion.table.advice import PROBLEM_ADVICE, WHY_SENTENCES
from companion.table.decision import Draft, Moment, NotNow, basis_of, published
from companion.table.entries import Entry, Reserved
from companion.table.facts import Fact, FactKey
from companion.table.intents import Intent
from companion.table.judging import judged
from companion.table.log import NothingThere
from companion.table.moves import REVISIONS_RESERVED
from companion.table.sights import CardsSeen, Lesson
from companion.table.staleness import is_stale
from companion.table.state import Doubt, Health, HealthState, Pending, Picture, TableState
from companion.vision.reading import Reading

QUIET_CODES = frozenset({"already_reading", "stale"})
"""Refusals of the button that need no telling: the LEDs show already that it was heard."""

SPOILS_CARDS = frozenset({"too_dark", "too_bright", "blurred", "moving", "camera_moved"})
"""Problems of a picture in which a card may well be known, but must not be asked about or learned."""

NO_CAMERA_FAULTS = frozenset({"journal_fault", *PROBLEM_ADVICE})
"""Why a reading may fail though the camera is well: dice that do not come to rest, a full disk."""


@dataclass(frozen=True, slots=True)
class ReadingArrived:
    """The picture of the press `token` was read; also its cards, where one of them had no name."""

    token: int
    reading: Reading
    picture: Picture
    cards: CardsSeen | None = None


@dataclass(frozen=True, slots=True)
class ReadingFailed:
    """The press `token` gave no reading: why, and what to do."""

    token: int
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class HealthChanged:
    """A device is well, or not."""

    device: str
    health: Health


@dataclass(frozen=True, slots=True)
class Tick:
    """Time went by: what lapses, lapses."""


Inner = ReadingArrived | ReadingFailed | CardsSeen | HealthChanged | Tick
"""What the table's own machinery reports."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The state afterwards (the same object when nothing changed), what to keep first, and any refusal.

    `lesson` is what the camera learns by it.
    """

    state: TableState
    entries: tuple[Entry, ...] = ()
    refusal: NotNow | None = None
    lesson: Lesson | None = None


def opened(state: TableState) -> Decision:
    """Return the table as it begins to be shown, with revisions reserved that were never used before."""
    return _reserved(state, replace(state, revision=state.revision + 1), ())


def decide(state: TableState, intent: Intent | Inner, moment: Moment, seen: int | None = None) -> Decision:
    """Return what `intent` does; `seen` is the revision that the phone showed when it was given."""
    try:
        if seen is not None and is_stale(state, intent, seen):
            raise NotNow("stale", "the table has moved on since; look again")
        draft = _drafted(state, intent, moment)
    except NotNow as refusal:
        return _refused(state, intent, refusal)
    except Refused as refused:
        return _refused(state, intent, NotNow(str(refused.code), refused.sentence))
    except NothingThere as nothing:
        return _refused(state, intent, NotNow("nothing_there", str(nothing)))
    return _taught(state, intent, _published(state, draft))


def _taught(before: TableState, intent: Intent | Inner, decision: Decision) -> Decision:
    """Let the camera learn the card that people named."""
    lesson = card_sight.lesson_of(before, intent) if isinstance(intent, intents.NameCard) else None
    if lesson is None or decision.state is before or not isinstance(intent, intents.NameCard):
        return decision
    state = card_sight.learned(decision.state, intent.holder, lesson.card)
    return replace(decision, state=state, lesson=lesson)


def _published(state: TableState, draft: Draft) -> Decision:
    if draft.state is state and not draft.facts:
        return Decision(state)
    draft = replace(draft, state=card_sight.followed(state, _without_the_past(state, draft.state)))
    return _reserved(state, published(state, draft), draft.entries)


def _without_the_past(before: TableState, after: TableState) -> TableState:
    """Drop what concerned another moment of the game: a reading under way, a doubt, a marker, a picture."""
    if basis_of(before) != basis_of(after) and after.picture is before.picture:
        # A throw that was mended, or waited for a card, has its picture still.
        found = before.waiting.picture if isinstance(before.waiting, Doubt) else None
        after = replace(after, picture=found if _throw_came(before, after) else None)
    if after.waiting is not None and after.waiting.basis != basis_of(after):
        after = replace(after, waiting=None)
    if after.marker is not None and not (button.marker_fits(after) and basis_of(before) == basis_of(after)):
        after = replace(after, marker=None)
    return after


def _throw_came(before: TableState, after: TableState) -> bool:
    """Tell whether the last step was a throw, with nothing undone."""
    log, sitting = after.log, after.log.playing
    if sitting is None or sitting.course.head is None or before.log.playing is None:
        return False
    is_longer = sitting.course.length > before.log.playing.course.length
    return is_longer and log.redo_label is None and isinstance(sitting.course.head.event, Throw)


def _reserved(before: TableState, after: TableState, entries: tuple[Entry, ...]) -> Decision:
    """Reserve more revisions in the journal before the last reserved one is passed."""
    if after.revision < after.reserved:
        return Decision(after, entries)
    upto = max(before.revision, after.revision) + REVISIONS_RESERVED
    return Decision(replace(after, reserved=upto), (*entries, Reserved(upto)))


def _refused(state: TableState, intent: Intent | Inner, refusal: NotNow) -> Decision:
    """Refuse; the button's asker may have no phone in hand, so the reason is told to all of them."""
    by_button = isinstance(intent, (intents.Press, intents.Hold, intents.LongHold))
    fact = Fact(FactKey.NOT_NOW, {"code": refusal.code, "sentence": refusal.sentence})
    told_already = bool(state.said) and (state.said[-1].key, state.said[-1].params) == (fact.key, fact.params)
    if not by_button or refusal.code in QUIET_CODES or told_already:
        return Decision(state, (), refusal)
    decision = _published(state, Draft(state, (), (fact,)))
    return replace(decision, refusal=refusal)


def _drafted(state: TableState, intent: Intent | Inner, moment: Moment) -> Draft:
    match intent:
        case ReadingArrived() | ReadingFailed():
            return _reading_over(state, intent)
        case CardsSeen():
            return card_sight.seen(state, intent)
        case HealthChanged():
            if state.health.get(intent.device) == intent.health:
                return Draft(state)
            return Draft(replace(state, health={**state.health, intent.device: intent.health}))
        case Tick():
            return _lapsed(state, moment.now_s)
        case intents.StartGame():
            return moves.start_game(state, intent, moment)
        case intents.AbandonGame():
            return moves.abandon(state)
        case intents.Undo():
            return moves.undo(state)
        case intents.Redo():
            return moves.redo(state)
        case intents.Press():
            return button.press(state, moment)
        case intents.Hold():
            return button.hold(state, moment)
        case intents.LongHold():
            return button.long_hold(state)
        case _:
            return _played(state, intent)


def _played(state: TableState, intent: Intent) -> Draft:
    """What phones ask of the game under way."""
    match intent:
        case intents.NameCard():
            return card_sight.confirmed(state, intent) or moves.name_card(state, intent)
        case intents.LookAtCards():
            return card_sight.look_at_cards(state)
        case intents.Take():
            return moves.happen(state, Take(intent.holder, intent.change))
        case intents.Pass():
            return moves.happen(state, Pass())
        case intents.Draw():
            return moves.draw(state, intent)
        case intents.Steal():
            return moves.happen(state, Steal(intent.victim, intent.card))
        case intents.Exchange():
            return moves.exchange(state, intent)
        case intents.EndEarly():
            return moves.happen(state, EndEarly(intent.player))
        case intents.EnterThrow():
            return moves.enter_throw(state, intent)
        case intents.CorrectThrow():
            return moves.correct_throw(state, intent)
        case intents.CorrectEvent():
            return moves.correct_event(state, intent)
        case intents.DismissReading():
            return moves.dismiss(state)
    raise AssertionError(f"{intent} is decided elsewhere")


def _reading_over(state: TableState, arrived: ReadingArrived | ReadingFailed) -> Draft:
    """Take in what a press gave; dice that nobody waits for any more come too late and change nothing."""
    pending = state.waiting
    cards = _usable_cards(arrived)
    if not isinstance(pending, Pending) or pending.token != arrived.token:
        return Draft(state) if cards is None else card_sight.seen(state, cards)
    if isinstance(arrived, ReadingFailed):
        return Draft(_failed(state, pending, arrived.code, arrived.sentence))
    well = replace(state, health={**state.health, "camera": Health(HealthState.OK)})
    if cards is None:
        return judged(well, pending.basis, arrived.reading, arrived.picture)
    # The newer throw stands instead of one that waited for these cards, if it can be one.
    seen = card_sight.seen(well, cards, makes_held=False)
    draft = seen.then(judged(seen.state, pending.basis, arrived.reading, arrived.picture))
    sitting = draft.state.log.playing
    if sitting is None or sitting.held is None or sitting.state.unknown_holders:
        return draft
    completed = card_sight.seen(well, cards)
    return completed if completed.entries else draft


def _usable_cards(arrived: ReadingArrived | ReadingFailed) -> CardsSeen | None:
    """Return what the picture shows of the cards: of one that is spoiled only what is known for sure."""
    if isinstance(arrived, ReadingFailed) or arrived.cards is None:
        return None
    is_spoiled = not SPOILS_CARDS.isdisjoint(arrived.reading.problems)
    return card_sight.only_known(arrived.cards) if is_spoiled else arrived.cards


def _failed(state: TableState, pending: Pending, code: str, sentence: str) -> TableState:
    health = dict(state.health)
    if code not in NO_CAMERA_FAULTS:
        health["camera"] = Health(HealthState.FAULT, sentence)
    return replace(state, waiting=Doubt(code, sentence, pending.basis), health=health)


def _lapsed(state: TableState, now_s: float) -> Draft:
    if state.marker is not None and state.marker.lapses_s <= now_s:
        state = replace(state, marker=None)
    if isinstance(state.waiting, Pending) and state.waiting.deadline_s <= now_s:
        state = _failed(state, state.waiting, "camera_stalled", WHY_SENTENCES["camera_stalled"])
    return Draft(state)


def next_lapse_s(state: TableState) -> float | None:
    """Return when the next `Tick` has something to do, or None."""
    times = []
    if state.marker is not None:
        times.append(state.marker.lapses_s)
    if isinstance(state.waiting, Pending):
        times.append(state.waiting.deadline_s)
    return min(times, default=None)
