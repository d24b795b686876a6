"""The virtual machine seen from outside: its power, its plug, and a line to the hands inside it."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

START_S = 900.0
"""An emulated machine on a busy computer takes its time to start."""

CPU = "Nehalem"
"""What numpy and OpenCV need, and not more: QEMU 7.2 emulates AVX wrongly, and OpenCV crashes on it."""

KERNEL_LINE = "console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off systemd.show_status=false"


class PlugPulled(Exception):
    """The machine has no power any more."""


class TrialFailed(Exception):
    """What was expected is not so; the sentence says what."""


@dataclass(frozen=True, slots=True)
class Disks:
    """What the machine boots, and the folder with what belongs to this run only."""

    base: Path
    run: Path

    @property
    def own(self) -> Path:
        """The machine's own disk, which outlives a pulled plug but not the run."""
        return self.run / "disk.qcow2"

    @property
    def trial(self) -> Path:
        """The disk with project, wheels, pictures and the hands."""
        return self.run / "trial.img"

    def make(self, content: Path) -> None:
        """Lay an empty disk over the base unless there is one already, and put `content` on the other."""
        base = str((self.base / "disk.img").resolve())
        if not self.own.exists():
            _run("qemu-img", "create", "-q", "-f", "qcow2", "-b", base, "-F", "raw", str(self.own))
        size_mb = sum(path.stat().st_size for path in content.rglob("*") if path.is_file()) // 1_000_000 + 60
        _run("mke2fs", "-q", "-F", "-t", "ext4", "-d", str(content), str(self.trial), f"{size_mb}M")


class Machine:
    """One virtual machine; `with Machine(…)` plugs it in, and pulls the plug at the end."""

    def __init__(self, disks: Disks) -> None:
        self._disks = disks
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._text = b""
        self.starts = 0

    def __enter__(self) -> Self:
        try:
            self.plug_in()
        except BaseException:
            self.pull_the_plug()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.pull_the_plug()

    def plug_in(self) -> float:
        """Give it power, and return after how many seconds the hands inside answered."""
        began_s = time.monotonic()
        self.starts += 1
        address = self._disks.run / "line"
        address.unlink(missing_ok=True)
        with (self._disks.run / f"console-{self.starts}.log").open("wb") as log:
            self._process = subprocess.Popen(
                self._words(address), stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        give_up_s = began_s + START_S
        while self._line is None:
            line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                line.connect(str(address))
            except OSError:
                line.close()
                self._still_runs(give_up_s)
                time.sleep(0.1)
            else:
                self._line = line
        self._text = b""
        # What is sent before somebody listens may be lost, or come back as an echo: so it is sent again.
        while not self._greeted():
            self._still_runs(give_up_s)
        return time.monotonic() - began_s

    def pull_the_plug(self) -> None:
        """Take its power away: what was not written through to its disk is gone."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        if self._line is not None:
            self._line.close()
            self._line = None

    def cut_power(self) -> None:
        """As `pull_the_plug`, from another thread: whoever waits for an answer gets `PlugPulled`."""
        process = self._process
        if process is not None:
            process.kill()

    def do(self, deed: str, *, wait_s: float = 900.0, **arguments: Any) -> dict[str, Any]:
        """Have the hands do something, and return their answer.

        Raises:
            PlugPulled: the machine went off.
            TimeoutError: no answer came.
            TrialFailed: the hands could not do it.
        """
        if self._line is None:
            raise PlugPulled
        try:
            self._line.sendall(json.dumps({"do": deed, **arguments}).encode() + b"\n")
            answer = self._answer(time.monotonic() + wait_s)
        except (BrokenPipeError, ConnectionResetError) as gone:
            raise PlugPulled from gone
        if "failed" in answer:
            raise TrialFailed(f"{deed}: {answer['failed']}")
        return answer

    def shell(self, *words: str, wait_s: float = 900.0, check: bool = True) -> str:
        """Run a command inside, and return what it printed.

        Raises:
            TrialFailed: it ended with another status than 0, and `check` says that this matters.
        """
        answer = self.do("shell", words=words, timeout_s=wait_s, wait_s=wait_s + 30)
        if check and answer["code"] != 0:
            raise TrialFailed(f"{' '.join(words)} ended with {answer['code']}: {answer['out'][-3000:]}")
        return str(answer["out"])

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: object = None
    ) -> dict[str, Any]:
        """Ask the page inside as a phone does."""
        text = None if body is None else json.dumps(body)
        kind = {} if body is None else {"Content-Type": "application/json"}
        return self.do(
            "ask", method=method, path=path, headers={**(headers or {}), **kind}, body=text, timeout_s=120
        )

    def _answer(self, give_up_s: float) -> dict[str, Any]:
        assert self._line is not None
        while b"\n" not in self._text:
            left_s = give_up_s - time.monotonic()
            if left_s <= 0:
                raise TimeoutError("the hands inside do not answer")
            self._line.settimeout(left_s)
            got = self._line.recv(65536)
            if not got:
                raise PlugPulled
            self._text += got
        answer, _, self._text = self._text.partition(b"\n")
        told: dict[str, Any] = json.loads(answer)
        return told

    def _greeted(self) -> bool:
        """Greet the hands inside, and tell whether they answered; whatever else comes is dropped."""
        assert self._line is not None
        mark = f"greeting {time.monotonic()}"
        self._line.sendall(json.dumps({"do": "hello", "mark": mark}).encode() + b"\n")
        give_up_s = time.monotonic() + 5.0
        while True:
            try:
                answer = self._answer(give_up_s)
            except TimeoutError:
                return False
            except ValueError:
                continue
            if answer.get("greeted") == mark:
                return True

    def _still_runs(self, give_up_s: float) -> None:
        if self._process is None or self._process.poll() is not None:
            raise TrialFailed(f"the machine does not start; see {self._disks.run}/console-{self.starts}.log")
        if time.monotonic() > give_up_s:
            raise TrialFailed(f"the machine was not up within {START_S:.0f} s")

    def _words(self, line: Path) -> Sequence[str]:
        base = self._disks.base
        words = ["qemu-system-x86_64", "-M", "pc", "-accel", "tcg", "-cpu", CPU, "-smp", "1", "-m", "1024"]
        # Time inside goes by what is executed, as on a processor of 500 million instructions a second, never
        # faster than ours: however busy this computer is, nothing inside comes too late for that.
        words += ["-icount", "shift=1,sleep=on", "-rtc", "base=utc,clock=vm"]
        words += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
        words += ["-kernel", str(base / "vmlinux"), "-initrd", str(base / "initrd"), "-append", KERNEL_LINE]
        # Written through when the machine's kernel says "flush", and not before, as with an SD card.
        for name, path, kind in (("own", self._disks.own, "qcow2"), ("trial", self._disks.trial, "raw")):
            words += ["-drive", f"if=none,id={name},file={path},format={kind},cache=writeback"]
            words += ["-device", f"virtio-blk-pci,drive={name}"]
        words += ["-device", "virtio-rng-pci", "-serial", "stdio"]
        return [
            *words,
            "-chardev",
            f"socket,id=line,path={line},server=on,wait=off",
            "-serial",
            "chardev:line",
        ]


def _run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TrialFailed(f"{' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
