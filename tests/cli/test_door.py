"""The door of the real table: a press on the pin lets a phone in and is no throw; only settings open it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.appliance import Appliance
from companion.cli.appliance_parts import Places
from companion.cli.run import door_of
from companion.devices.clock import MonotonicClock
from companion.devices.led_signals import DARK, FULL, Signal
from companion.pairing.door import Place
from companion.settings.values import ButtonSettings, CameraSettings, PageSettings, Settings
from companion.table.phase import Phase
from companion.table.state import HealthState
from companion.web.guard import is_loopback
from tests.cli.test_appliance import eventually, no_pins, presses
from tests.devices.mock_pins import mock_factory

WITHOUT_CAMERA = Settings(camera=CameraSettings(kind="none"))


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "companion.db", tmp_path / "profile.json")


def test_a_press_on_the_pin_lets_a_phone_in_and_is_no_throw(places: Places) -> None:
    with mock_factory() as factory, Appliance(WITHOUT_CAMERA, places, pins=lambda: factory) as appliance:
        door = door_of(appliance)
        assert door is not None
        token = door.ask("Ana's phone")
        before = appliance.table.snapshot()
        presses(factory)
        eventually(lambda: door.place(token) is Place.PAIRED)
        assert appliance.table.snapshot().said == before.said
        assert appliance.table.snapshot().phase is Phase.LOBBY


def test_the_leds_show_that_a_phone_asks_and_that_it_was_let_in(places: Places) -> None:
    with mock_factory() as factory, Appliance(WITHOUT_CAMERA, places, pins=lambda: factory) as appliance:
        door, leds = door_of(appliance), appliance.leds
        assert door is not None
        assert leds is not None
        leds.end(Signal.TRIAL)  # of the start

        def lit() -> tuple[bool, ...]:
            return leds.lit(MonotonicClock().now_s())[0]

        seen = set()

        def walks() -> bool:
            seen.add(lit())
            return {(True, False, False), (False, True, False), (False, False, True)} <= seen

        assert lit() == DARK
        token = door.ask("Ana's phone")
        eventually(walks)
        assert FULL not in seen
        presses(factory)
        eventually(lambda: lit() == FULL)
        assert door.place(token) is Place.PAIRED
        door.take_back(door.ask("Ben's phone"))
        eventually(lambda: lit() == DARK)


def test_the_leds_show_how_long_the_button_is_held(places: Places) -> None:
    with mock_factory() as factory, Appliance(WITHOUT_CAMERA, places, pins=lambda: factory) as appliance:
        leds = appliance.leds
        assert leds is not None
        leds.end(Signal.TRIAL)
        factory.pin(23).drive_low()
        eventually(lambda: factory.pin(17).state and not factory.pin(27).state)
        eventually(lambda: factory.pin(27).state and not factory.pin(22).state)
        eventually(lambda: factory.pin(17).state and factory.pin(27).state and factory.pin(22).state)
        factory.pin(23).drive_high()
        eventually(lambda: not any(factory.pin(pin).state for pin in (17, 27, 22)))


@pytest.mark.parametrize(
    "settings",
    [
        replace(WITHOUT_CAMERA, page=PageSettings(open=True)),
        replace(WITHOUT_CAMERA, page=PageSettings(host="127.0.0.1")),
        replace(WITHOUT_CAMERA, button=ButtonSettings(use=False)),
    ],
    ids=["open", "this machine only", "no button"],
)
def test_where_all_may_act(places: Places, settings: Settings) -> None:
    with mock_factory() as factory, Appliance(settings, places, pins=lambda: factory) as appliance:
        assert door_of(appliance) is None
        assert appliance.listeners == []


def test_pins_that_fail_leave_play_to_the_phones_let_in_before(places: Places) -> None:
    with mock_factory() as factory, Appliance(WITHOUT_CAMERA, places, pins=lambda: factory) as appliance:
        door = door_of(appliance)
        assert door is not None
        token = door.ask("Ana's phone")
        presses(factory)
        eventually(lambda: len(door.phones()) == 1)
    pins: Callable[[], object] = no_pins
    with Appliance(WITHOUT_CAMERA, places, pins=pins) as appliance:
        shut = door_of(appliance)
        assert shut is not None
        assert shut.place(token) is Place.PAIRED
        assert shut.place(shut.ask("a stranger's phone")) is Place.WAITING
        eventually(lambda: "no further phone" in str(appliance.table.snapshot().health.get("button")))
        assert appliance.table.snapshot().health["button"].state is HealthState.FAULT


@pytest.mark.parametrize(
    ("host", "alone"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("pi.local", False)],
)
def test_hosts_that_only_this_machine_reaches(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone
