"""The set-up as a page drives it: calibration's steps, each on a picture taken now; then it is kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from calibration import CalibrationRefused, MarkerLayout, Settings, Setup
from companion.table.ports import CameraFault, Frame
from companion.vision.face_patch import Quad
from companion.vision.frame_view import FrameError
from companion.vision.geometry import Zones, ZonesError
from companion.vision.profile import Profile
from companion.vision.read import read_picture
from companion.vision.reading import Reading

Result = TypeVar("Result")


class SetupRefused(ValueError):
    """A step is not done: a stable code, and a sentence that says what to do. What was taken before stays,
    but for a picture of the empty table whose lock the camera no longer has.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def step_of(work: Callable[[], Result]) -> Result:
    """Do a step of a set-up.

    Raises:
        SetupRefused: calibration or the camera refuses, or the picture does not suit the zones.
    """
    try:
        return work()
    except (CalibrationRefused, CameraFault) as refusal:
        raise SetupRefused(refusal.code, refusal.sentence) from refusal
    except (ZonesError, FrameError) as error:
        raise SetupRefused("bad_zones", str(error)) from error


@dataclass(frozen=True, slots=True)
class SetupPort:
    """What a set-up needs from the table it is for."""

    look: Callable[[], Frame]
    """A picture of what the camera sees now, as locked, uint8 BGR (h, w, 3); may raise CameraFault."""
    controls: Callable[[], Mapping[str, Any]]
    """Locks the camera to what it settles on, and returns that for the profile; may raise CameraFault."""
    keep: Callable[[Profile], None]
    """Keep the profile, and read with it from now on; may raise SetupRefused."""
    present: Zones | None = None
    """The zones that the table has now, to begin with."""
    release: Callable[[], None] | None = None
    """Where the camera is locked by an earlier set-up: lets it measure the light anew, after a moment."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A picture read with the profile that is about to be kept."""

    frame: Frame
    reading: Reading


