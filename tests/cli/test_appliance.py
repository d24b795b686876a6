"""The appliance on mock pins and a drawn table: from the button to the LEDs, with and without each part."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.cli.appliance import Appliance
from companion.cli.appliance_parts import Places, Sight, device_of
from companion.cli.faults import Fault
from companion.devices.gpio import GpioFault, with_pins
from companion.devices.lock import Lock
from companion.devices.simulated.drawn_deck import drawn_deck
from companion.devices.simulated.pose import Pose
from companion.devices.simulated.table import SimulatedCamera, SimulatedTable
from companion.devices.streaming import Shot, SteadyCamera, StreamingCamera
from companion.devices.supervised import Deadlines
from companion.doctor.finding import Level
from companion.game.deck import default_deck
from companion.settings.values import ButtonSettings, CameraSettings, LedSettings, Settings, TableSettings
from companion.store.deck_file import PicturedDeck, save_deck_file
from companion.table import intents
from companion.table.gestures import Gesture
from companion.table.phase import Phase
from companion.table.ports import Frame
from companion.table.snapshot import Snapshot
from companion.table.state import HealthState
from companion.vision.profile import Profile
from tests.devices.mock_pins import mock_factory
from tests.table.at_the_table import FOUR, SIX, THREE

SOON_S = 60.0
POSE = Pose(width_px=820, height_px=615)


@cache
def drawn_table() -> tuple[SimulatedTable, Profile]:
    table = SimulatedTable(4, POSE)
    return table, table.calibrated()


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "state" / "companion.db", tmp_path / "profile.json")


@pytest.fixture
def with_profile(places: Places) -> Places:
    places.profile.write_text(drawn_table()[1].to_json(), encoding="utf-8")
    return places


def drawn_camera(_settings: CameraSettings, _sight: Sight) -> StreamingCamera:
    return SteadyCamera(SimulatedCamera(drawn_table()[0]), lambda: time.sleep(0.033))


def no_pins() -> Any:
    def fails() -> None:
        raise FileNotFoundError(2, "No such file or directory", "/dev/gpiochip0")

    return with_pins("", fails)


def eventually(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


@contextmanager
def playing(places: Places, **how: Any) -> Iterator[tuple[Appliance, Any]]:
    """An appliance on mock pins, with a game that knows its cards."""
    cards = how.pop("cards", (THREE, FOUR, SIX))
    with mock_factory() as factory:
        settings = how.pop("settings", Settings())
        with Appliance(
            settings, places, pins=lambda: factory, device=how.pop("device", drawn_camera)
        ) as appliance:
            assert appliance.table.submit(intents.StartGame(("Ana", "Ben"), 0, False)).accepted
            for holder, card in enumerate(cards):
                assert appliance.table.submit(intents.NameCard(holder, card)).accepted
            yield appliance, factory


def presses(factory: Any, pin: int = 23, down_s: float = 0.05) -> None:
    factory.pin(pin).drive_low()
    time.sleep(down_s)
    factory.pin(pin).drive_high()


def read(appliance: Appliance) -> Snapshot:
    """Wait until the reading has come."""
    eventually(lambda: appliance.table.snapshot().phase not in (Phase.THROW, Phase.READING))
    return appliance.table.snapshot()


def test_press_reads_the_dice_and_the_leds_show_what_the_phones_show(with_profile: Places) -> None:
    with playing(with_profile) as (appliance, factory):
        assert appliance.leds is not None
        presses(factory)
        shown = read(appliance)
        assert shown.phase is Phase.DECIDE, shown.reading
        assert shown.game is not None
        scene = drawn_table()[0].moment().scene
        assert sorted(die.colour for die in shown.game.dice or ()) == sorted(die.colour for die in scene.dice)
        eventually(lambda: appliance.leds is not None and appliance.leds._patterns == shown.leds)
        assert appliance.table.snapshot().health["camera"].state is HealthState.OK
        findings = {found.subject: found for found in appliance.findings()}
        assert findings["button"].level is findings["leds"].level is Level.OK
        assert "start: 1." in findings["presses"].sentence


def test_long_hold_undoes_without_a_phone(with_profile: Places) -> None:
    with playing(with_profile) as (appliance, factory):
        presses(factory)
        read(appliance)
        appliance.pressed(Gesture.LONG_HOLD)
        assert appliance.table.snapshot().phase is Phase.THROW


def test_listener_that_takes_a_gesture_keeps_it_from_the_table(with_profile: Places) -> None:
    with playing(with_profile) as (appliance, _):
        heard: list[Gesture] = []

        def takes(gesture: Gesture) -> bool:
            heard.append(gesture)
            return True

        appliance.listeners.append(takes)
        appliance.pressed(Gesture.PRESS)
        assert heard == [Gesture.PRESS]
        assert appliance.table.snapshot().phase is Phase.THROW


def test_it_runs_without_pins_and_says_so(with_profile: Places) -> None:
    with Appliance(Settings(), with_profile, pins=no_pins, device=drawn_camera) as appliance:
        health = appliance.table.snapshot
        eventually(lambda: "button" in health().health and "leds" in health().health)
        for device in ("button", "leds"):
            assert health().health[device].state is HealthState.ABSENT
            assert "Play goes on by phone" in str(health().health[device].sentence)
        assert appliance.table.submit(intents.StartGame(("Ana", "Ben"), 0, False)).accepted
        assert appliance.table.submit(intents.Press()).accepted


@pytest.mark.parametrize("part", ["button", "leds"])
def test_it_works_without_either(part: str, with_profile: Places) -> None:
    off = {"button": ButtonSettings(use=False), "leds": LedSettings(use=False)}[part]
    settings = replace(Settings(), **{part: off})  # type: ignore[arg-type]
    with playing(with_profile, settings=settings) as (appliance, factory):
        assert (appliance.leds is None) == (part == "leds")
        if part == "leds":
            presses(factory)
            assert read(appliance).phase is Phase.DECIDE


def test_pin_that_is_taken_leaves_the_other_parts_working(with_profile: Places) -> None:
    with mock_factory() as factory:
        import gpiozero

        taken = gpiozero.LED(27, pin_factory=factory)
        with Appliance(Settings(), with_profile, pins=lambda: factory, device=drawn_camera) as appliance:
            eventually(lambda: "leds" in appliance.table.snapshot().health)
            health = appliance.table.snapshot().health
            assert (health["leds"].state, health["button"].state) == (HealthState.FAULT, HealthState.OK)
            assert "LED 2 on GPIO 27" in str(health["leds"].sentence)
        taken.close()


def test_other_pins_may_be_used(with_profile: Places) -> None:
    settings = replace(Settings(), button=ButtonSettings(gpio=5, inverted=True))
    with playing(with_profile, settings=settings) as (appliance, factory):
        factory.pin(5).drive_high()
        time.sleep(0.05)
        factory.pin(5).drive_low()
        assert read(appliance).phase is Phase.DECIDE


class Dead:
    """A camera that is never there."""

    def open(self, lock: Lock) -> None:  # noqa: ARG002
        raise IndexError("list index out of range")

    def small(self) -> Frame:
        raise AssertionError

    def still(self) -> Shot:
        raise AssertionError

    def close(self) -> None:
        pass


def test_without_its_camera_play_goes_on_by_phone(with_profile: Places) -> None:
    with playing(with_profile, device=lambda *_: Dead()) as (appliance, factory):
        eventually(lambda: appliance.table.snapshot().health["camera"].state is HealthState.FAULT)
        presses(factory)
        shown = read(appliance)
        assert shown.phase is Phase.DOUBT
        assert shown.reading is not None
        assert "No camera is found" in str(shown.reading.sentence)
        assert appliance.table.submit(intents.Undo()).accepted


class Hanging(Dead):
    """A camera whose first frame never comes."""

    def __init__(self) -> None:
        self.comes = threading.Event()

    def open(self, lock: Lock) -> None:
        pass

    def small(self) -> Frame:
        self.comes.wait()
        raise RuntimeError


def test_a_camera_that_stalls_is_told_within_three_seconds_and_play_goes_on(with_profile: Places) -> None:
    """As picamera2 #1090, #1392 and #794: a capture that never returns, and raises nothing."""
    assert Deadlines().call_s <= 2.5
    hanging = Hanging()
    with playing(with_profile, device=lambda *_: hanging) as (appliance, factory):
        presses(factory)
        shown = read(appliance)
        assert "stalled" in str(shown.reading and shown.reading.sentence)
        assert "stalled" in str(appliance.table.snapshot().health["camera"].sentence)
        assert appliance.table.submit(intents.Undo()).accepted
        hanging.comes.set()


