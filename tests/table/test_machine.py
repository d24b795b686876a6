"""Any intents in any order, with readings sure, unsure or late: the laws of the table hold throughout."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.game.cards import Action, Card
from companion.game.dice import Body, Change, Die
from companion.table import intents
from companion.table.card_sight import asked_of
from companion.table.decide import HealthChanged, ReadingArrived, ReadingFailed, Tick
from companion.table.intents import Intent
from companion.table.phase import Phase
from companion.table.sights import Asked, CardsSeen, Sight
from companion.table.snapshot import GameView
from companion.table.state import Health, HealthState, Pending, Picture, Setup
from companion.vision.card_reader import HolderReading, HolderState
from companion.vision.reading import PROBLEMS, DieSeen, Reading
from tests.table.at_the_table import AtTheTable, free, named

CARDS: tuple[Card, ...] = (
    free(2, 2),
    free(3, points=2),
    free(3, 2, points=3),
    named("red", "red", "blue", points=4),
    free(2, action=Action.THEFT),
    free(2, action=Action.EXCHANGE),
    free(2, points=2, action=Action.SUPER_EXCHANGE),
    free(3, action=Action.REPLAY),
)
FEW_COLOURS = ("red", "blue", "green")
NAMES = ("Ana", "Ben", "Chloé", "Dan", "Eva", "Fay")
SIX_BODIES = [Body.WHITE] * 4 + [Body.BLACK] * 2

cards = st.sampled_from(CARDS)
three_cards = st.lists(cards, min_size=3, max_size=3)
holders = st.integers(0, 2)
seats = st.integers(0, 5)
one_colour = st.sampled_from(FEW_COLOURS)


@st.composite
def thrown_dice(draw: st.DrawFn) -> tuple[Die, ...]:
    """Draw six dice, nearly always of the right bodies."""
    bodies = SIX_BODIES if draw(st.integers(0, 9)) else [Body.WHITE] * 6
    return tuple(Die(body, draw(one_colour), draw(st.integers(0, 3)) == 0) for body in bodies)


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Draw a reading: of five to seven dice, here or there, sure or not."""
    bodies = draw(st.sampled_from([SIX_BODIES] * 6 + [SIX_BODIES[:5], [*SIX_BODIES, Body.BLACK]]))
    seen = []
    for body in bodies:
        x = draw(st.sampled_from((10.0, 50.0, 90.0)))
        zone = draw(st.sampled_from(("track", "track", "track", "reserve")))
        top = ((x, 0.0), (x + 9, 0.0), (x + 9, 9.0), (x, 9.0))
        seen.append(DieSeen(str(body), draw(one_colour), zone, (x, 5.0), top, 0.9, "blue"))
    problems = draw(st.sampled_from([(), (), (), (PROBLEMS[0],), PROBLEMS[5:8]]))
    return Reading(tuple(seen), problems, not problems)


@st.composite
def sights(draw: st.DrawFn) -> Sight:
    """Draw what is seen in a holder: any state, any of few cards and pictures."""
    state = draw(st.sampled_from([HolderState.KNOWN, *HolderState]))
    has_card = state in (HolderState.KNOWN, HolderState.UNSURE)
    card = draw(cards) if has_card else None
    runner_up = draw(st.none() | cards) if has_card else None
    guess = draw(st.none() | cards) if state in (HolderState.NEW, HolderState.UNSURE) else None
    look = draw(st.sampled_from((None, "a1", "b2", "c3")))
    return Sight(HolderReading(state, card, 0.95, runner_up, guess, None), look)


three_sights = st.tuples(*[st.none() | sights()] * 3)


def without_questions(game: GameView | None) -> GameView | None:
    """Return the game without what the camera asks: that is no part of it and outlives nothing."""
    if game is None:
        return None
    return replace(game, holders=tuple(replace(one, question=None) for one in game.holders))


@dataclass(frozen=True, slots=True)
class Lawful:
    """What makes a throw that the rules allow: which dice to keep, and the colours that fall."""

    keep: tuple[bool, ...]
    colours: tuple[str, ...]


lawful = st.builds(
    Lawful, st.tuples(*[st.booleans()] * 5), st.tuples(*[st.sampled_from((*FEW_COLOURS[:2], "red"))] * 6)
)


