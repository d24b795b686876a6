"""The installed companion inside the virtual machine: its service, its button, its LEDs, and a phone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from tests.hardware.vm.machine import Machine, TrialFailed
from tests.hardware.vm.patterns import WATCHED_MS, patterns_of

BUTTON, LEDS = 23, (17, 27, 22)
"""The settings' defaults, as the wiring page has them."""
DATA = "/var/lib/companion/companion.db"
PICTURES = "/var/lib/companion/pictures"
SERVICE = "companion.service"
PATIENCE_S = 1200.0
"""How long something may take, by our own clock; the machine inside may be slow."""
PRESS_S, HOLD_S, LONG_S = 0.3, 1.6, 4.5
"""In the middle of what counts as each, since an emulated machine's clock stumbles."""

Patterns = tuple[str | None, ...]


class Installed:
    """What a person with a phone does at the table, and what root does to the service."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.cookie: str | None = None
        self._pictures = 0

    # --- the service ---------------------------------------------------------------------------

    def shown(self, *properties: str) -> Mapping[str, str]:
        """Return what systemd knows of the service."""
        asked = [f"--property={name}" for name in properties]
        told = self.machine.shell("systemctl", "show", SERVICE, *asked)
        return dict(line.split("=", 1) for line in told.splitlines() if "=" in line)

    @property
    def process(self) -> int:
        """The number of the service's first process; 0 where it does not run."""
        return int(self.shown("MainPID")["MainPID"])

    @property
    def restarts(self) -> int:
        """How often systemd has started the service anew by itself."""
        return int(self.shown("NRestarts")["NRestarts"])

    def log(self, *words: str) -> str:
        """Return the service's journal."""
        return self.machine.shell("journalctl", "--unit=companion", "--output=cat", "--no-pager", *words)

    def clock_s(self) -> float:
        """Return the machine's own time: emulated, it goes by more slowly than ours."""
        return float(self.machine.shell("date", "+%s.%N"))

    def await_service(self, restarts: int | None = None) -> None:
        """Wait until it is ready, and was started anew so often if that is said."""

        def is_up() -> bool:
            now = self.shown("ActiveState", "NRestarts")
            often = restarts is None or int(now["NRestarts"]) >= restarts
            return now["ActiveState"] == "active" and often

        self.until("the service is active", is_up)
        self.until("the page answers", lambda: self.machine.ask("GET", "/api/snapshot")["status"] == 200)

    # --- pins ----------------------------------------------------------------------------------

    def press(self, seconds: float = PRESS_S) -> None:
        """Press the button."""
        self.machine.do("press", line=BUTTON, seconds=seconds)

    def leds(self) -> Patterns:
        """Return the patterns that the LEDs' lines show."""
        return patterns_of(self.machine.do("watch", lines=LEDS, seconds=WATCHED_MS / 1000))

    def expect_leds(self, what: str, *wanted: str) -> None:
        """Wait until the lines show these patterns, which may begin a little after what they follow from."""
        seen: list[Patterns] = []

        def are_so() -> bool:
            seen.append(self.leds())
            return seen[-1] == wanted

        self.until(f"{what}: the LEDs show {wanted}", are_so, tries=6, seen=seen)

    # --- camera and phone ----------------------------------------------------------------------

    def picture(self, name: str) -> None:
        """Have the camera's folder get this picture, as the newest one, whole at once."""
        self._pictures += 1
        place = f"{PICTURES}/{self.machine.starts:02}-{self._pictures:05}.jpg"
        script = (
            f"rm -f {PICTURES}/*.jpg; cp /opt/trial/pictures/{name}.jpg {place}.part; "
            f"chown companion: {place}.part; mv {place}.part {place}"
        )
        self.machine.shell("sh", "-c", script)

    def get(self, path: str) -> Any:
        """Return what the page answers, as the phone sees it."""
        answer = self.machine.ask("GET", path, self._headers())
        if answer["status"] != 200:
            raise TrialFailed(f"GET {path}: {answer['status']} {answer['body'][:300]}")
        return json.loads(answer["body"])

    def snapshot(self) -> dict[str, Any]:
        """Return what the table shows now."""
        told: dict[str, Any] = self.get("/api/snapshot")
        return told

    def steps(self) -> list[str]:
        """Return every step of every game that the table's file keeps, oldest first."""
        entries: list[str] = self.machine.do("kept", path=DATA)["entries"]
        # What is kept beside steps only says how far revisions may go.
        return [entry for entry in entries if json.loads(entry)["do"] != "reserve"]

    def wants(self, **intent: Any) -> dict[str, Any]:
        """Ask for something by phone, and expect it to be done; return what the table shows then."""
        body = {"revision": self.snapshot()["revision"], "intent": intent}
        answer = self.machine.ask("POST", "/api/intents", self._headers(), body)
        if answer["status"] != 200:
            raise TrialFailed(f"{intent}: {answer['status']} {answer['body'][:500]}")
        told: dict[str, Any] = json.loads(answer["body"])["snapshot"]
        return told

    def ask_to_act(self, name: str) -> None:
        """Have the phone ask; a press of the button then lets it in."""
        answer = self.machine.ask("POST", "/api/pairing", body={"name": name})
        if answer["status"] != 200:
            raise TrialFailed(f"asking to act: {answer['status']} {answer['body'][:300]}")
        self.cookie = str(answer["headers"]["Set-Cookie"]).partition(";")[0]

    def may_act(self) -> bool:
        """Whether the phone is let in."""
        return bool(self.get("/api/pairing")["you"] == "paired")

    def phase(self, *wanted: str) -> dict[str, Any]:
        """Wait until the table is in one of these phases, and return what it shows."""
        seen: list[dict[str, Any]] = []

        def is_so() -> bool:
            seen.append(self.snapshot())
            return seen[-1]["phase"] in wanted

        self.until(f"the table is in {wanted}", is_so)
        return seen[-1]

    def until(
        self, what: str, is_so: Callable[[], bool], tries: int = 0, seen: list[Any] | None = None
    ) -> None:
        """Wait for something; where it does not come, the log's end is told."""
        give_up_s, count = time.monotonic() + PATIENCE_S, 0
        while not is_so():
            count += 1
            if (tries and count >= tries) or time.monotonic() > give_up_s:
                last = f"; seen last: {seen[-1]}" if seen else ""
                raise TrialFailed(f"not so: {what}{last}\n{self.log('--lines=40')}")
            time.sleep(0.5)

    def _headers(self) -> dict[str, str]:
        return {} if self.cookie is None else {"Cookie": self.cookie}