def test_without_a_profile_throws_are_typed_and_the_page_says_why(places: Places) -> None:
    with playing(places) as (appliance, _):
        eventually(lambda: appliance.table.snapshot().health["camera"].state is HealthState.ABSENT)
        assert "there is no profile" in str(appliance.table.snapshot().health["camera"].sentence)
        assert appliance.table.submit(intents.Press()).code == "no_camera"
        assert appliance.camera is not None
        assert appliance.camera.look().shape == (615, 820, 3)


def test_damaged_games_are_set_aside_and_play_begins_anew(places: Places) -> None:
    places.data.parent.mkdir()
    places.data.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    with playing(places) as (appliance, _):
        (finding,) = [found for found in appliance.findings() if found.subject == "games"]
        assert finding.level is Level.FAULT
        kept = list(places.data.parent.glob("*damaged*"))
        assert len(kept) == 1
        assert str(kept[0]) in finding.sentence


def test_games_in_use_are_told(places: Places) -> None:
    with playing(places), pytest.raises(Fault, match="another companion"), Appliance(Settings(), places):
        pass
    with sqlite3.connect(places.data) as kept:
        assert kept.execute("SELECT count(*) FROM games").fetchone() == (1,)
    kept.close()


def test_drawn_table_throws_its_own_dice(places: Places) -> None:
    settings = replace(Settings(), camera=CameraSettings(kind="simulated"))
    with playing(places, settings=settings, device=device_of) as (appliance, factory):
        presses(factory)
        shown = read(appliance)
        assert shown.phase in (Phase.DECIDE, Phase.DOUBT)
        assert shown.reading is not None or shown.game is not None


def test_no_pin_fault_is_lost() -> None:
    with pytest.raises(GpioFault):
        no_pins()


def test_cards_that_the_deck_knows_name_themselves_without_a_press(with_profile: Places) -> None:
    shown = default_deck().kinds[:3]
    with_profile.data.parent.mkdir()
    save_deck_file(with_profile.data.with_name("deck.json"), PicturedDeck(drawn_deck(shown)))
    table = SimulatedTable(4, POSE)
    table.show_cards((shown[0], shown[1], shown[2]))

    def device(_settings: CameraSettings, _sight: Sight) -> StreamingCamera:
        return SteadyCamera(SimulatedCamera(table), lambda: time.sleep(0.033))

    with playing(with_profile, device=device, cards=()) as (appliance, _):
        assert appliance.table.submit(intents.LookAtCards()).accepted

        def cards() -> tuple[object, ...]:
            game = appliance.table.snapshot().game
            return () if game is None else tuple(holder.card for holder in game.holders)

        eventually(lambda: cards() == shown)


def test_cards_by_hand_leave_naming_to_people(with_profile: Places) -> None:
    settings = Settings(table=TableSettings(cards_by_hand=True))
    with playing(with_profile, settings=settings) as (appliance, _):
        assert appliance.table.snapshot().cards is None


def test_a_deck_at_fault_is_told_and_leaves_naming_to_people(with_profile: Places) -> None:
    with_profile.data.parent.mkdir()
    with_profile.data.with_name("deck.json").write_text("no deck", encoding="utf-8")
    with playing(with_profile) as (appliance, _):
        snapshot = appliance.table.snapshot()
        assert snapshot.cards is None
        assert snapshot.health["cards"].state is HealthState.FAULT
        assert "deck.json" in (snapshot.health["cards"].sentence or "")
