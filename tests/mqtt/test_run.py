"""`companion run` with a broker in its settings: the table is there, and says so when it goes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT
from tests.mqtt.mosquitto import Listener, Mosquitto, free_port


def test_run_tells_the_broker(mosquitto: Mosquitto, listener: Listener, tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text(
        '[camera]\nkind = "none"\n[button]\nuse = false\n[leds]\nuse = false\n'
        f'[page]\nhost = "127.0.0.1"\nport = {free_port()}\nannounce = false\n'
        f'[table]\ndata = "{tmp_path}/games.db"\n'
        f'[mqtt]\nuse = true\nport = {mosquitto.port}\ntable = "oak"\nname = "The oak"\nprefix = "hall"\n'
    )
    command = [sys.executable, "-m", "companion", "run", "--settings", str(settings)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, env={**os.environ}) as process:
        listener.hears(lambda said: said.topic == "hall/v1/oak/availability" and said.payload == b"online")
        assert listener.hears(lambda said: said.topic == "hall/v1/oak/state").json["name"] == "The oak"
        process.send_signal(signal.SIGTERM)
        listener.hears(lambda said: said.topic == "hall/v1/oak/availability" and said.payload == b"offline")
        assert process.wait(60) == 0
