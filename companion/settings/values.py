"""The settings: each field below is a key of the file, with its default, unit, kind and meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any

from companion.settings.kinds import (
    Kind,
    choice,
    host,
    level,
    level_or_nothing,
    measure,
    pin,
    pins,
    text,
    texts,
    whole,
    yes_no,
)

CAMERA_KINDS = ("picamera", "usb", "folder", "simulated", "none")


@dataclass(frozen=True, slots=True)
class Key:
    """One key as people see it."""

    section: str
    name: str
    default: object
    unit: str
    kind: Kind
    meaning: str
    is_secret: bool
    """Whether its value is shown to nobody, not even where it is wrong."""

    def __str__(self) -> str:
        return f"{self.section}.{self.name}"


def _key(default: Any, kind: Kind, meaning: str, unit: str = "", *, secret: bool = False) -> Any:
    told = {"kind": kind, "unit": unit, "meaning": meaning, "secret": secret}
    return field(default=default, metadata=told)


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Where pictures come from."""

    kind: str = _key(
        "picamera",
        choice(*CAMERA_KINDS),
        "the Pi's own camera, a USB camera, a folder into which something else puts pictures, a table that "
        "is drawn, or none: then throws are typed on a phone",
    )
    number: int = _key(0, whole(0, 63), "which camera, where there are several: N of `/dev/videoN` for USB")
    folder: str = _key("", text(), "the folder, for the kind `folder`; the newest picture in it counts")
    width_px: int = _key(
        0, whole(0, 9152), "width of the pictures; 0: as in the profile, or 1536 before there is one", "px"
    )
    height_px: int = _key(
        0,
        whole(0, 6944),
        "height of the pictures; 0: as in the profile, or as it fits the sensor before there is one",
        "px",
    )
    settle_limit_s: float = _key(
        8.0, measure(1, 8), "how long after a press the dice may take to come to rest", "s"
    )


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """The button."""

    use: bool = _key(True, yes_no(), "whether there is a button")
    gpio: int = _key(23, pin(), "its pin")
    inverted: bool = _key(
        False, yes_no(), "false: pressing connects the pin to ground; true: to 3.3 V, never to 5 V"
    )


@dataclass(frozen=True, slots=True)
class LedSettings:
    """The three LEDs of the holders."""

    use: bool = _key(True, yes_no(), "whether there are LEDs")
    gpio: tuple[int, int, int] = _key(
        (17, 27, 22), pins(3), "their pins, from left to right as the players see the holders"
    )
    brightness_frac: float = _key(1.0, measure(0.02, 1), "how bright: 1 is full, 0.1 a tenth of the time lit")
    inverted: bool = _key(
        False, yes_no(), "false: the pin feeds the LED, high is lit; true: the pin draws, low is lit"
    )


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The page that phones open."""

    host: str = _key("0.0.0.0", text(), "the address to listen on; 127.0.0.1 keeps phones out")
    port: int = _key(8000, whole(1, 65535), "the port of the page")
    allowed_hosts: tuple[str, ...] = _key(
        (), texts(), "more names under which phones may ask for this machine, beside its own"
    )
    open: bool = _key(
        False,
        yes_no(),
        "true: everybody who opens the page may act; false: only phones that a press of the button let in",
    )
    announce: bool = _key(True, yes_no(), "whether the page is announced in the house (mDNS, `_http._tcp`)")
    name: str = _key("Next! companion", text(), "the name under which it is announced")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The table and what is kept of it."""

    data: str = _key(
        "",
        text(),
        "the file that keeps the games; nothing: `companion.db` in the service's or the user's data folder",
    )
    profile: str = _key(
        "", text(), "the profile that calibration made; nothing: `profile.json` beside the games"
    )
    deck: str = _key(
        "",
        text(),
        "the cards that the camera knows, which grow by play; nothing: `deck.json` beside the games",
    )
    cards_by_hand: bool = _key(False, yes_no(), "whether people name every card, and the camera reads none")


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """The broker that the table tells what it shows, where that is wanted."""

    use: bool = _key(False, yes_no(), "whether the table tells a broker what it shows and what was played")
    host: str = _key("127.0.0.1", host(), "the broker's name or address")
    port: int = _key(1883, whole(1, 65535), "its port; with TLS usually 8883")
    user: str = _key("", text(), "the user's name at the broker; nothing: none is asked for")
    password: str = _key("", text(), "the password; it is never shown", secret=True)
    tls: bool = _key(False, yes_no(), "whether the line is encrypted, and the broker must prove who it is")
    ca_file: str = _key("", text(), "certificates to trust (PEM), for TLS; nothing: those of the system")
    prefix: str = _key("companion", level(), "the first level of all topics, the same for a whole club")
    table: str = _key("", level_or_nothing(), "this table's id in topics; nothing: made once, and kept")
    name: str = _key("", text(), "this table's name for people; nothing: its id")
    discovery: bool = _key(True, yes_no(), "whether Home Assistant is told of the table")
    discovery_prefix: str = _key("homeassistant", level(), "the first level of Home Assistant's topics")


@dataclass(frozen=True, slots=True)
class ClubSettings:
    """The club, on the one machine that runs it; its broker is the one of `[mqtt]`."""

    database: str = _key(
        "",
        text(),
        "where the games are kept: a file, or `postgresql://USER:PASSWORD@HOST/NAME`; nothing: `club.db` "
        "where a table's games would be",
        secret=True,  # it may hold a password
    )
    season: str = _key("year", choice("year", "half_year", "quarter", "month"), "how long a season is")
    host: str = _key("0.0.0.0", text(), "the address to listen on; 127.0.0.1 keeps others out")
    port: int = _key(8010, whole(1, 65535), "the port of the page")
    allowed_hosts: tuple[str, ...] = _key(
        (), texts(), "more names under which browsers may ask for this machine, beside its own"
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, as the file's sections."""

    camera: CameraSettings = field(default_factory=CameraSettings)
    button: ButtonSettings = field(default_factory=ButtonSettings)
    leds: LedSettings = field(default_factory=LedSettings)
    page: PageSettings = field(default_factory=PageSettings)
    table: TableSettings = field(default_factory=TableSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    club: ClubSettings = field(default_factory=ClubSettings)


SECTIONS: dict[str, type[Any]] = {
    "camera": CameraSettings,
    "button": ButtonSettings,
    "leds": LedSettings,
    "page": PageSettings,
    "table": TableSettings,
    "mqtt": MqttSettings,
    "club": ClubSettings,
}


def keys() -> Iterator[Key]:
    """Yield every key of the file, in its order."""
    for section, kind in SECTIONS.items():
        for one in fields(kind):
            yield _told(section, one)


def _told(section: str, one: Field[Any]) -> Key:
    assert one.default is not MISSING
    return Key(
        section,
        one.name,
        one.default,
        one.metadata["unit"],
        one.metadata["kind"],
        one.metadata["meaning"],
        one.metadata["secret"],
    )