def seen_die(die: Die, x: float) -> DieSeen:
    """Return the die as seen, in the reserve where it was kept."""
    top = ((x, 0.0), (x + 9, 0.0), (x + 9, 9.0), (x, 9.0))
    return DieSeen(str(die.body), die.colour, "reserve" if die.kept else "track", (x, 5.0), top, 0.9, "blue")


class AnyEvening(RuleBasedStateMachine):
    """A table to which anything may be said at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.table = AtTheTable(Setup(reads_cards=True, glances=True))
        self.asked: list[Asked] = []
        self.revisions = [self.table.shown.revision]
        self.places = 0

    def ask(self, intent: Intent | Tick | HealthChanged, seen: int | None = None) -> None:
        before, shown = self.table.state, self.table.shown
        code = self.table.ask(intent, seen)
        if code is not None:
            assert self.table.events_of(before) == self.table.events, "a refusal changes no game"
            assert shown.game is None or self.table.shown.game == shown.game

    @initialize(count=st.integers(2, 6), chosen=three_cards, hidden=st.booleans())
    def begin(self, count: int, chosen: list[Card], hidden: bool) -> None:
        self.ask(intents.StartGame(NAMES[:count], None, hidden))
        self.name_what_is_unknown(chosen)

    @precondition(lambda self: self.table.shown.phase in (Phase.LOBBY, Phase.OVER))
    @rule(count=st.integers(2, 6), first=st.none() | st.integers(0, 1), hidden=st.booleans())
    def start_game(self, count: int, first: int | None, hidden: bool) -> None:
        self.ask(intents.StartGame(NAMES[:count], first, hidden))

    @rule(chosen=three_cards)
    def name_what_is_missing(self, chosen: list[Card]) -> None:
        self.name_what_is_unknown(chosen)

    @rule(turns=st.lists(st.tuples(three_cards, lawful), min_size=1, max_size=6))
    def play_on(self, turns: list[tuple[list[Card], Lawful]]) -> None:
        """Play as people do: throw, take what is lit, do what is owed, name the next card."""
        for chosen, how in turns:
            self.name_what_is_unknown(chosen)
            self.ask(intents.EnterThrow(self.next_dice(how)))
            self.take_what_is_lit()
            self.do_what_is_owed()

    @rule(how=lawful, problems=st.sampled_from([(), (), ("leaning_die",)]))
    def press_and_read(self, how: Lawful, problems: tuple[str, ...]) -> None:
        """Throw as the rules allow, press, and have just that read."""
        self.places += 1
        seen = [seen_die(die, 40.0 * self.places + index) for index, die in enumerate(self.next_dice(how))]
        self.ask(intents.Press())
        if self.table.shown.phase == Phase.READING:
            self.reading_arrives(Reading(tuple(seen), problems, not problems), late=1)

    def next_dice(self, how: Lawful) -> tuple[Die, ...]:
        """Return a throw that keeps some of the dice that lie there."""
        game = self.table.shown.game
        before = () if game is None or game.dice is None else game.dice
        kept = [replace(die, kept=True) for die, keep in zip(before, how.keep, strict=False) if keep]
        bodies = SIX_BODIES.copy()
        for die in kept:
            bodies.remove(die.body)
        return (*kept, *(Die(body, colour) for body, colour in zip(bodies, how.colours, strict=False)))

    def do_what_is_owed(self) -> None:
        """Let the companion draw, and give back the first card in hand."""
        game = self.table.shown.game
        while game is not None and game.owed is not None and game.seat is not None:
            self.ask(intents.Draw(game.owed.seats[0]))
            sitting = self.table.state.log.playing
            if sitting is not None and sitting.drawn is not None:
                given = sitting.state.hands[game.seat][0]
                self.ask(intents.Exchange(sitting.drawn.other, sitting.drawn.card, given))
            game = self.table.shown.game

    def name_what_is_unknown(self, chosen: list[Card]) -> None:
        game = self.table.shown.game
        for holder, card in enumerate(chosen):
            if game is not None and game.holders[holder].card is None and game.holders[holder].pile:
                self.ask(intents.NameCard(holder, card))

    @rule(holder=holders, card=cards)
    def name_card(self, holder: int, card: Card) -> None:
        self.ask(intents.NameCard(holder, card))

    @rule(
        intent=st.sampled_from(
            [
                intents.Press(),
                intents.Hold(),
                intents.LongHold(),
                intents.Undo(),
                intents.Redo(),
                intents.Pass(),
                intents.DismissReading(),
            ]
        ),
        age=st.integers(0, 3),
    )
    def simple(self, intent: Intent, age: int) -> None:
        self.ask(intent, None if age == 0 else self.revisions[-min(age, len(self.revisions))])

    @rule(rarely=st.integers(0, 15))
    def abandon(self, rarely: int) -> None:
        if rarely == 15:
            self.ask(intents.AbandonGame())

    @rule(steps=st.integers(1, 60))
    def undo_far_and_redo_all(self, steps: int) -> None:
        """Whatever was undone comes back by redo, as it was."""
        self.ask(intents.DismissReading())
        before, done = self.table.shown, 0
        while done < steps and before.phase != Phase.READING and self.table.ask(intents.Undo()) is None:
            done += 1
        for _ in range(done):
            assert self.table.ask(intents.Redo()) is None
        if done:
            after = self.table.shown
            assert without_questions(after.game) == without_questions(before.game)
            assert (after.held, after.undo) == (before.held, before.undo)

    @rule(dice=thrown_dice())
    def enter_throw(self, dice: tuple[Die, ...]) -> None:
        self.ask(intents.EnterThrow(dice))

    @rule(dice=thrown_dice())
    def correct_throw(self, dice: tuple[Die, ...]) -> None:
        self.ask(intents.CorrectThrow(dice))

    @rule(dice=thrown_dice(), index=st.integers(0, 40))
    def correct_event(self, dice: tuple[Die, ...], index: int) -> None:
        self.ask(intents.CorrectEvent(index, dice))

    @rule(holder=holders, change=st.none() | st.builds(Change, st.integers(0, 5), one_colour))
    def take(self, holder: int, change: Change | None) -> None:
        self.ask(intents.Take(holder, change))

    @rule()
    def take_what_is_lit(self) -> None:
        game = self.table.shown.game
        for holder, view in enumerate(game.holders if game else ()):
            if view.light is not None:
                self.ask(intents.Take(holder, view.changes[0] if view.changes else None))
                return

    @rule(other=seats)
    def draw(self, other: int) -> None:
        self.ask(intents.Draw(other))

    @rule(victim=st.integers(0, 1), card=cards)
    def steal(self, victim: int, card: Card) -> None:
        self.ask(intents.Steal(victim, card))

    @rule(given=cards)
    def exchange_what_is_drawn(self, given: Card) -> None:
        sitting = self.table.state.log.playing
        if sitting is not None and sitting.drawn is not None:
            self.ask(intents.Exchange(sitting.drawn.other, sitting.drawn.card, given))

    @rule(player=st.integers(0, 1))
    def end_early(self, player: int) -> None:
        self.ask(intents.EndEarly(player))

    @precondition(lambda self: self.table.shown.phase == Phase.READING)
    @rule(seen=readings(), late=st.integers(0, 9))
    def reading_arrives(self, seen: Reading, late: int) -> None:
        pending = self.table.state.waiting
        assert isinstance(pending, Pending)
        events, held = self.table.events, self.table.shown.held
        token = pending.token - (1 if late == 0 else 0)
        self.table.ask(ReadingArrived(token, seen, Picture("p", (100, 10))))
        if late == 0 or not seen.trusted:
            assert self.table.events == events
            assert self.table.shown.held == held
        if late and not seen.trusted:
            assert self.table.shown.phase == Phase.DOUBT

    @rule(seen=three_sights, is_glance=st.booleans(), late=st.integers(0, 9))
    def cards_are_seen(self, seen: tuple[Sight | None, ...], is_glance: bool, late: int) -> None:
        """See the holders: what is sure gives a name to what has none, and nothing else does anything."""
        asked = self.asked_now(late)
        if asked is None:
            return
        before, events = self.names, self.table.events
        self.table.ask(CardsSeen(asked, seen, is_glance))
        self.only_the_sure_are_named(before, asked, seen)
        if self.names == before:
            assert self.table.events == events

    @precondition(lambda self: self.table.shown.phase == Phase.READING)
    @rule(how=lawful, seen=three_sights, problems=st.sampled_from([(), (), ("leaning_die",)]))
    def dice_and_cards_are_read(
        self, how: Lawful, seen: tuple[Sight | None, ...], problems: tuple[str, ...]
    ) -> None:
        """Have a press's picture tell both."""
        pending, asked = self.table.state.waiting, self.asked_now(1)
        assert isinstance(pending, Pending)
        self.places += 1
        fallen = [seen_die(die, 40.0 * self.places + index) for index, die in enumerate(self.next_dice(how))]
        told = Reading(tuple(fallen), problems, not problems)
        cards_seen = None if asked is None else CardsSeen(asked, seen)
        before = self.names
        self.table.ask(ReadingArrived(pending.token, told, Picture("p", (100, 10)), cards_seen))
        if asked is not None:
            self.only_the_sure_are_named(before, asked, seen)

    def asked_now(self, late: int) -> Asked | None:
        """Return the holders as they are now, or now and then as they were at an earlier sight."""
        asked = asked_of(self.table.state)
        if asked is None:
            return None
        self.asked.append(asked)
        return self.asked[-2] if late == 0 and len(self.asked) > 1 else asked

    @property
    def names(self) -> tuple[tuple[Card | None, int], ...]:
        """Each holder's card and how many lie there."""
        game = self.table.shown.game
        return () if game is None else tuple((one.card, one.pile) for one in game.holders)

    def only_the_sure_are_named(
        self, before: tuple[tuple[Card | None, int], ...], asked: Asked, seen: tuple[Sight | None, ...]
    ) -> None:
        for holder, ((was, pile), (now, left)) in enumerate(zip(before, self.names, strict=True)):
            sight = seen[holder]
            if now == was and left == pile:
                continue
            assert was is None
            assert (pile, None) == (left, asked.cards[holder]) == (asked.piles[holder], None)
            assert sight is not None
            assert (sight.reading.state, sight.reading.card) == (HolderState.KNOWN, now)

    @precondition(lambda self: self.table.shown.phase == Phase.READING)
    @rule()
    def reading_fails(self) -> None:
        pending = self.table.state.waiting
        assert isinstance(pending, Pending)
        self.table.ask(ReadingFailed(pending.token, "camera_fault", "The camera is away."))

    @rule(seconds=st.sampled_from((0.5, 20.0)))
    def time_goes_by(self, seconds: float) -> None:
        self.table.waits(seconds)

    @rule(state=st.sampled_from(HealthState))
    def health(self, state: HealthState) -> None:
        self.ask(HealthChanged("camera", Health(state)))

    @rule()
    def restart(self) -> None:
        before = self.table.shown
        self.table = self.table.restarted()
        after = self.table.shown
        assert after.revision > before.revision
        assert without_questions(after.game) == without_questions(before.game)
        assert after.held == before.held
        assert (after.redo, self.table.state.log.undo_label) == (before.redo, self.table.state.log.undo_label)

    @invariant()
    def revisions_only_grow(self) -> None:
        revision = self.table.shown.revision
        assert revision >= self.revisions[-1]
        self.revisions.append(revision)

    @invariant()
    def waiting_is_visible(self) -> None:
        shown = self.table.shown
        assert (shown.reading is not None) == (shown.phase in (Phase.DOUBT, Phase.CARD_NEEDED))
        if shown.phase == Phase.DOUBT:
            assert shown.reading is not None
            assert shown.reading.sentence
            assert self.table.leds == "LLL"

    @invariant()
    def cards_are_conserved(self) -> None:
        game = self.table.shown.game
        if game is not None:
            held = sum(player.cards for player in game.players)
            assert held + sum(holder.pile for holder in game.holders) == 45

    @invariant()
    def hidden_stays_hidden(self) -> None:
        game = self.table.shown.game
        if game is not None and game.hidden and game.winners is None:
            assert game.hands is None
            assert all(player.points is None for player in game.players)


TestAnyEvening: Callable[[], None] = AnyEvening.TestCase  # type: ignore[assignment]
AnyEvening.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
