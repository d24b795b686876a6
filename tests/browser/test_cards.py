"""Nobody types twice: a card is named once on a phone, and known from then on, in other light too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.cli.demo_table import Demo
from companion.devices.simulated.mischief import LampState
from companion.game.cards import Card
from companion.game.deck import default_deck
from companion.game.dice import DEFAULT_COLOURS, Body, Die
from companion.game.events import Take
from companion.store.growing_deck import GrowingDeck
from companion.store.memory import MemoryJournal
from companion.vision.profile import Profile
from companion.web import serve
from tests.browser.phones import Phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request

pytestmark = pytest.mark.browser

TURNS = 4
PATIENCE_S = 120.0
HOLDERS = ("left", "middle", "right")
ACTIONS = {"replay": "replay", "theft": "theft", "exchange": "exchange", "super_exchange": "super exchange"}
BODIES = (Body.WHITE,) * 4 + (Body.BLACK,) * 2


class Evening:
    """One phone at a demo whose cards the camera knows by a deck file; counts the names it sends."""

    def __init__(self, demo: Demo, phone: Phone) -> None:
        self.demo, self.phone = demo, phone
        self.names_sent = 0
        self.met: set[Card] = set()
        phone.page.on("request", self._count)

    def _count(self, request: Request) -> None:
        self.names_sent += '"name_card"' in (request.post_data or "")

    @property
    def lying(self) -> tuple[Card, ...]:
        """The cards that truly lie in the holders."""
        return tuple(card for card in self.demo.scene.moment().scene.cards if card is not None)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so at the table."""
        while not is_so():
            snapshot = self.demo.table.snapshot()
            if not is_so():
                newer = self.demo.table.wait_newer(snapshot.revision, PATIENCE_S)
                assert newer is not None, f"stuck: {snapshot.to_json()}"

    def asked(self) -> list[int]:
        """The holders whose card is asked about."""
        game = self.demo.table.snapshot().game
        return [] if game is None else [at for at, one in enumerate(game.holders) if one.question is not None]

    def are_named(self) -> bool:
        """Whether every card has its name."""
        game = self.demo.table.snapshot().game
        return game is not None and all(holder.card is not None for holder in game.holders)

    def waits_for_names(self) -> None:
        """Wait until every card has its name, and the phone shows it."""
        self.until(self.are_named)
        self.phone.page.get_by_text("which card?", exact=True).first.wait_for(state="hidden")

    def name_new_cards(self) -> None:
        """Answer the camera's questions by the cards as they lie, until every card has its name."""
        while not self.are_named():
            self.until(lambda: self.are_named() or bool(self.asked()))
            for holder in self.asked()[:1]:
                self._name(holder)
        self.waits_for_names()

    def _name(self, holder: int) -> None:
        card = self.lying[holder]
        self.phone.sees(f"A new card lies in the {HOLDERS[holder]} holder")
        self.phone.tap("Say what it is")
        sheet = self.phone.sheet
        sheet.get_by_role(
            "img", name=f"The card in the {HOLDERS[holder]} holder, as the camera saw it"
        ).wait_for()
        sheet.get_by_text("This is what the camera makes of it").wait_for()
        while (points := int(sheet.locator("output[aria-live]").inner_text())) != card.points:
            self.phone.tap("More points" if points < card.points else "Fewer points")
        sheet.get_by_role("group", name="Action").get_by_role(
            "button", name="no action" if card.action is None else ACTIONS[card.action.value], exact=True
        ).click()
        self.phone.tap("This is the card")
        sheet.wait_for(state="hidden")

    def plays_a_turn(self) -> None:
        """Let dice fall that make one of the cards, one without an action if there is; read, and take it."""
        self.met |= set(self.lying)
        holder = min(range(3), key=lambda place: self.lying[place].action is not None)
        self.demo.scene.lay_out(dice_for(self.lying[holder]))
        self.phone.tap("Read the dice")
        name = f"Take the card in the {HOLDERS[holder]} holder"
        taken = self._taken() + 1
        self.phone.page.get_by_role("button", name=name, exact=True).click()
        self.until(lambda: self._taken() == taken)

    def _taken(self) -> int:
        return sum(isinstance(event, Take) for event in self.demo.table.record())

    def checks(self) -> None:
        """What the table takes for the cards is what lies there."""
        game = self.demo.table.snapshot().game
        assert game is not None
        assert tuple(holder.card for holder in game.holders) == self.lying


def dice_for(card: Card) -> tuple[Die, ...]:
    """Six dice that make a card; free groups show colours that no other group needs."""
    named = {group.colour for group in card.groups}
    spare = [colour for colour in DEFAULT_COLOURS if colour not in named]
    needed: list[str] = []
    for group in card.groups:
        needed += [group.colour or spare.pop(0)] * group.size
    filled = [*needed, *DEFAULT_COLOURS][: len(BODIES)]
    return tuple(Die(body, colour, False) for body, colour in zip(BODIES, filled, strict=True))


@contextmanager
def evening(browser: Browser, deck: Path, lamp: LampState) -> Iterator[Evening]:
    """Play at a demo with this deck file; the piles lie the same each time."""

    def eye(profile: Profile) -> GrowingDeck:
        return GrowingDeck.opened(profile, deck, DEFAULT_COLOURS)

    tokens = iter(f"{number:032x}" for number in range(1, 10_000))
    with (
        Demo(MemoryJournal(), default_deck().cards, eye=eye, seed=3, token=lambda: next(tokens)) as demo,
        serve(demo.app, "127.0.0.1", 0) as server,
    ):
        demo.scene.set_mischief(replace(demo.scene.moment().mischief, lamp=lamp))
        phone = Phone(browser, server.address)
        yield Evening(demo, phone)
        phone.close()


def test_cards_are_typed_once_and_never_again(browser: Browser, tmp_path: Path) -> None:
    deck = tmp_path / "deck.json"
    with evening(browser, deck, LampState.NORMAL) as first:
        first.phone.start_game(["Ana", "Ben"], first="Ana")
        for _ in range(TURNS):
            first.name_new_cards()
            first.checks()
            first.plays_a_turn()
        first.name_new_cards()
        first.checks()
        met = first.met | set(first.lying)
        assert first.names_sent == len(met), "each card was named once"

    with evening(browser, deck, LampState.WARM) as second:
        second.phone.start_game(["Ana", "Ben"], first="Ana")
        for _ in range(TURNS):
            second.waits_for_names()
            second.checks()
            second.plays_a_turn()
        second.waits_for_names()
        second.checks()
        assert second.met | set(second.lying) == met
        assert second.names_sent == 0
        second.phone.sees("seen by the camera")

        # A name that is taken back is asked for, and one tap brings it back.
        second.phone.tap("Undo")
        second.phone.sees("Taken back")
        second.demo.scene.throw(everything=True)
        second.phone.tap("Read the dice")
        second.phone.sees("but its name was taken back. Is it this one?")
        second.phone.page.get_by_role("group", name="Which card is it?").get_by_role("button").first.click()
        second.waits_for_names()
        second.checks()
