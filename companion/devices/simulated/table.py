"""The simulated table as a thing: one scene that people and the camera share, changed under a lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration import calibrate
from companion.devices.simulated import handling
from companion.devices.simulated.inks import COLOURS
from companion.devices.simulated.mischief import CameraState, Mischief, conditions_of
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.renderer import Conditions, render
from companion.devices.simulated.scene import Place, Scene, SceneDie, fresh_dice
from companion.game.cards import Card
from companion.game.dice import Die
from companion.table.ports import CameraFault
from companion.vision.profile import Profile

Bytes = npt.NDArray[np.uint8]
Cards = tuple[Card | None, Card | None, Card | None]


@dataclass(frozen=True, slots=True)
class Moment:
    """One state of the table: a number that only grows, what lies there, and what is wrong."""

    version: int
    scene: Scene
    mischief: Mischief


class SimulatedTable:
    """Six dice, three cards, a lamp and a camera; safe to use from several threads.

    The camera's picture of each version is rendered once, so that people see exactly what the reading gets.
    """

    def __init__(self, seed: int | None = None, pose: Pose | None = None) -> None:
        """Lay the dice out; the same `seed` gives the same throws."""
        self.pose = pose or Pose()
        self._rng = np.random.default_rng(seed)
        self._noise_seed = int(self._rng.integers(2**31))
        self._lock = threading.Lock()
        self._rendering = threading.Lock()
        self._moment = Moment(1, Scene(fresh_dice()), Mischief())
        self._frame: tuple[int, Bytes] | None = None
        self._unread = False

    def moment(self) -> Moment:
        """What is there now."""
        return self._moment

    @property
    def colours(self) -> tuple[str, ...]:
        """The six colours of the dice."""
        return COLOURS

    @property
    def unread(self) -> bool:
        """Whether dice were thrown since the camera last gave a picture."""
        return self._unread

    def calibrated(self) -> Profile:
        """Take the two pictures that calibration asks for, and make a profile of them.

        Raises:
            CalibrationRefused: as with a real table.
        """
        conditions = Conditions(pose=self.pose)
        rng = np.random.default_rng(self._noise_seed)
        empty = render(Scene(), conditions, rng)
        colours = render(Scene(fresh_dice()), conditions, rng)
        return calibrate(self.pose.zones(), empty, colours)

    def throw(self, everything: bool = False) -> tuple[int, ...]:
        """Throw the dice that are not in the reserve, or all six; return their indices.

        With all dice in the reserve nothing is thrown.
        """
        thrown: list[int] = []

        def change(scene: Scene) -> Scene:
            thrown.extend(
                index for index, die in enumerate(scene.dice) if everything or die.place is not Place.RESERVE
            )
            return handling.throw(scene, thrown, self._rng)

        self._change(change)
        self._unread = self._unread or bool(thrown)
        return tuple(thrown)

    def move_die(self, index: int) -> None:
        """Set a die aside that lies on the track, or take one back from the reserve or the tower."""

        def change(scene: Scene) -> Scene:
            aside = scene.dice[index].place is Place.TRACK
            return (handling.set_aside if aside else handling.take_back)(scene, index, self._rng)

        self._change(change)

    def turn_die(self, index: int, colour: str) -> None:
        """Turn a die to a colour and set it aside (the black-dice change, rule 5.2)."""
        self._change(lambda scene: handling.set_aside(handling.turn(scene, index, colour), index, self._rng))

    def turn_kept_die(self) -> None:
        """Let someone turn a die in the reserve to another colour (rule 6.1); without one nothing happens."""

        def change(scene: Scene) -> Scene:
            kept = [index for index, die in enumerate(scene.dice) if die.place is Place.RESERVE]
            if not kept:
                return scene
            index = int(self._rng.choice(kept))
            others = [colour for colour in COLOURS if colour != scene.dice[index].colour]
            return handling.turn(scene, index, str(self._rng.choice(others)))

        self._change(change)

    def lean_die(self) -> None:
        """Let one of the dice on the track get cocked at the wall; without one there nothing happens."""
        self._change(lambda scene: self._with_some_die(scene, handling.lean_on_wall))

    def lose_die(self) -> None:
        """Let one of the dice on the track be stuck in the tower; without one there nothing happens."""
        self._change(lambda scene: self._with_some_die(scene, _stuck))

    def tidy(self) -> None:
        """Put right whatever leans or is stuck in the tower: those dice are laid on the track as they are."""

        def change(scene: Scene) -> Scene:
            for index in range(len(scene.dice)):
                die = scene.dice[index]
                if die.lean_rad or die.place is Place.TOWER:
                    scene = handling.take_back(scene, index, self._rng)
            return scene

        self._change(change)

    def lay_out(self, dice: Sequence[Die]) -> None:
        """Lay the dice as a game left them: kept ones in the reserve, the others on the track."""

        def change(scene: Scene) -> Scene:
            order = sorted(range(len(dice)), key=lambda index: str(dice[index].body) != "white")
            colours = tuple(dice[index].colour for index in order)
            laid = replace(scene, dice=fresh_dice(colours))
            for place, index in enumerate(order):
                if dice[index].kept:
                    laid = handling.set_aside(laid, place, self._rng)
            return laid

        self._change(change)

    def take_dice_away(self) -> None:
        """Take all dice off the table, as set-up asks for."""
        self._change(lambda scene: replace(scene, dice=()))

    def lay_six_colours(self) -> None:
        """Lay the six dice on the track, each with another colour up."""
        self._change(lambda scene: replace(scene, dice=fresh_dice()))

    def show_cards(self, cards: Cards) -> None:
        """Let these cards lie open on the holders (None: no card is left there)."""
        if self._moment.scene.cards != cards:
            self._change(lambda scene: replace(scene, cards=cards))

    def set_mischief(self, mischief: Mischief) -> None:
        """Change lamp, camera, hand."""
        with self._lock:
            moment = self._moment
            if mischief != moment.mischief:
                self._moment = Moment(moment.version + 1, moment.scene, mischief)

    def picture(self) -> tuple[int, Bytes]:
        """The version and the camera's picture of it, uint8 BGR; taken even where the camera is unplugged."""
        with self._rendering:
            moment = self._moment
            if self._frame is None or self._frame[0] != moment.version:
                conditions = conditions_of(moment.mischief, self.pose)
                rng = np.random.default_rng([self._noise_seed, moment.version])
                frame = render(moment.scene, conditions, rng)
                frame.setflags(write=False)
                self._frame = (moment.version, frame)
            return self._frame

    def capture(self) -> Bytes:
        """What the camera gives to be read.

        Raises:
            CameraFault: it is unplugged.
        """
        frame = self.look()
        self._unread = False
        return frame

    def look(self) -> Bytes:
        """What the camera sees, for a glance; dice that were thrown count as unread still.

        Raises:
            CameraFault: it is unplugged.
        """
        if self._moment.mischief.camera is CameraState.UNPLUGGED:
            raise CameraFault("camera_gone", "The camera does not answer; check its cable.")
        return self.picture()[1]

    def _change(self, change: Callable[[Scene], Scene]) -> None:
        with self._lock:
            moment = self._moment
            scene = change(moment.scene)
            if scene != moment.scene:
                self._moment = Moment(moment.version + 1, scene, moment.mischief)

    def _with_some_die(
        self, scene: Scene, change: Callable[[Scene, int, np.random.Generator], Scene]
    ) -> Scene:
        lying = [index for index, die in enumerate(scene.dice) if _lies_flat(die)]
        return change(scene, int(self._rng.choice(lying)), self._rng) if lying else scene


def _lies_flat(die: SceneDie) -> bool:
    return die.place is Place.TRACK and die.lean_rad == 0.0


def _stuck(scene: Scene, index: int, _rng: np.random.Generator) -> Scene:
    return handling.stick_in_tower(scene, index)


class SimulatedCamera:
    """The camera above a simulated table."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table

    def capture(self) -> Bytes:
        """Return a picture of the table as it is now, uint8 BGR (h, w, 3).

        Raises:
            CameraFault: the camera is unplugged.
        """
        return self._table.capture()

    def close(self) -> None:
        """Nothing to let go."""
