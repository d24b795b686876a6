"""A table that watches a folder, driven by pictures with known truth and by the taps of a phone."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from calibration import calibrate
from companion.cli.pictures import load_picture, load_zones
from companion.cli.watch_loop import Watch
from companion.devices.folder import STILL_S, FolderCamera, PictureFolder
from companion.game.dice import Body, Die
from companion.store.journal import SqliteJournal
from companion.table.conductor import Outcome, Table
from companion.table.intents import Intent
from companion.table.ports import CardEye, LedPatterns
from companion.table.snapshot import Snapshot
from companion.table.state import Setup
from companion.vision.profile import Profile
from companion.vision.read import read_picture


def profile_of(folder: Path) -> Profile:
    """Calibrate a table from its own two pictures.

    Raises:
        CalibrationRefused: as with a person who does it.
    """
    zones = load_zones(folder / "zones.json")
    return calibrate(zones, load_picture(folder / "empty.jpg"), load_picture(folder / "colours.jpg"))


def truth_of(folder: Path) -> dict[str, Any]:
    """Return what is known of a folder's pictures."""
    return dict(json.loads((folder / "truth.json").read_text(encoding="utf-8")))


def counted(dice: Iterable[Die]) -> Counter[tuple[Body, str, bool]]:
    """Return dice without their order."""
    return Counter((die.body, die.colour, die.kept) for die in dice)


class KeptLeds:
    """LEDs that remember what they show."""

    patterns: LedPatterns | None = None

    def show(self, patterns: LedPatterns) -> None:
        self.patterns = patterns


class SteppedClock:
    """A clock that is moved on by hand."""

    def __init__(self) -> None:
        self.time_s = 0.0

    def now_s(self) -> float:
        return self.time_s


class TableOfPictures:
    """The real watch loop, table, store, reading; only time is made."""

    def __init__(
        self, profile: Profile, place: Path, *, first_throws: bool = False, eye: CardEye | None = None
    ) -> None:
        self.folder = place / "pictures"
        self.folder.mkdir()
        self.leds = KeptLeds()
        self._clock, camera = SteppedClock(), FolderCamera()
        self._journal = SqliteJournal(place / "games.db")
        setup = Setup(has_reserve=profile.zones.reserve_px is not None)
        self.table = Table(
            self._journal,
            lambda frame: read_picture(frame, profile),
            camera,
            self.leds,
            self._clock,
            setup=setup,
            eye=eye,
        )
        folder = PictureFolder(self.folder)
        self._watch = Watch(self.table, camera, folder, profile, first_throws=first_throws, clock=self._clock)

    def __enter__(self) -> Self:
        self.table.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.table.close()
        self._journal.close()

    @property
    def shown(self) -> Snapshot:
        return self.table.snapshot()

    def drops(self, picture: Path) -> Snapshot:
        """Let the camera drop this picture in the folder, and return what the table shows once it is read."""
        shutil.copyfile(picture, self.folder / picture.name)
        handled = self._watch.look()
        self._clock.time_s += 2 * STILL_S
        handled += self._watch.look()
        assert handled == 1, f"{picture.name} was handled {handled} times"
        return self.shown

    def taps(self, intent: Intent) -> Outcome:
        """Tap on a phone that shows the present, and expect it to be done."""
        outcome = self.table.submit(intent, self.shown.revision)
        assert outcome.accepted, f"{intent}: {outcome.code}: {outcome.sentence}"
        return outcome
