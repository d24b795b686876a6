"""`companion run`: the real table, as the service on a Raspberry Pi starts it."""

from __future__ import annotations

import argparse
import logging
import os
import queue
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import Enum
from pathlib import Path

from flask import Blueprint, Flask

from companion.cli.appliance import Appliance
from companion.cli.appliance_parts import places_of
from companion.cli.broker import BrokerDesk
from companion.cli.door import open_door, shown_by
from companion.cli.faults import Fault
from companion.cli.sd_notify import Notifier
from companion.cli.setting_up import desk_for
from companion.cli.settings_rows import rows_of
from companion.cli.story import Story, begin_log
from companion.pairing.door import Door
from companion.settings.place import OF_THE_MACHINE, SettingsFault, load_settings, mark_of, settings_file
from companion.settings.reading import page_settings_in
from companion.settings.telling import default_file
from companion.settings.values import PageSettings, Settings
from companion.store.history import StoredGames
from companion.web import PortTaken, create_app, serve
from companion.web.addresses import url_for_phones, urls_of
from companion.web.announce import Announcer
from companion.web.guard import is_loopback
from companion.web.qr import qr_lines
from companion.web.safe_mode import create_safe_app
from companion.web.server import RunningServer
from companion.web.service import service_pages
from companion.web.settings_page import settings_pages

HELP = "run the real table: camera, button, LEDs and pages"
LOG = logging.getLogger(__name__)

TURN_S = 5.0
"""How often the loop looks after everything, where no watchdog wants it more often."""

STUCK_S = 60.0
"""A camera that has been stuck for so long is freed by starting anew; the game comes up as it was."""

NO_BUTTON = (
    "Until the button works no further phone can be let in: mend it and restart, or set [button] use = false "
    "or [page] open = true, so that everybody in the house may act."
)


class Begin(Enum):
    """What the table begins with once it has ended."""

    NOTHING = "nothing"
    PLAYING = "playing"
    SETTING_UP = "setting_up"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="the settings (default: ~/.config/companion/companion.toml, else /etc/companion/companion.toml)",
    )
    parser.add_argument(
        "--print-settings",
        action="store_true",
        help="only print a settings file that tells of every key, all at their defaults",
    )


def run(args: argparse.Namespace) -> int:
    """Run until Ctrl-C or a terminating signal."""
    if args.print_settings:
        print(default_file(), end="")
        return 0
    begin_log(os.environ)
    path = settings_file(args.settings, os.environ, Path.home())
    notifier = Notifier(os.environ)
    # A service shows on its page that its file is gone; a person has mistyped the name.
    if args.settings is not None and not notifier.listens and not args.settings.exists():
        raise Fault(f"{args.settings}: there is no such settings file; check the name.")
    with stopped_by_signal() as stopped:
        begin = Begin.PLAYING
        while begin is not Begin.NOTHING:
            settings = usable_settings(path, notifier, stopped)
            if settings is None:
                break
            pages = settings_pages(rows_of(settings), str(path or OF_THE_MACHINE))
            begin = _run_table(settings, notifier, stopped, begin, pages)
        notifier.stopping()
    LOG.info("the companion ends in order")
    return 0


@contextmanager
def stopped_by_signal() -> Iterator[threading.Event]:
    """Yield what is set by Ctrl-C or by the system's wish that this process end."""
    stopped = threading.Event()
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(kind, lambda *_: stopped.set()) for kind in kinds]
    try:
        yield stopped
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)


def usable_settings(
    path: Path | None, notifier: Notifier, stopped: threading.Event, look_s: float = 1.0
) -> Settings | None:
    """Return the settings, after showing on the page what is wrong with them for as long as it takes.

    None where it was stopped before.
    """
    while not stopped.is_set():
        mark = mark_of(path)
        try:
            return load_settings(path)
        except SettingsFault as fault:
            LOG.error("safe mode: %s", fault.sentence)
            page = _page_of(fault.path)
            with _served(create_safe_app(fault.sentence), page):
                LOG.error("%s", _told_of_safe_mode(fault.path, page))
                notifier.ready(f"safe mode: {fault.sentence}")
                while not stopped.wait(look_s) and mark_of(path) == mark:
                    notifier.alive()
    return None


