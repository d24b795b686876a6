"""The command: its faults are one sentence and status 3, and `--rebuild` works out all results anew."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import update

from companion.cli.broker import broker_of
from companion.cli.club import LIBRARIES
from companion.cli.main import main
from companion.club.database import opened
from companion.club.ledger import Ledger
from companion.club.schema import SEATS
from companion.settings.reading import settings_from_toml
from tests.club.played import delivery
from tests.conftest import ROOT
from tests.mqtt.mosquitto import free_port


def test_rebuild(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "club.db")
    with opened(database) as engine:
        Ledger(engine).store([delivery(1), delivery(2)])
        with engine.begin() as connection:
            connection.execute(update(SEATS).where(SEATS.c.game_id == "oak000001").values(points=0))
    assert main(["club", "--rebuild", "--database", database]) == 0
    assert "2 games are kept; 1 were worked out otherwise before." in capsys.readouterr().out
    with opened(database) as engine:
        assert Ledger(engine).results() == [delivery(1).result, delivery(2).result]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--database", "mysql://a/b"], "'mysql' is no database"),
        (["--settings", "/nowhere/companion.toml"], "cannot be read"),
    ],
)
def test_faults_are_sentences(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["club", "--database", str(tmp_path / "club.db"), *words]) == 3
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_an_address_without_a_port_is_a_matter_of_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["club", "--broker", "house:many"]) == 2
    assert "'house:many' names no port from 1 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["", "mqtt..lan", "mqtt..lan:1883", ":1883"])
def test_a_broker_that_can_be_none_is_a_matter_of_the_command_line(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["club", "--broker", address]) == 2
    assert "can be no broker's name or address" in capsys.readouterr().err


def test_a_broker_in_the_settings_that_can_be_none_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text("[mqtt]\nhost = ''\n", encoding="utf-8")
    assert main(["club", "--settings", str(settings)]) == 3
    assert "line 2: 'host' must be" in capsys.readouterr().err


def test_a_taken_port_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        words = ["--database", str(tmp_path / "club.db"), "--host", "127.0.0.1", "--port", port]
        assert main(["club", *words, "--broker", f"127.0.0.1:{free_port()}"]) == 3
    said = capsys.readouterr().err
    assert "in use" in said
    assert said.count("\n") == 1, "how the database was made is told nobody"


def test_a_missing_library_is_told() -> None:
    program = (
        f"import sys; sys.modules[{LIBRARIES[0]!r}] = None\n"
        "from companion.cli.main import main; sys.exit(main(['club', '--rebuild']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 3
    assert "`script/setup --club`" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_broker_is_as_the_settings_say() -> None:
    text = '[mqtt]\nhost = "pi"\nport = 8883\nuser = "club"\ntls = true\nca_file = "~/ca.pem"\n'
    broker = broker_of(settings_from_toml(text).mqtt)
    assert (broker.host, broker.port, broker.user, broker.tls) == ("pi", 8883, "club", True)
    assert broker.ca_file == str(Path.home() / "ca.pem")
    assert str(broker) == "pi:8883"
