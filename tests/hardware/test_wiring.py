"""Pins in page, drawing and defaults agree; what is made from the source is as it would be made."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import companion.web
from companion.devices.led_cycles import CYCLES
from companion.devices.picamera import picture_px
from companion.settings.values import ButtonSettings, LedSettings
from tests.conftest import ROOT

HARDWARE = ROOT / "hardware"
PLAN: dict[str, Any] = tomllib.loads((HARDWARE / "wiring.toml").read_text(encoding="utf-8"))
PAGE = (HARDWARE / "wiring.md").read_text(encoding="utf-8")
WIRES = [*PLAN["leds"], {**PLAN["button"], "name": "button"}]


def words_of(drawing: str) -> list[str]:
    """The texts of a drawing."""
    root = ElementTree.parse(HARDWARE / drawing).getroot()
    return [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_source_has_the_defaults_of_the_settings() -> None:
    assert tuple(led["bcm"] for led in PLAN["leds"]) == LedSettings().gpio
    assert PLAN["button"]["bcm"] == ButtonSettings().gpio
    assert not LedSettings().inverted
    assert not ButtonSettings().inverted


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: str(wire["name"]))
def test_page_and_drawing_name_the_pins_of_the_defaults(wire: dict[str, Any]) -> None:
    row = next(line for line in PAGE.splitlines() if re.match(rf"\| (LED )?{wire['name']} \|", line))
    assert f"| GPIO {wire['bcm']} | {wire['header']} |" in row
    label = next(words for words in words_of("wiring.svg") if wire["name"] in words)
    assert f"GPIO {wire['bcm']}, pin {wire['header']}" in label


def test_pins_are_where_the_boards_have_them() -> None:
    """Against gpiozero's own table of the 40-pin header."""
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    header = factory.board_info.headers["J8"].pins
    for wire in WIRES:
        assert header[wire["header"]].name == f"GPIO{wire['bcm']}"
        assert header[wire["ground_header"]].name == "GND"
    factory.close()


def test_no_pin_carries_two_wires() -> None:
    pins = [wire[end] for wire in WIRES for end in ("header", "ground_header")]
    assert len(set(pins)) == len(pins)
    assert f"pins {min(pins)} to {max(pins)}" in PAGE


def test_camera_cable_reaches_from_the_pi_to_the_lens() -> None:
    stand, lens = PLAN["stand"], int(re.search(r"lens at (\d+) mm", PAGE)[1])  # type: ignore[index]
    way = abs(lens - stand["pi_mm"]) + stand["behind_mm"]
    assert way + stand["slack_mm"] <= stand["camera_cable_mm"]
    assert f"camera cable, {stand['camera_cable_mm']} mm" in PAGE
    assert f"{way} mm" in PAGE
    assert stand["behind_mm"] >= PLAN["view"]["depth_mm"] / 2 * 1.1, "the upright is out of the picture"


def test_leds_stay_dark_while_the_pi_starts() -> None:
    """BCM2835 and later pull GPIO 0 to 8 up at power-on, and 9 to 27 down (BCM2711 ARM Peripherals, 5.3)."""
    assert all(9 <= led["bcm"] <= 27 for led in PLAN["leds"])


def test_everything_made_is_as_the_source_says() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "script" / "draw.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_currents_are_within_what_pins_may_give() -> None:
    supply, led = PLAN["supply"], PLAN["led"]
    one_ma = (supply["volts"] - led["forward_v"]) / led["resistor_ohm"] * 1000
    assert 2 < one_ma < supply["pin_most_ma"]
    assert 3 * one_ma < supply["all_most_ma"]
    assert f"= {one_ma:.1f} mA" in PAGE


def test_heights_in_the_page_see_the_whole_view() -> None:
    """The view with its margin fits into what the camera covers at the height in the page."""
    view = PLAN["view"]
    longer, shorter = max(view["width_mm"], view["depth_mm"]), min(view["width_mm"], view["depth_mm"])
    for camera in PLAN["cameras"]:
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| {camera['name']} |"))
        found = re.search(r"\| (\d+) mm \|", row)
        assert found is not None
        for side, angle in ((longer, camera["across_deg"]), (shorter, camera["along_deg"])):
            covered = 2 * int(found[1]) * math.tan(math.radians(angle / 2))
            assert covered >= 1.1 * side


@pytest.mark.parametrize("camera", PLAN["cameras"], ids=lambda camera: str(camera["name"]))
def test_pictures_in_the_page_are_those_the_program_asks_for(camera: dict[str, Any]) -> None:
    """Each sees what the page says only if it has the shape of the sensor."""
    assert tuple(camera["picture_px"]) == picture_px(tuple(camera["sensor_px"]))
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {camera['name']} |"))
    assert "| {}×{} |".format(*camera["picture_px"]) in row
    die_px = re.search(r"\| (\d+) px \|", row)
    assert die_px is not None
    assert int(die_px[1]) >= 20


def test_lamps_in_the_page_are_mirrored_out_of_view() -> None:
    """Mirror the lamp in the table: where its image's ray to the lens goes through the table, it is seen."""
    lens = int(re.search(r"lens at (\d+) mm", PAGE)[1])  # type: ignore[index]
    rows = re.findall(r"^\| (\d+) mm \| (\d+) mm \|$", PAGE, re.MULTILINE)
    assert len(rows) == len(PLAN["lamp"]["heights_mm"])
    half = max(PLAN["view"]["width_mm"], PLAN["view"]["depth_mm"]) / 2
    for height, far in rows:
        part = lens / (lens + int(height))
        assert part * int(far) >= half


def test_sizes_in_the_drawing_are_those_the_set_up_begins_with() -> None:
    static = Path(companion.web.__file__).parent / "static"
    script = (static / "setup" / "main.js").read_text(encoding="utf-8")
    sizes = re.search(r"SIZES = \{ track_mm: \[(\d+), (\d+)\], reserve_mm: \[(\d+), (\d+)\]", script)
    assert sizes is not None
    assert [int(size) for size in sizes.groups()] == [
        *PLAN["table"]["track_mm"],
        *PLAN["table"]["reserve_mm"],
    ]
    track, reserve = (
        f"{width} mm by {height} mm"
        for width, height in (PLAN["table"]["track_mm"], PLAN["table"]["reserve_mm"])
    )
    told = " ".join(words_of("layout.svg"))
    assert track in told
    assert reserve in told


def test_every_picture_in_the_page_is_there() -> None:
    for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", PAGE):
        assert (HARDWARE / name).is_file()


def test_patterns_of_trouble_are_told_apart() -> None:
    assert "look_at_phone" in {str(pattern) for pattern in CYCLES}
    assert "two flashes and a pause" in PAGE
    assert "short sparks" in PAGE
