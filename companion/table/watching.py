"""Watching: a worker takes and reads one picture at a time; a slow camera never holds up the table."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from companion.table.card_watch import CardWatch
from companion.table.decide import HealthChanged, Inner, ReadingArrived, ReadingFailed
from companion.table.ports import Camera, CameraFault, Frame, Reader
from companion.table.sights import Asked, Lesson, Watch
from companion.table.state import Health, HealthState, Picture
from companion.vision.geometry import ZonesError

LOG = logging.getLogger(__name__)

Told = TypeVar("Told")
Job = tuple[int, Asked | None] | Lesson | None
"""A press and the holders as they were then; what is to be learned; None: nothing but to look up."""


class Watching:
    """Camera and reader behind one thread; every `look` is answered by one report, however late.

    With a `cards` it also reads the holders: at each press, and in between where it is told to `watch`.
    """

    stalled_sentence = "the camera is still busy with the last picture; check its cable, or type the throw"

    def __init__(
        self,
        camera: Camera | None,
        reader: Reader | None,
        report: Callable[[Inner], None],
        cards: CardWatch | None = None,
    ) -> None:
        self._camera = camera
        self._reader = reader
        self._report = report
        self._cards = cards
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="table-watching", daemon=True)
        self._looking: int | None = None
        self._frame: tuple[str, Frame] | None = None

    def start(self) -> None:
        """Begin to work; without a camera there is nothing to do."""
        if self._camera is not None and self._reader is not None:
            self._thread.start()

    def close(self, timeout_s: float) -> None:
        """Stop, and let the camera go; a camera that is stuck is left behind with its daemon thread."""
        self._closing = True
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        if self._camera is not None:
            self._camera.close()

    def look(self, token: int, asked: Asked | None) -> bool:
        """Take and read a picture for the press `token`; False where the last one is not done yet."""
        if self._looking is not None:
            return False
        self._looking = token
        self._jobs.put((token, asked))
        return True

    def done(self, token: int) -> None:
        """Take note that the report for `token` has come."""
        if token == self._looking:
            self._looking = None

    def watch(self, watch: Watch | None) -> None:
        """Look at these holders between presses from now on."""
        if self._cards is not None and self._cards.turn_to(watch):
            self._jobs.put(None)

    def learn(self, lesson: Lesson) -> None:
        """Learn what people named."""
        self._jobs.put(lesson)

    def frame(self, picture: Picture | None) -> tuple[str, Frame] | None:
        """Return the frame of this picture, if it is the last one read."""
        found = self._frame
        return found if found is not None and picture is not None and found[0] == picture.picture_id else None

    def _work(self) -> None:
        while not self._closing:
            wait_s = None if self._cards is None else self._cards.wait_s
            try:
                job = self._jobs.get(timeout=wait_s)
            except queue.Empty:
                self._tell_cards(CardWatch.glance)
                continue
            if isinstance(job, Lesson):
                self._tell_cards(partial(CardWatch.learn, lesson=job))
            elif job is not None:
                self._press(*job)

    def _tell_cards(self, do: Callable[[CardWatch], Inner | None]) -> None:
        told = self._of_cards(do)
        if told is not None:
            self._report(told)

    def _of_cards(self, do: Callable[[CardWatch], Told]) -> Told | None:
        if self._cards is None:
            return None
        try:
            return do(self._cards)
        except Exception as defect:  # the dice are read all the same, and cards named by people
            LOG.exception("reading the cards failed")
            sentence = f"The cards could not be read ({defect}); name them on a phone."
            self._report(HealthChanged("cards", Health(HealthState.FAULT, sentence)))
            return None

    def _press(self, token: int, asked: Asked | None) -> None:
        """Read for a press; cards that have their names are looked at once the lights have answered."""
        report = self._looked(token, asked)
        self._report(report)
        if isinstance(report, ReadingArrived) and asked is not None and not asked.unknown:
            frame = self._frame
            if frame is not None and not self._closing:
                self._tell_cards(partial(CardWatch.seen, frame=frame[1], asked=asked))

    def _looked(self, token: int, asked: Asked | None) -> Inner:
        assert self._camera is not None
        assert self._reader is not None
        try:
            frame = self._camera.capture()
            reading = self._reader(frame)
        except CameraFault as fault:
            return ReadingFailed(token, fault.code, fault.sentence)
        except ZonesError as error:
            return ReadingFailed(token, "wrong_picture", str(error))
        except Exception as defect:  # told to people and logged: play must be able to go on by phone
            LOG.exception("reading the picture of press %s failed", token)
            return ReadingFailed(token, "reading_failed", f"The picture could not be read ({defect}).")
        picture_id = str(token)
        self._frame = (picture_id, frame)
        cards = None
        if asked is not None and asked.unknown:
            cards = self._of_cards(partial(CardWatch.seen, frame=frame, asked=asked))
        return ReadingArrived(token, reading, Picture(picture_id, (frame.shape[1], frame.shape[0])), cards)