def _page_of(path: Path) -> PageSettings:
    """Return where the page is, as far as a damaged file still says it."""
    try:
        return page_settings_in(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return PageSettings()


def _told_of_safe_mode(path: Path, page: PageSettings) -> str:
    """Return where the page is seen meanwhile, and how safe mode ends."""
    urls = " or ".join(urls_of(page.host, page.port))
    return (
        f"safe mode: the page at {urls} says this, and nothing is played; "
        f"mend {path} and save it, and the table starts by itself"
    )


def _run_table(
    settings: Settings, notifier: Notifier, stopped: threading.Event, begin: Begin, pages: Blueprint
) -> Begin:
    """Run the table, with `pages` more, until it is stopped or is to begin anew; return with what."""
    anew: queue.SimpleQueue[Begin] = queue.SimpleQueue()
    with ExitStack() as stack:
        places = places_of(settings, os.environ, Path.home())
        appliance = stack.enter_context(Appliance(settings, places, setting_up=begin is Begin.SETTING_UP))
        app = create_app(
            appliance.table,
            history=StoredGames(appliance.journal.path),
            door=door_of(appliance),
            setup=desk_for(appliance, lambda: anew.put(Begin.PLAYING), lambda: anew.put(Begin.SETTING_UP)),
            allowed_hosts=settings.page.allowed_hosts,
        )
        broker = BrokerDesk(stack, settings.mqtt, appliance.table, appliance.journal.path)
        app.register_blueprint(
            service_pages(
                lambda: [*appliance.findings(), *broker.findings()],
                appliance.urls,
                None if appliance.leds is None else appliance.leds.try_each,
            )
        )
        app.register_blueprint(pages)
        stack.enter_context(_served(app, settings.page))
        stack.callback(Story(appliance.table).close)
        if settings.page.announce and settings.page.host not in ("127.0.0.1", "localhost"):
            stack.enter_context(Announcer(settings.page.name, settings.page.port))
        _tell_address(appliance.urls())
        notifier.ready(f"the page is at {appliance.urls()[0]}")
        look_after(appliance, notifier, stopped, anew)
    return Begin.NOTHING if stopped.is_set() or anew.empty() else anew.get()


def door_of(appliance: Appliance) -> Door | None:
    """Return the door that the button opens; None (all may act) only where the settings want none.

    A button that is wanted and does not work leaves the door shut: a broken wire must not let the whole
    network act. The phones let in before go on.
    """
    page = appliance.settings.page
    if page.open or is_loopback(page.host):
        return None
    if not appliance.settings.button.use:
        LOG.warning("there is no button, as the settings say, so everybody in the house may act")
        return None
    door = open_door(appliance.journal.path)
    if not appliance.has_button:
        LOG.warning("%s", NO_BUTTON)
        appliance.tell_more_of("button", NO_BUTTON)
    appliance.listeners.append(door.hears)
    if appliance.leds is not None:
        door.listeners.append(shown_by(appliance.leds))
    return door


def _served(app: Flask, page: PageSettings) -> RunningServer:
    try:
        return serve(app, page.host, page.port)
    except PortTaken as fault:
        sentence = fault.sentence.replace("--port", "[page] port").replace("--host", "[page] host")
        raise Fault(f"{sentence}.") from fault


def _tell_address(urls: Sequence[str]) -> None:
    """Log the page's addresses, and one of them as a code for phones."""
    for url in urls:
        LOG.info("the page is at %s", url)
    for line in qr_lines(url_for_phones(urls)):
        LOG.info("%s", line)


def look_after(
    appliance: Appliance, notifier: Notifier, stopped: threading.Event, anew: queue.SimpleQueue[Begin]
) -> None:
    """Give signs of life while the table's writer turns, until it begins anew or only a new start helps."""
    turn_s = TURN_S if notifier.watchdog_s is None else min(TURN_S, notifier.watchdog_s / 3)
    while not stopped.wait(turn_s) and anew.empty():
        if appliance.table.answers():
            notifier.alive()
        else:
            LOG.error("the table's writer does not answer")
        camera = appliance.camera
        if camera is None:
            continue
        _ = camera.health
        if notifier.listens and camera.stuck_s > STUCK_S:
            raise Fault(
                "the camera is stuck for a minute now, and only a new start frees it; the game goes on."
            )
