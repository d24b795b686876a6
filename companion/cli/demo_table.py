"""The demo's table: the real one, with simulated devices, a real calibration, and its pages."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from flask import Flask

from companion.cli.profile_reader import ProfileReader
from companion.devices.clock import MonotonicClock
from companion.devices.simulated.button import SimulatedButton
from companion.devices.simulated.dealer import Dealer
from companion.devices.simulated.drawn_deck import drawn_deck
from companion.devices.simulated.leds import SimulatedLeds
from companion.devices.simulated.robot_seats import RobotSeats
from companion.devices.simulated.table import SimulatedCamera, SimulatedTable
from companion.game.cards import Card
from companion.history.shelf import Shelf
from companion.pairing.door import Door
from companion.pairing.phones import PhoneBook
from companion.store.deck_file import PicturedDeck
from companion.store.growing_deck import GrowingDeck
from companion.table.conductor import Table
from companion.table.gestures import Gesture
from companion.table.ports import DeckFault, Journal
from companion.vision.profile import Profile
from companion.web import create_app
from companion.web.demo import demo_pages
from companion.web.setup_desk import SetupDesk, SetupPort, SetupRefused

NO_HOLDERS = (
    "The camera reads the cards at this table: mark the three holders too, or start the demo with "
    "--cards-by-hand."
)


def drawn_eye(deck: Sequence[Card], path: Path | None = None) -> Callable[[Profile], GrowingDeck]:
    """Return what makes a reader that knows these cards' drawings, and keeps what it learns in `path`."""
    return lambda profile: GrowingDeck.of(profile, PicturedDeck(drawn_deck(deck)), path)


class Demo:
    """One simulated table with everything that belongs to it, ready to be served: `with Demo(…) as demo`."""

    def __init__(
        self,
        journal: Journal,
        deck: Sequence[Card],
        *,
        seed: int | None = None,
        token: Callable[[], str] = secrets.token_hex,
        eye: Callable[[Profile], GrowingDeck] | None = None,
        history: Shelf | None = None,
        phones: PhoneBook | None = None,
    ) -> None:
        """Calibrate the simulated camera and set the table up on `journal`; `token` makes game ids.

        `eye` makes what reads the cards; without it people name them. Past games are shown from `history`, if
        it is given. With `phones` a press of the drawn button lets in who may act; without, everybody may.

        Raises:
            CalibrationRefused: the simulated pictures do not suffice, which is a defect.
            DeckFault: `eye` can not read with this profile.
            LogError: the journal's entries make no game.
        """
        clock = MonotonicClock()
        self.scene = SimulatedTable(seed)
        began_s = clock.now_s()
        profile = self.scene.calibrated()
        self.calibration_s = clock.now_s() - began_s
        self.leds = SimulatedLeds(clock)
        reader = ProfileReader(profile)
        deck_eye = None if eye is None else eye(profile)
        self.table = Table(
            journal,
            reader,
            SimulatedCamera(self.scene),
            self.leds,
            clock,
            deck=deck,
            eye=deck_eye,
            glance=self.scene.look,
            token=token,
        )
        self.dealer = Dealer(self.table, self.scene, deck)
        self.door = None if phones is None else Door(phones, clock)
        self.button = SimulatedButton(self.table, clock, self._lets_in)
        # A robot's press is for the dice, whoever asks to be let in.
        self.robots = RobotSeats(self.table, self.scene, SimulatedButton(self.table, clock), clock)

        def keep(made: Profile) -> None:
            if deck_eye is not None:
                try:
                    deck_eye.use(made)
                except DeckFault as fault:
                    raise SetupRefused("no_holders", NO_HOLDERS) from fault
            reader.use(made)

        port = SetupPort(self.scene.look, dict, keep, profile.zones)
        self.app: Flask = create_app(self.table, history=history, door=self.door, setup=SetupDesk(port))
        self.app.register_blueprint(
            demo_pages(self.scene, self.leds, self.button, self.dealer, self.robots, clock, self.door)
        )
        game = self.table.snapshot().game
        if game is not None and game.dice is not None:
            self.scene.lay_out(game.dice)

    def _lets_in(self, gesture: Gesture) -> bool:
        return self.door is not None and self.door.hears(gesture)

    def __enter__(self) -> Self:
        self.table.start()
        self.dealer.start()
        self.robots.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.robots.close()
        self.dealer.close()
        self.table.close()
