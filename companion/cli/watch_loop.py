"""The loop of `companion watch`: each new picture in the folder is a press, and its outcome is printed."""

from __future__ import annotations

import threading

from companion.cli.watch_words import dice_seen, told
from companion.devices.clock import MonotonicClock
from companion.devices.folder import Arrived, FolderCamera, FolderFault, PictureFolder
from companion.pairing.door import Door
from companion.table.conductor import Outcome, Table
from companion.table.intents import EnterThrow, Press, Undo
from companion.table.phase import Phase
from companion.table.ports import Clock, Frame
from companion.table.snapshot import Snapshot
from companion.table.state import Health, HealthState
from companion.vision.geometry import ZonesError
from companion.vision.profile import Profile
from companion.vision.read import read_picture

LOOK_EVERY_S = 0.15


class Watch:
    """The loop: each new picture becomes a press, and what came of it is printed."""

    def __init__(
        self,
        table: Table,
        camera: FolderCamera,
        folder: PictureFolder,
        profile: Profile,
        *,
        first_throws: bool = False,
        door: Door | None = None,
        clock: Clock | None = None,
        page: bool = True,
    ) -> None:
        """Watch `folder` for `table`; a picture that comes while a phone asks at `door` lets it in.

        Without a `page` no phone can answer, which is told where one is asked.
        """
        self._table = table
        self._camera = camera
        self._folder = folder
        self._profile = profile
        self._first_throws = first_throws
        self._door = door
        self._page = page
        self._clock = clock or MonotonicClock()
        self._folder_is_well = True

    def until(self, stopped: threading.Event, *, once: bool = False) -> None:
        """Handle pictures until stopped, or with `once` until none is left to handle."""
        while not stopped.is_set():
            handled = self.look()
            if once and handled == 0 and not self._folder.waits:
                return
            stopped.wait(LOOK_EVERY_S)

    def look(self) -> int:
        """Handle the pictures that are ready now; return how many."""
        count = 0
        try:
            for found in self._folder.look(self._clock.now_s()):
                count += 1
                words = self.handled(found) if isinstance(found, Arrived) else found.sentence
                print(words, flush=True)
            self._tell_health(None)
        except FolderFault as fault:
            self._tell_health(fault.sentence)
        return count

    def handled(self, arrived: Arrived) -> str:
        """Press for one picture, and return in words what came of it."""
        name = arrived.path.name
        wish = None if self._door is None else self._door.waiting()
        if self._door is not None and wish is not None and self._door.let_in():
            return f"{name}: taken as the press that lets '{wish.name}' play along; not read."
        if self._first_throws:
            self._clear_turn()
        self._camera.put(arrived.frame)
        outcome = self._pressed()
        if not outcome.accepted:
            read = self._read_only(arrived.frame) if outcome.code == "no_game" else ""
            return f"{name}: not taken as a throw: {outcome.sentence}.{read}"
        snapshot = self._settled()
        if self._first_throws:
            snapshot = self._all_thrown(snapshot)
        return told(name, snapshot, page=self._page)

    def _pressed(self) -> Outcome:
        """Press, after any reading that a phone has begun."""
        while True:
            outcome = self._table.submit(Press())
            if outcome.code != "already_reading":
                return outcome
            self._settled()

    def _settled(self) -> Snapshot:
        """Return the snapshot once nothing is being read; the table itself sees to it that this ends."""
        snapshot = self._table.snapshot()
        while snapshot.phase == Phase.READING:
            snapshot = self._table.wait_newer(snapshot.revision, 1.0) or self._table.snapshot()
        return snapshot

    def _clear_turn(self) -> None:
        """Take back the throw before, so that the next picture is a first throw again."""
        while True:
            snapshot = self._table.snapshot()
            game = snapshot.game
            lies_there = game is not None and (game.dice is not None or snapshot.held is not None)
            if not (lies_there or snapshot.phase == Phase.DOUBT) or not self._table.submit(Undo()).accepted:
                return

    def _all_thrown(self, snapshot: Snapshot) -> Snapshot:
        """Take dice that lie in the reserve as thrown too."""
        reading = snapshot.reading
        if reading is None or reading.why != "all_dice_needed" or not reading.mends:
            return snapshot
        return self._table.submit(EnterThrow(reading.mends[0].dice)).snapshot

    def _read_only(self, frame: Frame) -> str:
        try:
            reading = read_picture(frame, self._profile)
        except ZonesError as error:
            return f"\n  {error}"
        doubt = "" if reading.trusted else f" (not sure: {', '.join(reading.problems)})"
        return f"\n  read: {dice_seen(reading.dice)}{doubt}"

    def _tell_health(self, sentence: str | None) -> None:
        if (sentence is None) == self._folder_is_well:
            return
        self._folder_is_well = sentence is None
        state = HealthState.OK if sentence is None else HealthState.FAULT
        self._table.report_health("camera", Health(state, sentence))
        print(sentence or "the folder is there again", flush=True)
