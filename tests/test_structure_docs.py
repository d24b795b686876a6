"""What pages and messages say of commands is true: each exists, takes those options, and is told of."""

import argparse
import contextlib
import io
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.cli.main import COMMANDS, available_commands, command_parser
from tests.conftest import ROOT, in_ci
from tests.sources import all_modules, texts_of

SHELL_FENCE = re.compile(r"^```(?:sh|bash|shell|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")
RUNNERS = ("companion", ".venv/bin/companion")
OVERVIEW_OPTIONS = ("--help", "--version")


@dataclass(frozen=True, slots=True)
class Mention:
    """A command line that a page or a message names: where, its text, and whether it is whole."""

    where: str
    line: str
    whole: bool

    def __str__(self) -> str:
        return f"{self.where}: {self.line}"


def pages() -> list[Path]:
    """Return the pages of the project that people read."""
    return [
        ROOT / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted((ROOT / "hardware").rglob("*.md")),
    ]


def mentions_in_page(page: Path) -> Iterator[Mention]:
    """Yield the lines of shell blocks, and what stands in backticks, that begin with one of our commands."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    for block in SHELL_FENCE.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            words = line.removeprefix("$ ").strip()
            if is_ours(words):
                yield Mention(name, words, whole=True)
    for words in QUOTED.findall(text):
        if is_ours(words):
            yield Mention(name, words, whole=False)


def mentions_in_messages() -> Iterator[Mention]:
    """Yield what stands in backticks in the product's own texts and begins with one of our commands."""
    for module in all_modules():
        for text, line in texts_of(module):
            for words in QUOTED.findall(text):
                if is_ours(words):
                    yield Mention(f"{module.name}:{line}", words, whole=False)


def is_ours(words: str) -> bool:
    """Tell whether a command line begins with `companion …` or `script/…`."""
    first, _, rest = words.partition(" ")
    return first.startswith("script/") or (first in RUNNERS and bool(rest))


def fault_of(mention: Mention) -> str | None:
    """Say what is wrong with a command line, or None: an unknown command, script or option, a wrong form."""
    line = mention.line.split(" #")[0].split("|")[0].split(" > ")[0].split(" && ")[0]
    words = shlex.split(line.replace("…", "").replace("'s", ""))
    if words[0].startswith("script/"):
        return None if (ROOT / words[0]).is_file() else f"there is no {words[0]}"
    name, arguments = words[1], words[2:]
    if name in OVERVIEW_OPTIONS or not name.islower():
        return None  # `companion --help`, `companion COMMAND`
    if name not in available_commands():
        return f"there is no command {name}"
    parser = command_parser(name)
    said = io.StringIO()
    if mention.whole:
        try:
            with contextlib.redirect_stderr(said):
                parser.parse_args(arguments)
        except SystemExit:
            return said.getvalue()
        return None
    known = parser.format_help() + _help_of_part(parser, arguments)
    unknown = [
        word
        for word in arguments
        if word.startswith("--") and word.partition("=")[0].strip("[]") not in known
    ]
    return f"no option {unknown[0]}" if unknown else None


def _help_of_part(parser: argparse.ArgumentParser, arguments: list[str]) -> str:
    """Return the help of the first word's own part of a command, as in `companion cards list`."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        parser.parse_args([*arguments[:1], "--help"])
    return said.getvalue()


ALL_MENTIONS = [*(mention for page in pages() for mention in mentions_in_page(page)), *mentions_in_messages()]


@pytest.mark.parametrize("mention", ALL_MENTIONS, ids=str)
def test_named_command_line_is_right(mention: Mention) -> None:
    assert fault_of(mention) is None


def test_readme_lists_exactly_the_commands_of_help() -> None:
    table = "".join(f"| `companion {name}` | {COMMANDS[name]} |\n" for name in available_commands())
    found = "".join(re.findall(r"^\| `companion .*\n", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE))
    assert found == table, f"the table of commands in README.md must be\n{table}"


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("companion teleport", True),
        ("companion teleport now", False),
        ("script/teleport", True),
    ],
)
def test_wrong_command_line_is_seen(line: str, whole: bool) -> None:
    assert fault_of(Mention("here", line, whole)) is not None


@pytest.mark.parametrize("name", available_commands())
def test_wrong_option_is_seen(name: str) -> None:
    assert fault_of(Mention("here", f"companion {name} --no-such-option", whole=False)) is not None
    assert fault_of(Mention("here", f"companion {name} --no-such-option", whole=True)) is not None


def test_readme_names_the_scripts() -> None:
    named = {mention.line.split()[0] for mention in mentions_in_page(ROOT / "README.md")}
    assert {"script/demo", "script/test"} <= named


def shell_scripts() -> list[Path]:
    """Return every shell script of the project."""
    hardware = ROOT / "tests" / "hardware"
    folders = (ROOT / "script", ROOT / ".ci", hardware, hardware / "camera", hardware / "vm")
    files = [path for folder in folders for path in sorted(folder.iterdir()) if path.is_file()]
    return [path for path in files if path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")]


def test_scripts_are_there() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in shell_scripts()}
    assert {"script/setup", "script/demo", "script/test", ".ci/run"} <= names


@pytest.mark.parametrize("script", shell_scripts(), ids=lambda path: path.name)
def test_script_is_strict_and_can_be_run(script: Path) -> None:
    assert script.stat().st_mode & 0o111, f"{script} has no run bit"
    assert "\nset -euo pipefail\n" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize("script", shell_scripts(), ids=lambda path: path.name)
def test_script_passes_shellcheck(script: Path) -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        reason = "no shellcheck on this system: `sudo apt-get install shellcheck` brings it"
        if in_ci():
            pytest.fail(reason)
        pytest.skip(reason)
    done = subprocess.run([shellcheck, script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout
