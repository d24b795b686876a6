"""A supervised camera: one worker calls it, every call has a deadline, and whatever fails is tried again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from companion.devices.camera_advice import STALLED, trouble_of
from companion.devices.lock import Lock
from companion.devices.settling import Watcher, settle
from companion.devices.streaming import CameraTrouble, StreamingCamera
from companion.table.advice import PROBLEM_ADVICE
from companion.table.ports import CameraFault, Clock, Frame
from companion.table.state import Health, HealthState

LOG = logging.getLogger(__name__)
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long things may take, in seconds."""

    call_s: float = 2.5
    """One frame; then the camera has stalled, and people know it within three seconds of their press."""
    open_s: float = 12.0
    """Opening, which on a Pi Zero takes a few."""
    lock_s: float = 5.0
    """Until the frames are as locked: the pipeline holds some that were taken before."""
    first_retry_s: float = 1.0
    last_retry_s: float = 60.0
    """Waits between attempts to open double from the first to the last."""


@dataclass(slots=True, eq=False)
class _Job:
    """A frame that somebody waits for, and how it is taken."""

    take: Callable[[], Frame]
    done: threading.Event = field(default_factory=threading.Event)
    frame: Frame | None = None
    trouble: CameraTrouble | None = None


class SupervisedCamera:
    """The table's camera: never hangs, never ends the program, and says how it is.

    All calls of the device are made by one thread, which is started once. Where a call never returns,
    captures are refused at once until it does; no second thread is ever put beside a stuck one.
    """

    def __init__(
        self,
        device: StreamingCamera,
        clock: Clock,
        *,
        lock: Lock | None = None,
        watcher: Callable[[], Watcher] | None = None,
        on_health: Callable[[Health], None] = lambda _health: None,
        deadlines: Deadlines | None = None,
    ) -> None:
        """Make it; `start` opens the device. `watcher` makes what tells stillness after each press."""
        self._device = device
        self._clock = clock
        self._lock = lock or Lock()
        self._watcher = watcher
        self._on_health = on_health
        self._deadlines = deadlines or Deadlines()
        self._changed = threading.Condition()
        self._job: _Job | None = None
        self._closing = False
        self._opened: Lock | None = None  # what the device is open with; None while it is not
        self._call: tuple[float, float] | None = None  # when it was called, and by when it must return
        self._waits_s = 0.0
        self._gave_pictures = False
        self._health = Health(HealthState.STARTING, "The camera is being opened.")
        self._last: Mapping[str, Any] = {}
        self._thread = threading.Thread(target=self._work, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to open the device, and return at once."""
        self._on_health(self._health)
        self._thread.start()

    @property
    def health(self) -> Health:
        """How the camera is; a call that is overdue is told here as soon as anybody asks."""
        if self._overdue_s() > 0:
            self._tell(Health(HealthState.FAULT, STALLED[1]))
        return self._health

    @property
    def stuck_s(self) -> float:
        """For how long a call has been overdue, of a camera that had given pictures; else 0."""
        return self._overdue_s() if self._gave_pictures else 0.0

    @property
    def lock(self) -> Lock:
        """What every frame that is read must have been taken with."""
        return self._lock

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What the camera told of the last whole frame."""
        return self._last

    def capture(self) -> Frame:
        """Wait until the dice lie still, and return a frame taken then, as locked.

        Raises:
            CameraFault: the camera is away, stalled or not locked, or the dice do not come to rest.
        """
        return self._asked(_Job(self._still))

    def photograph(self) -> Frame:
        """Return a whole frame of what the camera sees now, whatever moves there, taken as locked.

        Raises:
            CameraFault: the camera is away, stalled, not locked, or taking another picture.
        """
        return self._asked(_Job(self._locked))

    def hold(self, lock: Lock) -> Frame:
        """Have the device open with this lock from now on, and return a whole frame taken so.

        An empty lock lets the camera choose exposure and colours by itself.

        Raises:
            CameraFault: as for a photograph; pictures are then taken with the lock there was before.
        """
        frame = self._asked(_Job(partial(self._held, lock)))
        self._lock = lock  # only now: a lock that the device does not open with would leave it dead
        return frame

    def return_to(self, lock: Lock) -> None:
        """Take later pictures with this lock; the next one opens the device anew, so this never fails."""
        self._lock = lock

    def look(self) -> Frame:
        """Return a whole frame of what the camera sees now, whatever moves there, locked or not.

        Raises:
            CameraFault: the camera is away, stalled, or taking another picture.
        """
        return self._asked(_Job(self._looked))

    def _asked(self, job: _Job) -> Frame:
        with self._changed:
            if self._closing:
                raise CameraFault("camera_closed", "The camera is closed, since the companion is ending.")
            if self._overdue_s() > 0:
                self._tell(Health(HealthState.FAULT, STALLED[1]))
                raise CameraFault(*STALLED)
            if self._job is not None:
                raise CameraFault(
                    "camera_in_use", "The camera is taking a picture already: try again in a moment."
                )
            self._job = job
            self._changed.notify_all()
        while not job.done.wait(0.05):
            if self._overdue_s() > 0:
                self._tell(Health(HealthState.FAULT, STALLED[1]))
                raise CameraFault(*STALLED)
        if job.trouble is not None:
            raise CameraFault(job.trouble.code, job.trouble.sentence)
        assert job.frame is not None
        return job.frame

    def close(self) -> None:
        """Let the device go, unless it is stuck; may be called again."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(self._deadlines.call_s)

    def _overdue_s(self) -> float:
        call = self._call
        return 0.0 if call is None else max(0.0, self._clock.now_s() - call[1])

    def _work(self) -> None:
        """Open, wait for jobs, do them, open again; whatever the device raises ends up in a sentence."""
        while True:
            job = self._next_job()
            if job is None and self._closing:
                break
            try:
                self._ensure_open(self._lock)
                if job is not None:
                    job.frame = job.take()
            except Exception as error:  # libraries raise what they like; all of it is told
                LOG.debug("the camera's error", exc_info=True)
                trouble = self._failed(error)
                if job is not None:
                    job.trouble = trouble
            if job is not None:
                with self._changed:
                    self._job = None
                job.done.set()
        self._let_go()

    def _next_job(self) -> _Job | None:
        """Wait for a job, or until it is time to try to open the device again."""
        with self._changed:
            timeout = self._waits_s if self._opened is None else None
            self._changed.wait_for(lambda: self._job is not None or self._closing, timeout)
            return None if self._closing and self._job is None else self._job

    def _ensure_open(self, lock: Lock) -> None:
        if self._opened == lock:
            return
        if self._opened is not None:
            self._let_go()
        self._timed(partial(self._device.open, lock), self._deadlines.open_s)
        self._opened = lock
        self._waits_s = 0.0
        LOG.info("the camera is open")
        self._tell(Health(HealthState.OK))

    def _still(self) -> Frame:
        """Wait for stillness, then for a frame that was taken as locked."""
        if self._watcher is not None:
            settle(self._next_small, self._watcher(), self._clock)
        return self._locked()

    def _held(self, lock: Lock) -> Frame:
        self._ensure_open(lock)
        return self._locked()

    def _locked(self) -> Frame:
        """Wait for a frame that was taken as the device was opened."""
        lock = self._opened or Lock()
        give_up_s = self._clock.now_s() + self._deadlines.lock_s
        while True:
            shot = self._timed(self._device.still, self._deadlines.call_s)
            off = lock.differences(shot.metadata)
            if not off:
                break
            if self._clock.now_s() >= give_up_s:
                raise CameraTrouble(
                    "camera_not_locked",
                    f"The camera is not locked ({'; '.join(off)}), so colours cannot be trusted: press "
                    "again, or calibrate again.",
                )
        self._last = shot.metadata
        self._gave_pictures = True
        self._tell(Health(HealthState.OK))
        return shot.frame

    def _looked(self) -> Frame:
        shot = self._timed(self._device.still, self._deadlines.call_s)
        self._last = shot.metadata
        self._tell(Health(HealthState.OK))
        return shot.frame

    def _next_small(self) -> Frame:
        return self._timed(self._device.small, self._deadlines.call_s)

    def _timed(self, call: Callable[[], Result], limit_s: float) -> Result:
        now_s = self._clock.now_s()
        self._call = (now_s, now_s + limit_s)
        try:
            return call()
        finally:
            late = self._overdue_s() > 0
            self._call = None
            if late:
                raise CameraTrouble(*STALLED)

    def _failed(self, error: Exception) -> CameraTrouble:
        """Take note of what went wrong; unless the dice do not rest, the camera is opened anew."""
        trouble = trouble_of(error)
        if trouble.code in PROBLEM_ADVICE:
            return trouble
        LOG.warning("%s: %s", trouble.code, error if isinstance(error, CameraTrouble) else repr(error))
        self._let_go()
        first, last = self._deadlines.first_retry_s, self._deadlines.last_retry_s
        self._waits_s = min(last, max(first, 2 * self._waits_s))
        self._tell(Health(HealthState.FAULT, trouble.sentence))
        return trouble

    def _let_go(self) -> None:
        self._opened = None
        try:
            self._timed(self._device.close, self._deadlines.call_s)
        except Exception:  # a device that failed may fail to close as well; it is opened anew all the same
            LOG.info("the camera did not close in order", exc_info=True)

    def _tell(self, health: Health) -> None:
        with self._changed:
            if health == self._health:
                return
            self._health = health
        level = logging.INFO if health.state is HealthState.OK else logging.WARNING
        LOG.log(level, "camera: %s%s", health.state, f" ({health.sentence})" if health.sentence else "")
        self._on_health(health)
