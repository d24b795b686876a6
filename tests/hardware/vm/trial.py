"""The trial of the appliance in a virtual machine: installed, played, killed, wedged, and unplugged.

Run by script/test-hardware, which makes what the machine boots.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.hardware.drawn_pictures import THROWS, draw
from tests.hardware.vm.appliance import BUTTON, HOLD_S, LEDS, LONG_S, PICTURES, SERVICE, Installed
from tests.hardware.vm.kept_result import keep
from tests.hardware.vm.machine import Disks, Machine, PlugPulled, TrialFailed

THREE = {"groups": [[3, None]], "points": 1, "action": None}
FOUR = {"groups": [[4, None]], "points": 2, "action": None}
SIX = {"groups": [[6, None]], "points": 6, "action": None}
PROFILE = "/var/lib/companion/profile.json"
CUT_S = (5.0, 45.0)
"""Between which times of play the plug is pulled, by our own clock."""
NO_RESTART = "/run/systemd/system/companion.service.d/once.conf"
OFF, STEADY, SLOW, FAST, LOOK = "off", "steady", "slow_blink", "fast_blink", "look_at_phone"


@dataclass
class Report:
    """What was tried, with what came out and how long it took."""

    lines: list[tuple[str, str]] = field(default_factory=list)

    @contextmanager
    def step(self, what: str) -> Iterator[Callable[[str], None]]:
        """Announce a step, and take note of its end; the block may say more of it."""
        more: list[str] = []
        began_s = time.monotonic()
        print(f"== {what}", flush=True)
        yield more.append
        told = "; ".join([*more, f"{time.monotonic() - began_s:.0f} s"])
        print(f"   {told}", flush=True)
        self.lines.append((what, told))


class Trial:
    """All steps in their order; each begins where the one before ended."""

    def __init__(self, machine: Machine, report: Report, chance: random.Random) -> None:
        self.machine = machine
        self.table = Installed(machine)
        self.report = report
        self._chance = chance
        self._turns = 0

    def run(self, plugs: int, *, install: bool = True) -> None:
        """Do everything, from the installation on or from what is installed already.

        Raises:
            TrialFailed: something is not as it must be.
        """
        if install:
            self.install()
        self.lamps_at_the_start()
        self.let_a_phone_in()
        self.rules()
        self.killed()
        self.lights_out()
        self.wedged()
        self.stopped_still()
        self.plugs_pulled(plugs)

    # --- set-up --------------------------------------------------------------------------------

    def install(self) -> None:
        """Install as on a Pi, calibrate, and name the camera in the settings."""
        shell = self.machine.shell
        with self.report.step("installed with script/install in the running machine, and started") as more:
            shell("cp", "-R", "/opt/trial/companion", "/root/companion")
            install = "PIP_NO_INDEX=1 PIP_FIND_LINKS=/opt/trial/wheels /root/companion/script/install"
            try:
                shell("sh", "-c", install, wait_s=3600)
            except TrialFailed as failed:
                # The emulated processor may be at fault; and it may be run again, as it says.
                more(f"at the second attempt; the first: {str(failed).splitlines()[-1][:200]}")
                shell("sh", "-c", install, wait_s=3600)
            self.table.await_service()
            more(shell("companion", "--version").strip())
            exposure = shell("systemd-analyze", "security", SERVICE, "--no-pager").strip().splitlines()[-1]
            more(exposure.lstrip("→ ").strip())
        with self.report.step("calibrated with the installed command"):
            shell("install", "-d", "-o", "companion", "-g", "companion", PICTURES)
            words = f"--zones zones.json --empty empty.jpg --colours colours.jpg --out {PROFILE}"
            shell(
                "sh", "-c", f"cd /opt/trial/pictures && runuser -u companion -- companion calibrate {words}"
            )
            for key, value in (("kind", '"folder"'), ("folder", f'"{PICTURES}"'), ("cards_by_hand", "true")):
                shell("sed", "-i", f"s|^#\\?{key} = .*|{key} = {value}|", "/etc/companion/companion.toml")

    def lamps_at_the_start(self) -> None:
        """Whoever switches it on sees each LED light up in turn."""
        with self.report.step("each LED lights in turn when the service starts"):
            self.machine.shell("systemctl", "restart", "--no-block", SERVICE)
            seen = self.machine.do("watch", lines=LEDS, seconds=200, changes=4, wait_s=1800)
            lit = [tuple(states) for _, states in seen["steps"] if any(states)]
            if lit[:3] != [(1, 0, 0), (0, 1, 0), (0, 0, 1)]:
                raise TrialFailed(f"the LEDs were lit so: {seen['steps']}")
            self.table.await_service()
            health = self.table.snapshot()["health"]
            bad = {name: one for name, one in health.items() if one["state"] != "ok"}
            if bad or not {"camera", "button", "leds"} <= set(health):
                raise TrialFailed(f"not well after the start: {bad or health}")

    def let_a_phone_in(self) -> None:
        """A phone may act once the button's line was pressed."""
        table = self.table
        with self.report.step("a press of the simulated button lets a phone in"):
            table.ask_to_act("The test")
            if table.may_act():
                raise TrialFailed("the phone may act without a press")
            walked = self.machine.do("watch", lines=LEDS, seconds=2.2)["steps"]
            if {tuple(states) for _, states in walked} != {(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)}:
                raise TrialFailed(f"the LEDs do not show that a phone asks: {walked}")
            table.press()
            table.until("the phone may act", table.may_act)
            table.expect_leds("before a game", OFF, OFF, OFF)

    # --- play ----------------------------------------------------------------------------------

    def rules(self) -> None:
        """The LED lines follow the rules for given pictures."""
        table = self.table
        with self.report.step("the LED lines follow the rules for given pictures") as more:
            table.wants(type="start_game", players=["Ana", "Ben"], first=0, hidden=False)
            self._name(0, FOUR)
            self._name(2, THREE)
            table.picture("four_reds")
            seen = self.machine.do(
                "watch", lines=LEDS, seconds=30, changes=6, button={"line": BUTTON, "seconds": 0.3}
            )
            if [states for _, states in seen["steps"][1:3]] != [[1, 1, 1], [0, 0, 0]]:
                raise TrialFailed(f"the press was not answered by a spark on all LEDs: {seen['steps']}")
            more(f"let go to first spark: {seen['steps'][1][0] - 300} ms on the emulated machine")
            table.phase("card_needed")
            table.expect_leds("a card without a name", OFF, LOOK, OFF)
            self._name(1, SIX)
            table.phase("decide")
            table.expect_leds("four reds", STEADY, OFF, STEADY)
            table.press(HOLD_S)
            table.expect_leds("a hold starts the marker", FAST, OFF, STEADY)
            table.press()
            table.expect_leds("a press moves it", STEADY, OFF, FAST)
            seen = self.machine.do(
                "watch", lines=LEDS, seconds=12, button={"line": BUTTON, "seconds": HOLD_S}
            )
            table.phase("card_needed", "throw")
            flashes = [states for _, states in seen["steps"] if states == [0, 0, 1]]
            if len(flashes) < 3:
                raise TrialFailed(f"the card taken did not flash three times: {seen['steps']}")
            table.press(LONG_S)
            table.phase("decide")
            table.expect_leds("a long hold takes it back", STEADY, OFF, STEADY)
            table.press(LONG_S)
            table.phase("card_needed")
            table.expect_leds("another one the card's name", OFF, LOOK, OFF)
            table.press(LONG_S)
            table.phase("throw")
            table.expect_leds("and the next the throw", OFF, OFF, OFF)
            self._name(1, SIX)
            table.picture("blacks_alike")
            table.press()
            table.phase("decide")
            table.expect_leds("three reds, both black dice alike", SLOW, OFF, STEADY)
            table.press(LONG_S)
            table.phase("throw")
            table.picture("leaning")
            table.press()
            shown = table.phase("doubt")
            table.expect_leds("a die leans", LOOK, LOOK, LOOK)
            more(f"the doubt is {', '.join(shown['reading']['problems'])}")
            table.wants(type="dismiss_reading")
            table.picture("four_reds")
            table.press()
            table.phase("decide")

    # --- what goes wrong -----------------------------------------------------------------------

    def killed(self) -> None:
        """A kill -9 ends in the same game."""
        with self._same_game("kill -9 of the service's process") as more:
            restarts = self.table.restarts
            began_s = self.table.clock_s()
            self.machine.shell("kill", "-9", str(self.table.process))
            self.table.await_service(restarts + 1)
            more(f"back after {self.table.clock_s() - began_s:.0f} s of the machine's time")
            self.table.expect_leds("as before", STEADY, OFF, STEADY)

    def lights_out(self) -> None:
        """After a kill no LED stays lit, though the pins stay as they were, as a Pi's do."""
        with self._same_game("no LED stays lit after a kill, on pins that keep their state") as more:
            shell = self.machine.shell
            script = f"mkdir -p {Path(NO_RESTART).parent}; printf '[Service]\\nRestart=no\\n' >{NO_RESTART}"
            shell("sh", "-c", script)
            shell("systemctl", "daemon-reload")
            kill = f"(sleep 2; kill -9 {self.table.process}) >/dev/null 2>&1 &"
            shell("sh", "-c", kill)
            seen = self.machine.do("watch", lines=LEDS, seconds=150, changes=1, wait_s=1800)
            self.table.until(
                "the service has ended", lambda: self.table.shown("ActiveState")["ActiveState"] == "failed"
            )
            steps = [states for _, states in seen["steps"]]
            if steps[0] != [1, 0, 1]:
                raise TrialFailed(f"the LEDs were not lit at the kill: {seen['steps']}")
            self.table.expect_leds("after the kill", OFF, OFF, OFF)
            more(f"out {seen['ended_ms'] / 1000 - 2:.0f} s after the kill")
            shell("rm", NO_RESTART)
            shell("systemctl", "daemon-reload")
            shell("systemctl", "reset-failed", SERVICE)
            shell("systemctl", "start", SERVICE)

    def wedged(self) -> None:
        """A table that no longer answers is started anew by the watchdog, though its process lives."""
        with self._same_game("wedged: all threads held but the one that feeds the watchdog") as more:
            self._starved(lambda: self.machine.do("wedge", process=self.table.process), more)
            if "the table's writer does not answer" not in self.table.log("--lines=400"):
                raise TrialFailed("the loop did not notice that the table is wedged")

    def stopped_still(self) -> None:
        """So is a process that does not run at all."""
        with self._same_game("the whole process stopped (SIGSTOP)") as more:
            self._starved(lambda: self.machine.shell("kill", "-STOP", str(self.table.process)), more)

    def _starved(self, starve: Callable[[], object], more: Callable[[str], None]) -> None:
        restarts = self.table.restarts
        began_s = self.table.clock_s()
        starve()
        self.table.await_service(restarts + 1)
        told = self.table.log(f"--since=@{began_s:.3f}")
        if "Watchdog timeout" not in told:
            raise TrialFailed(f"it was not the watchdog that started it anew:\n{told}")
        after_s = self.table.clock_s() - began_s
        more(f"back after {after_s:.0f} s of the machine's time (the watchdog waits 30 s)")

    def plugs_pulled(self, times: int) -> None:
        """Play, and pull the machine's plug at any moment; each time it comes back to the same game."""
        for number in range(1, times + 1):
            with self.report.step(f"plug pulled in the middle of play, {number} of {times}") as more:
                acknowledged = self.table.steps()
                before = len(acknowledged)
                cut = threading.Timer(self._chance.uniform(*CUT_S), self.machine.cut_power)
                cut.start()
                try:
                    while True:
                        self._play()
                        acknowledged = self.table.steps()
                except PlugPulled:
                    pass
                finally:
                    cut.cancel()
                    cut.join()
                self.machine.pull_the_plug()
                up_s = self.machine.plug_in()
                self.table.await_service()
                found = self.table.steps()
                if found[: len(acknowledged)] != acknowledged:
                    raise TrialFailed(f"lost: acknowledged {acknowledged[-3:]}, found {found[-3:]}")
                # One step may have been kept whose answer did not get through before the cut.
                if len(found) > len(acknowledged) + 1:
                    raise TrialFailed(f"more than was played: {found[len(acknowledged) :]}")
                if "games" in self.table.snapshot()["health"]:
                    raise TrialFailed("the file of the games was damaged")
                if not self.table.may_act():
                    raise TrialFailed("the phone has to be let in anew")
                played, extra = len(acknowledged) - before, len(found) - len(acknowledged)
                more(f"{played} steps played and all {len(acknowledged)} there, {extra} unanswered")
                more(f"up after {up_s:.0f} s")

    # --- small steps ---------------------------------------------------------------------------

    @contextmanager
    def _same_game(self, what: str) -> Iterator[Callable[[str], None]]:
        """Expect the same game, event by event, and what it shows, after the block."""
        before, shown = self.table.steps(), self.table.snapshot()
        with self.report.step(what) as more:
            yield more
            self.table.await_service()
            after = self.table.steps()
            if after != before:
                raise TrialFailed(f"another game than before: {after} for {before}")
            now = self.table.snapshot()
            if now["game"]["id"] != shown["game"]["id"] or now["revision"] < shown["revision"]:
                raise TrialFailed("another game, or an older revision than was shown")
            more(f"same game with its {len(before)} steps")

    def _play(self) -> None:
        """Do what is due next: a step that the table keeps, as a rule, and never two."""
        table = self.table
        shown = table.snapshot()
        game = shown["game"]
        if game is None or shown["phase"] in ("lobby", "over"):
            table.wants(type="start_game", players=["Ana", "Ben"], first=0, hidden=False)
        elif any(holder["card"] is None and holder["pile"] for holder in game["holders"]):
            place = next(
                place for place, one in enumerate(game["holders"]) if one["card"] is None and one["pile"]
            )
            self._name(place, THREE)
        elif shown["phase"] == "throw":
            table.picture(f"throw{self._turns % THROWS:02}")
            self._turns += 1
            table.press()
            table.phase("decide", "doubt", "card_needed")
        elif shown["phase"] == "decide":
            lit = [place for place, one in enumerate(game["holders"]) if one["light"] == "yes"]
            table.wants(type="take", holder=lit[self._turns % len(lit)], change=None)
        elif shown["phase"] == "doubt":
            table.wants(type="dismiss_reading")

    def _name(self, holder: int, card: object) -> None:
        self.table.wants(type="name_card", holder=holder, card=card)


