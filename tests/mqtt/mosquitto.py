"""A real Mosquitto on a free port, to be killed and started again; and somebody who listens to it."""

from __future__ import annotations

import json
import queue
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.mqtt.link import Broker
from tests.conftest import in_ci

WAIT_S = 90.0
"""How long something awaited may take on a busy machine before the test gives up."""

Options = Sequence[str]


def program(name: str, package: str, *more_places: str) -> str:
    """Return a program of a Debian package; without it the test is skipped, in CI it fails."""
    path = ":".join(
        ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin", *more_places)
    )
    found = shutil.which(name) or shutil.which(name, path=path)
    if found is None:
        missing(f"no {name} on this system: `sudo apt-get install {package}` brings it")
    return found


def missing(reason: str) -> NoReturn:
    """Skip the test for what this system lacks; in CI it fails."""
    if in_ci():
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def until(true: Callable[[], bool], what: str, within_s: float = WAIT_S) -> None:
    """Wait until something holds."""
    ends_s = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < ends_s, f"{what}: not within {within_s:.0f} s"
        time.sleep(0.01)


class Mosquitto:
    """One broker; what it keeps on the disk outlives a stop, as in a service."""

    def __init__(
        self, folder: Path, lines: Options = ("allow_anonymous true",), listener: Options = ()
    ) -> None:
        self.port = free_port()
        self._program = program("mosquitto", "mosquitto")
        self._file = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        own = (
            "per_listener_settings false",
            f"listener {self.port} 127.0.0.1",
            *listener,
            "persistence true",
            f"persistence_location {folder}/",
            "autosave_interval 1800",
            "max_queued_messages 0",
            "user root",  # it keeps the rights of whoever tests
        )
        self._file.write_text("\n".join((*own, *lines)) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def broker(self) -> Broker:
        return Broker("127.0.0.1", self.port)

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._program, "-c", self._file], stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        until(self._answers, f"Mosquitto answers (it says: {self._log.read_text()[-500:]})")

    def kill(self) -> None:
        """As by a power cut: nothing more is written."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(WAIT_S)
        self._process = None

    @contextmanager
    def stuck(self) -> Iterator[None]:
        """Let it take connections and messages, as far as the system does that for it, and do nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(WAIT_S)
            self._process = None

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text()
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True


@dataclass(frozen=True)
class Said:
    """One message as a listener got it."""

    topic: str
    payload: bytes
    retain: bool
    qos: int

    @property
    def json(self) -> Any:
        return json.loads(self.payload)


class Listener:
    """Subscribes to everything, and keeps it."""

    def __init__(self, broker: Broker, topics: str = "#") -> None:
        self.said: list[Said] = []
        self.new: queue.SimpleQueue[Said] = queue.SimpleQueue()
        self._ready = threading.Event()
        self.client = Client(
            CallbackAPIVersion.VERSION2, client_id="listener", protocol=MQTTProtocolVersion.MQTTv5
        )
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe(topics, qos=1)
        self.client.on_subscribe = lambda *_: self._ready.set()
        self.client.on_message = self._heard
        self.client.connect(broker.host, broker.port)
        self.client.loop_start()
        assert self._ready.wait(WAIT_S)

    def _heard(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        said = Said(message.topic, bytes(message.payload), message.retain, message.qos)
        self.said.append(said)
        self.new.put(said)

    def hears(self, true: Callable[[Said], bool], what: str = "a message") -> Said:
        """Wait for a message of which something holds, old ones included; return the newest such."""
        until(lambda: any(true(said) for said in tuple(self.said)), f"hearing {what}")
        return next(said for said in reversed(self.said) if true(said))

    def on(self, ending: str) -> list[Said]:
        """Return what was heard on topics that end so."""
        return [said for said in self.said if said.topic.endswith(ending)]

    def games(self) -> list[str]:
        """Return the ids of the games that were heard, with repetitions."""
        return [said.topic.rpartition("/")[2] for said in self.said if "/games/" in said.topic]

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@contextmanager
def listening(broker: Broker, topics: str = "#") -> Iterator[Listener]:
    listener = Listener(broker, topics)
    try:
        yield listener
    finally:
        listener.close()


@contextmanager
def running(folder: Path, *lines: str) -> Iterator[Mosquitto]:
    """Run a broker that keeps what it keeps in `folder`, which is made; without `lines` all are let in."""
    folder.mkdir()
    broker = Mosquitto(folder, lines or ("allow_anonymous true",))
    broker.start()
    yield broker
    broker.stop()


@contextmanager
def deaf_to_wishes(folder: Path) -> Iterator[Mosquitto]:
    """Run a broker that lets everybody in and speak, and nobody listen."""
    plugins = sorted(Path("/usr/lib").glob("*/mosquitto_dynamic_security.so"))
    if not plugins:
        missing("no mosquitto_dynamic_security.so on this system: it comes with Debian's mosquitto")
    may = {"publishClientSend": True, "publishClientReceive": True, "subscribe": False, "unsubscribe": True}
    rights = folder.with_suffix(".json")
    rights.write_text(json.dumps({"defaultACLAccess": may}))
    more = (f"plugin {plugins[0]}", f"plugin_opt_config_file {rights}")
    with running(folder, "allow_anonymous true", *more) as broker:
        yield broker
