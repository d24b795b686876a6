"""The demo's table: the real one, with simulated devices, a real calibration, and its pages."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Self

from flask import Flask

from companion.devices.simulated.button import SimulatedButton
from companion.devices.simulated.dealer import Dealer
from companion.devices.simulated.leds import SimulatedLeds
from companion.devices.simulated.robot_seats import RobotSeats
from companion.devices.simulated.table import SimulatedCamera, SimulatedTable
from companion.game.cards import Card
from companion.history.shelf import Shelf
from companion.pairing.door import Door
from companion.pairing.phones import PhoneBook
from companion.table.conductor import Table
from companion.table.gestures import Gesture
from companion.table.ports import Journal
from companion.vision.read import read_picture
from companion.web import create_app
from companion.web.demo import demo_pages


class Demo:
    """One simulated table with everything that belongs to it, ready to be served: `with Demo(…) as demo`."""

    def __init__(
        self,
        journal: Journal,
        deck: Sequence[Card],
        *,
        seed: int | None = None,
        token: Callable[[], str] = secrets.token_hex,
        history: Shelf | None = None,
        phones: PhoneBook | None = None,
    ) -> None:
        """Calibrate the simulated camera and set the table up on `journal`; `token` makes game ids.

        Past games are shown from `history`, if it is given. With `phones` a press of the drawn button lets
        in who may act; without, everybody may.

        Raises:
            CalibrationRefused: the simulated pictures do not suffice, which is a defect.
            LogError: the journal's entries make no game.
        """
        clock = _Monotonic()
        self.scene = SimulatedTable(seed)
        began_s = clock.now_s()
        profile = self.scene.calibrated()
        self.calibration_s = clock.now_s() - began_s
        self.leds = SimulatedLeds(clock)
        reader = partial(read_picture, profile=profile)
        self.table = Table(
            journal, reader, SimulatedCamera(self.scene), self.leds, clock, deck=deck, token=token
        )
        self.dealer = Dealer(self.table, self.scene, deck)
        self.door = None if phones is None else Door(phones, clock)
        button = SimulatedButton(self.table, clock, self._lets_in)
        # A robot's press is for the dice, whoever asks to be let in.
        self.robots = RobotSeats(self.table, self.scene, SimulatedButton(self.table, clock), clock)
        self.app: Flask = create_app(self.table, history=history, door=self.door)
        self.app.register_blueprint(
            demo_pages(self.scene, self.leds, button, self.dealer, self.robots, clock, self.door)
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


class _Monotonic:
    """Seconds of the system's clock that only goes forward."""

    def now_s(self) -> float:
        """Return seconds since some fixed moment."""
        return time.monotonic()