def content(project: Path, wheels: Path, folder: Path, *, pictures: bool = True) -> None:
    """Put together what goes along on the second disk; without new `pictures`, those of the last time."""
    for name in ("companion", "wheels"):
        shutil.rmtree(folder / name, ignore_errors=True)
    source = folder / "companion"
    source.mkdir(parents=True)
    for name in ("companion", "calibration", "script", "systemd"):
        shutil.copytree(project / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(project / name, source / name)
    shutil.copytree(wheels, folder / "wheels")
    shutil.copy(Path(__file__).parent / "guest" / "hands.py", folder / "hands.py")
    if pictures:
        draw(folder / "pictures")


def main(words: list[str]) -> int:
    """Run the trial; 0 when all is as it must be, else 1."""
    parser = argparse.ArgumentParser(prog="script/test-hardware", allow_abbrev=False)
    parser.add_argument("--base", type=Path, required=True, help="what the machine boots")
    parser.add_argument("--wheels", type=Path, required=True, help="the packages for pip")
    parser.add_argument("--plug", type=int, default=5, help="how often to pull the plug")
    parser.add_argument("--seed", type=int, default=1, help="for the moments of the cuts")
    parser.add_argument(
        "--run",
        type=Path,
        help="where the machine's disk is, and stays: one with the companion on it is used as it is",
    )
    parser.add_argument("--result", type=Path, help="where to keep what came out")
    args = parser.parse_args(words)
    project = Path(__file__).resolve().parents[3]
    began_s, report = time.monotonic(), Report()
    with ExitStack() as stack:
        run = args.run or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-vm-")))
        disks = Disks(args.base, run)
        is_new = not disks.own.exists()
        content(project, args.wheels, run / "content", pictures=is_new)
        disks.make(run / "content")
        machine = Machine(disks)
        try:
            with machine:
                Trial(machine, report, random.Random(args.seed)).run(args.plug, install=is_new)
        except (TrialFailed, PlugPulled, TimeoutError) as failed:
            print(f"test-hardware: {failed}", file=sys.stderr)
            for console in sorted(run.glob("console-*.log")):
                tail = console.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
                print(f"--- {console.name}", *tail, sep="\n", file=sys.stderr)
            return 1
    if args.result is not None:
        keep(args.result, (time.monotonic() - began_s) / 60, args.plug, report.lines)
    print(f"{len(report.lines)} passed, 0 failed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
