"""What all tests share: where the evaluation data is, and the system's Chromium."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
"""The project's root: the folder of pyproject.toml."""

CHROMIUM_NAMES = (
    "chromium-headless-shell",  # the same without windows: a page opens in a third of the time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
CHROMIUM_ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
"""Quiet: nothing but the pages under test goes over the network."""

# As the command line does; read when numpy is first loaded, which no import above does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No test is judged by the clock: a busy machine is no fault of the code.
settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")


def shared_data_folder() -> Path | None:
    """Return the evaluation data: $COMPANION_DATA, else ../shared/data beside the root if that is there."""
    given = os.environ.get("COMPANION_DATA")
    if given:
        return Path(given)
    beside = ROOT.parent / "shared" / "data"
    return beside if beside.is_dir() else None


def in_ci() -> bool:
    """Tell whether this is a run of the continuous integration (CI=true), where nothing may be left out."""
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


def pytest_report_header() -> str:
    """Say which evaluation data the run used."""
    return f"evaluation data: {shared_data_folder() or 'none'}"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of evaluation data (tables, games, decks, real), or skip the test."""
    folder = shared_data_folder()
    if folder is None:
        pytest.skip("no evaluation data: set COMPANION_DATA, or put it at ../shared/data beside the project")
    if not folder.is_dir():
        pytest.fail(f"COMPANION_DATA names {folder}, which is no folder")
    return folder


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Return the system's Chromium; without one the test is skipped, in CI it fails."""
    for name in CHROMIUM_NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    reason = "no Chromium on this system: `sudo apt-get install chromium` brings it"
    if in_ci():
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser(chromium: Path) -> "Iterator[Browser]":
    """Yield a headless Chromium driven by Playwright; open a context of its own in each test.

    For one module: while Playwright is open an event loop runs in this thread, which others may not want.
    """
    from playwright.sync_api import sync_playwright

    arguments = list(CHROMIUM_ARGUMENTS)
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses its sandbox to root
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield started
        started.close()