class SetupDesk:
    """One set-up at a time, whoever in the house goes on with it; safe to use from several threads."""

    def __init__(self, port: SetupPort, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._port = port
        self._now = now
        self._lock = threading.Lock()
        self._setup = Setup()
        self._still: tuple[int, Frame] | None = None
        self._trial: Trial | None = None
        self._found: tuple[Quad, ...] = ()
        self._controls: Mapping[str, Any] = {}
        self._kept = False

    def look(self) -> Frame:
        """Return a picture of now.

        Raises:
            SetupRefused: the camera gives none.
        """
        with self._lock:
            return step_of(self._port.look)

    def still(self) -> tuple[int, Frame] | None:
        """Return number and frame of the last picture that a step was done on."""
        return self._still

    def state(self) -> dict[str, Any]:
        """Return how far it has come, as JSON values."""
        with self._lock:
            return self._told()

    def begin(self) -> dict[str, Any]:
        """Begin anew."""
        with self._lock:
            self._take(Setup())
            return self._told()

    def take_zones(self, data: object) -> dict[str, Any]:
        """Take the zones as a person drew them, in the form of `zones.json`; their size is the picture's."""
        with self._lock:
            frame = self._photograph()
            if not isinstance(data, Mapping):
                raise SetupRefused("bad_zones", "send the zones as a JSON object")
            try:
                zones = Zones.from_dict({**data, "size": [frame.shape[1], frame.shape[0]]})
            except ZonesError as error:
                raise SetupRefused("bad_zones", str(error)) from error
            self._take(self._setup.with_zones(zones))
            return self._told()

    def find_zones(self, track_mm: object) -> dict[str, Any]:
        """Find the zones by the printed markers, round a track of this inner (width, height) in mm."""
        layout = MarkerLayout(track_mm=_pair(track_mm))
        with self._lock:
            frame = self._photograph()
            anew = Setup(palette=self._setup.palette)
            self._take(step_of(lambda: anew.with_markers(frame, layout)))
            return self._told()

    def take_empty(self) -> dict[str, Any]:
        """Lock the camera to what it settles on above the empty table, and take the picture of that."""
        with self._lock:
            controls = dict(step_of(self._port.controls))
            if self._setup.zones is not None:
                # what was taken under another lock does not go with what follows
                self._take(self._setup.with_zones(self._setup.zones))
            frame = self._photograph()
            self._take(step_of(lambda: self._setup.with_empty(frame)))
            self._controls = controls
            return self._told()

    def take_colours(self) -> dict[str, Any]:
        """Take the picture of the six dice, and learn their colours.

        Where only their names are unclear, the picture stays, for people to say them.
        """
        with self._lock:
            self._found = ()
            frame = self._photograph()
            seen = step_of(lambda: self._setup.with_dice(frame))
            self._found = seen.top_faces_px
            try:
                learned = step_of(seen.learned)
            except SetupRefused as refused:
                if refused.code == "names_unclear":
                    self._take(seen)
                raise
            self._take(learned)
            return self._told()

    def take_names(self, names: object) -> dict[str, Any]:
        """Take the colours' names as a person says them, in the order of the dice that are shown."""
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise SetupRefused("bad_names", "send the names of the dice as a list")
        with self._lock:
            self._take(step_of(lambda: self._setup.with_names(names)))
            return self._told()

    def try_now(self) -> dict[str, Any]:
        """Read a picture of now with the profile, before it is kept."""
        with self._lock:
            profile = self._profile()
            frame = self._photograph()
            self._trial = Trial(frame, step_of(lambda: read_picture(frame, profile)))
            return self._told()

    def release(self) -> dict[str, Any]:
        """Let a locked camera measure the light anew; the table begins anew for that."""
        if self._port.release is None:
            raise SetupRefused("not_locked", "the camera measures the light by itself already")
        self._port.release()
        return self.state()

    def keep(self) -> dict[str, Any]:
        """Keep the profile: the table reads with it from now on."""
        with self._lock:
            self._port.keep(self._profile())
            self._kept = True
            return self._told()

    def _photograph(self) -> Frame:
        """Take the picture that a step is done on; it is shown also where the step is refused."""
        frame = step_of(self._port.look)
        number = 1 if self._still is None else self._still[0] + 1
        self._still = (number, frame)
        return frame

    def _take(self, setup: Setup) -> None:
        self._setup = setup
        self._trial = None
        self._kept = False

    def _profile(self) -> Profile:
        settings = Settings(self._now().isoformat(timespec="seconds"), self._controls)
        return step_of(lambda: self._setup.profile(settings))

    def _told(self) -> dict[str, Any]:
        setup = self._setup
        zones = setup.zones or self._port.present
        lesson = setup.lesson
        return {
            "step": setup.next_step.value,
            "advice": setup.next_step.advice,
            "zones": None if zones is None else zones.to_dict(),
            "still": None if self._still is None else self._still[0],
            "names": list(setup.palette.names),
            "dice": [
                {"name": name, "body": body, "top_px": _listed(quad)}
                for name, body, quad in zip(*_called(setup), setup.top_faces_px, strict=True)
            ],
            "found": [_listed(quad) for quad in self._found],
            "margins": []
            if lesson is None
            else [
                {
                    "colour": one.colour,
                    "nearest": one.nearest,
                    "sigmas": one.sigmas,
                    "sureness": one.sureness,
                }
                for one in lesson.margins
            ],
            "trial": None if self._trial is None else _read(self._trial.reading),
            "kept": self._kept,
            "locked": self._port.release is not None,
        }


def _called(setup: Setup) -> tuple[Sequence[str | None], Sequence[str | None]]:
    """Return names and bodies of the dice in the colours picture; None where nobody knows yet."""
    if setup.lesson is None:
        unknown = (None,) * len(setup.top_faces_px)
        return unknown, unknown
    return setup.lesson.names, setup.lesson.bodies


def _pair(value: object) -> tuple[float, float]:
    """Return two positive numbers, or refuse."""
    if isinstance(value, list) and len(value) == 2:
        width, height = value
        numbers = all(isinstance(n, int | float) and not isinstance(n, bool) and 0 < n < 2000 for n in value)
        if numbers:
            return float(width), float(height)
    raise SetupRefused("bad_zones", "give the track's inner width and height in millimetres")


def _read(reading: Reading) -> dict[str, Any]:
    dice = [{**die.to_dict(), "top_px": _listed(die.top_px)} for die in reading.dice]
    return {"dice": dice, "problems": list(reading.problems), "trusted": reading.trusted}


def _listed(quad: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in quad]
