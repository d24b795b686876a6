"""The pins of a Raspberry Pi: opened through lgpio alone, each way in which that fails told in a sentence."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

Opened = TypeVar("Opened")

ABSENT_CODES = frozenset({"gpio_library_missing", "no_pi", "no_gpio"})
"""Where there are no pins to be had on this machine, as against pins that do not work."""


class GpioFault(Exception):
    """A pin cannot be used: a stable code, and a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def open_pins() -> Any:
    """Return gpiozero's pin factory on lgpio, which serves every Pi; never another one in its place.

    Raises:
        GpioFault: there are no pins here, or this user may not use them.
    """
    return _opened(_lgpio_factory)


def with_pins(what: str, make: Callable[[], Opened]) -> Opened:
    """Return what `make` opens on some pin; `what` names it for people.

    Raises:
        GpioFault: the pin is taken, or cannot do that.
    """
    return _opened(make, f"{what}: ")


def _lgpio_factory() -> Any:
    if not os.environ.get("LG_WD"):
        # Unasked, lgpio leaves pipes in the present folder; after `sudo -u` it may not even make them there.
        folder = tempfile.mkdtemp(prefix="companion-lgpio-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["LG_WD"] = folder
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def _opened(make: Callable[[], Opened], what: str = "") -> Opened:
    try:
        return make()
    except ImportError as error:
        raise GpioFault(
            "gpio_library_missing",
            f"{what}no GPIO library here ({error}); on a Pi: sudo apt-get install python3-gpiozero "
            "python3-lgpio. Play goes on by phone.",
        ) from error
    except Exception as error:  # lgpio's own error is a plain Exception; all are told, none is lost
        code, advice = _advice(error)
        raise GpioFault(code, f"{what}{advice} ({_words(error)}). Play goes on by phone.") from error


def _advice(error: Exception) -> tuple[str, str]:
    """Return code and advice for what gpiozero or lgpio raised."""
    name, text = type(error).__name__, str(error).lower()
    if ".lgd-nfy" in text:
        return (
            "gpio_folder",
            "lgpio needs a folder in which it may write: set LG_WD to one, as the service's unit does",
        )
    if name == "PinUnknownPi":
        return "no_pi", "this machine is no Raspberry Pi, so it has no pins"
    if "busy" in text:
        return (
            "gpio_busy",
            "another program holds this pin: stop it (is a second companion running?), then restart this one",
        )
    if "permission" in text:
        return "gpio_not_allowed", "this user may not use the pins: sudo usermod -aG gpio USER, log in anew"
    if "can not open gpiochip" in text or isinstance(error, FileNotFoundError):
        return (
            "no_gpio",
            "the pins cannot be opened: is this a Raspberry Pi, and is the user in the group gpio?",
        )
    if name.startswith("Pin"):
        return "gpio_pin", "this pin cannot do that: choose another one in the settings"
    return "gpio_fault", "the pins do not work: check the settings, then restart"


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
