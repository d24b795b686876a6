"""`companion doctor`: examines the appliance, whether it runs or not, and advises on each part."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any

from companion.cli import broker
from companion.cli.appliance_parts import Places, device_of, places_of, sight_of
from companion.cli.story import begin_log, no_log
from companion.devices.gpio import GpioFault, open_pins, with_pins
from companion.devices.gpio_leds import Lamp, open_lamps
from companion.doctor import devices
from companion.doctor.finding import Finding, Level, worst
from companion.doctor.machine import machine
from companion.doctor.profile import of_lock, of_profile
from companion.settings.place import SettingsFault, load_settings, settings_file
from companion.settings.values import Settings
from companion.web.addresses import own_addresses, url_here, urls_of

HELP = "examine camera, pins, disk, broker and settings, and advise"
EXIT_OK, EXIT_FAULT = 0, 3
MARKS = {Level.OK: "✓", Level.NOTE: "!", Level.FAULT: "✗"}
ANSWER_S = 5.0
MOST_BYTES = 1_000_000
BUTTON_TAKEN = (
    "The running companion has the button, so no press was waited for: press it, and see whether the presses "
    "above become more; or stop it first, with sudo systemctl stop companion."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="the settings (default: ~/.config/companion/companion.toml, else /etc/companion/companion.toml)",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="also print what is logged meanwhile, to standard error"
    )
    parser.add_argument(
        "--button",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="wait so long for a press of the button (default: only look at it)",
    )
    parser.add_argument(
        "--lights-out",
        action="store_true",
        help="only turn the LEDs off, as after a crash that left them lit",
    )


def run(args: argparse.Namespace) -> int:
    """Examine; 0 where nothing is at fault, else 3."""
    if args.verbose:
        begin_log(os.environ)
    else:
        no_log()  # what the devices log is told as findings
    path = settings_file(args.settings, os.environ, Path.home())
    try:
        settings = load_settings(path)
    except SettingsFault as fault:
        settings, about = Settings(), Finding("settings", Level.FAULT, fault.sentence)
    else:
        where = (
            "all at their defaults, since there is no file" if path is None else f"{path}: they can be used"
        )
        about = Finding("settings", Level.OK, f"Settings: {where}.")
    if args.lights_out:
        lights_out(settings, open_pins)
        return EXIT_OK
    running = ask_running(settings.page.host, settings.page.port)
    if running is not None:
        found = [about, Finding("service", Level.OK, "The companion is running, and says:"), *running]
        if args.button > 0:
            found.append(Finding("button", Level.NOTE, BUTTON_TAKEN))
    else:
        places = places_of(settings, os.environ, Path.home())
        found = [about, *examined(settings, places, open_pins, args.button)]
    _print(found, as_json=args.json)
    return EXIT_FAULT if worst(found) is Level.FAULT else EXIT_OK


def lights_out(settings: Settings, pins: Callable[[], Any]) -> None:
    """Turn the LEDs off, if there are any; a crash leaves a Pi's pins as they were."""
    if not settings.leds.use:
        return
    try:
        factory = pins()
        try:
            lamps = open_lamps(
                factory, settings.leds.gpio, brightness_frac=1, inverted=settings.leds.inverted
            )
            for pin, lamp in zip(settings.leds.gpio, lamps, strict=True):
                try:
                    with_pins(f"GPIO {pin}", partial(_put_out, lamp))
                except GpioFault as fault:  # the others can still be turned off
                    print(f"An LED was not turned off: {fault.sentence}")
        finally:
            with_pins("the pins", factory.close)
    except GpioFault as fault:
        print(f"The LEDs were not turned off: {fault.sentence}")


def _put_out(lamp: Lamp) -> None:
    lamp.value = 0
    lamp.close()


def ask_running(host: str, port: int) -> list[Finding] | None:
    """Return what a running companion finds, which holds the devices; None where none runs.

    `host` is what its page listens on.
    """
    # Never by a proxy that the environment names: it is this machine that is asked.
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with straight.open(f"{url_here(host, port)}api/service", timeout=ANSWER_S) as answer:
            told = json.loads(answer.read(MOST_BYTES))
        return [Finding(one["subject"], Level(one["level"]), one["sentence"]) for one in told["findings"]]
    except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return None  # nobody answers there, or somebody else does


def examined(
    settings: Settings, places: Places, pins: Callable[[], Any], button_s: float = 0.0
) -> Sequence[Finding]:
    """Open each device only to examine it; the companion must not be running."""
    sight = sight_of(settings.camera, places.profile)
    found = [
        of_profile(
            places.profile,
            sight.profile,
            sight.problem,
            datetime.now(UTC),
            wanted=settings.camera.kind != "none",
        )
    ]
    device = device_of(settings.camera, sight)
    if device is None:
        found.append(Finding("camera", Level.NOTE, "There is no camera, as the settings say."))
    else:
        lock = of_lock(sight.profile) if settings.camera.kind in ("picamera", "usb") else None
        found += [] if lock is None else [lock]
        found.append(devices.camera(device, sight.lock))
    found += _pins(settings, pins, button_s)
    found += broker.examined(settings.mqtt, places.data)
    page = settings.page
    has_address = bool(own_addresses())
    return [
        *found,
        *machine(places.data, urls_of(page.host, page.port), has_address=has_address, host=page.host),
    ]


def _pins(settings: Settings, pins: Callable[[], Any], button_s: float) -> list[Finding]:
    if not (settings.button.use or settings.leds.use):
        return [Finding("pins", Level.NOTE, "Neither button nor LEDs, as the settings say.")]
    try:
        factory = pins()
    except GpioFault as fault:
        return [devices.of_pins("pins", fault)]
    try:
        found = []
        if settings.leds.use:
            found.append(devices.leds(factory, settings.leds, time.sleep))
        if settings.button.use:
            if button_s > 0:
                print(f"Press the button within {button_s:g} seconds …", file=sys.stderr, flush=True)
            found.append(devices.button(factory, settings.button, button_s))
        return found
    finally:
        factory.close()


def _print(found: Sequence[Finding], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"findings": [one.to_json() for one in found]}, ensure_ascii=False, indent=1))
        return
    for one in found:
        print(f"{MARKS[one.level]} {one.subject}: {one.sentence}")
    faults = sum(one.level is Level.FAULT for one in found)
    print("Nothing is at fault." if faults == 0 else f"{faults} of {len(found)} are at fault: see ✗ above.")
