"""What the settings want of the broker, and how that is told: the table plays on whatever it is."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.cli.broker import BrokerDesk
from companion.cli.settings_rows import rows_of
from companion.doctor.finding import Level
from companion.settings.reading import SettingsError, settings_from_toml
from companion.settings.values import MqttSettings
from companion.store.journal import SqliteJournal
from companion.store.outbox import StoredOutbox
from companion.table.conductor import Table
from tests.mqtt.mosquitto import Listener, Mosquitto
from tests.web.table_at_hand import NoLeds, PlainClock


def opened(stack: ExitStack, file: Path) -> Table:
    journal = stack.enter_context(SqliteJournal(file))
    return stack.enter_context(Table(journal, None, None, NoLeds(), PlainClock()))


def test_off_by_default(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = opened(stack, tmp_path / "games.db")
        assert BrokerDesk(stack, MqttSettings(), table, tmp_path / "games.db").findings() == ()


def test_a_table_has_an_id_that_stays(mosquitto: Mosquitto, listener: Listener, tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    settings = MqttSettings(use=True, port=mosquitto.port)
    for _ in range(2):
        with ExitStack() as stack:
            desk = BrokerDesk(stack, settings, opened(stack, file), file)
            own = StoredOutbox(file).table_id()
            listener.hears(lambda said, own=own: said.topic == f"companion/v1/{own}/availability")  # type: ignore[misc]
            assert [finding.subject for finding in desk.findings()] == ["mqtt"]
    assert len({said.topic for said in listener.on("/availability")}) == 1


def test_what_can_not_be_is_told_and_the_table_plays(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = opened(stack, tmp_path / "games.db")
        settings = MqttSettings(use=True, tls=True, ca_file=str(tmp_path / "nothing.pem"))
        (finding,) = BrokerDesk(stack, settings, table, tmp_path / "games.db").findings()
        assert finding.level is Level.FAULT
        assert "nothing.pem" in finding.sentence


def test_the_password_is_on_no_page() -> None:
    settings = settings_from_toml(
        '[mqtt]\npassword = "acorn"\n[club]\ndatabase = "postgresql://c:acorn@h/d"\n'
    )
    assert "acorn" not in str(rows_of(settings))
    assert '""' in {row.value for row in rows_of(settings_from_toml("")) if row.name == "password"}


@pytest.mark.parametrize(
    "wrong", ["table = 'a/b'", "prefix = ''", "prefix = 'a+'", "table = '#'", "port = 0"]
)
def test_topics_can_not_be_spoilt_by_settings(wrong: str) -> None:
    with pytest.raises(SettingsError):
        settings_from_toml(f"[mqtt]\n{wrong}\n")
