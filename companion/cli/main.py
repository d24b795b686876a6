"""The command `companion`: finds the command asked for, runs it, and turns faults into one sentence.

A command is a module `companion/cli/<name>.py` with `HELP` (its line in the table below),
`add_arguments(parser)` and `run(args) -> int`. Only the module asked for is imported, so that
`companion --help` is quick and a missing library matters only to the command that needs it.
"""

import argparse
import difflib
import importlib
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Protocol, TextIO, cast

from companion import __version__
from companion.cli.faults import Fault

EXIT_OK = 0
EXIT_REFUSED = 2
"""A refusal of the game's rules or of the command line."""
EXIT_FAULT = 3
"""A file or device fault."""
EXIT_INTERRUPTED = 130
"""Ctrl-C, as a shell counts it: 128 + SIGINT."""
EXIT_PIPE_CLOSED = 141
"""Nobody reads our output any more, as a shell counts it: 128 + SIGPIPE."""

COMMANDS: dict[str, str] = {
    "demo": "play at a simulated table, all in the browser, without hardware",
    "run": "run the real table: camera, button, LEDs and pages",
    "watch": "run a table whose camera drops its pictures in a folder",
    "calibrate": "make a table's profile, from two pictures or with its camera",
    "markers": "make the sheet of corner markers to print",
    "read": "read the dice in pictures",
    "cards": "recognise and learn the cards in the holders",
    "replay": "replay a game record and print the standings",
    "odds": "work out the exact odds of a turn",
    "evaluate": "measure how well pictures with known truth are read",
    "selfplay": "let robots play whole games",
    "doctor": "examine camera, pins, disk, broker and settings, and advise",
    "bench": "measure speed and growth on this machine",
    "club": "follow many tables: wall, season, ratings, all games in a database",
    "backup": "save all games in one file",
    "restore": "bring back what a backup saved",
}
"""Every public command with its one line of help; those without a module are not in this version."""

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
_OWN_PACKAGES = ("companion", "calibration")


class Command(Protocol):
    """What a command's module offers."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it and return the exit status."""


def available_commands() -> tuple[str, ...]:
    """Return the commands of this version, in the order in which help lists them."""
    return tuple(name for name in COMMANDS if find_spec(f"companion.cli.{name}") is not None)


def load_command(name: str) -> Command:
    """Import the module of an available command."""
    return cast(Command, importlib.import_module(f"companion.cli.{name}"))


def command_parser(name: str) -> argparse.ArgumentParser:
    """Return the complete parser of one available command, as `companion NAME` uses it."""
    command = load_command(name)
    parser = argparse.ArgumentParser(prog=f"companion {name}", description=command.HELP, allow_abbrev=False)
    command.add_arguments(parser)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    `argv` is without the program's name; by default the process's own arguments. The status is 0 on
    success, 2 for a refusal of the rules or of the command line, 3 for a file or device fault. Faults
    go to standard error as one sentence, never as a traceback.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    # Read when numpy is first loaded, by a command. Our matrices are small: more threads only wait for each
    # other, ten times as long on a busy machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name the terminal cannot show is no fault
    return _guarded(lambda: _dispatch(words))


def _dispatch(words: list[str]) -> int:
    name = words[0] if words else None
    if name is None or name.startswith("-"):
        return _run_without_command(words)
    if name not in available_commands():
        print(f"companion: {_unknown_command(name)}", file=sys.stderr)
        return EXIT_REFUSED
    parser = command_parser(name)
    args, unknown = parser.parse_known_args(words[1:])
    if unknown:
        parser.error(_unknown_arguments(unknown, parser.format_help()))
    return load_command(name).run(args)


def _run_without_command(words: list[str]) -> int:
    parser = _overview_parser()
    if not words:
        parser.print_help(sys.stderr)
        print(f"companion: say which command, for instance `companion {_first_command()}`.", file=sys.stderr)
        return EXIT_REFUSED
    # Only --help and --version are options without a command, and both end here.
    parser.parse_args(words)
    return EXIT_OK


def _first_command() -> str:
    return next(iter(available_commands()), "--help")


def _overview_parser() -> argparse.ArgumentParser:
    names = available_commands()
    width = max((len(name) for name in names), default=0)
    listing = "\n".join(f"  {name:<{width}}  {COMMANDS[name]}" for name in names)
    parser = argparse.ArgumentParser(
        prog="companion",
        usage="companion COMMAND [OPTION…]",
        description="A table companion for the dice game Next!\n\ncommands:\n" + listing,
        epilog="`companion COMMAND --help` tells more about one command.\n"
        "exit status: 0 done; 2 refused by the rules or the command line; 3 a file or a device is at fault",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    return parser


def _unknown_command(name: str) -> str:
    if name in COMMANDS:
        return (
            f"the command '{name}' is not in version {__version__}; `companion --help` lists those that are."
        )
    near = difflib.get_close_matches(name, available_commands(), n=1)
    hint = f"did you mean `companion {near[0]}`?" if near else "`companion --help` lists them all."
    return f"there is no command '{name}'; {hint}"


def _unknown_arguments(unknown: Sequence[str], told: str) -> str:
    """Say what was not understood; `told` is the command's help, which names all that would have been."""
    option = next((word.partition("=")[0] for word in unknown if word.startswith("-")), None)
    known = sorted(set(OPTION.findall(told)))
    near = difflib.get_close_matches(option, known, n=1) if option is not None else []
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"unrecognized arguments: {' '.join(unknown)}{hint}"


def _guarded(work: Callable[[], int]) -> int:
    """Run `work` to its exit status, faults told in one sentence, all output written or given up."""
    try:
        status = _status_of(work)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _silence(sys.stdout)
        return EXIT_PIPE_CLOSED
    except Fault as fault:
        return _tell(fault.sentence)
    except ImportError as missing:
        return _tell(_missing_library(missing))
    except OSError as fault:
        _silence(sys.stdout)
        return _tell(_system_fault(fault))
    return status


def _status_of(work: Callable[[], int]) -> int:
    """Run `work`; argparse ends by SystemExit: 0 after --help, 2 after a wrong command line."""
    try:
        return work()
    except SystemExit as end:
        if isinstance(end.code, str):
            raise Fault(end.code) from end
        return end.code or EXIT_OK


def _tell(sentence: str) -> int:
    print(f"companion: {sentence}", file=sys.stderr)
    return EXIT_FAULT


def _missing_library(missing: ImportError) -> str:
    """Say which library is missing; a missing part of our own is a defect and keeps its traceback."""
    package = (missing.name or "").partition(".")[0]
    if package in _OWN_PACKAGES:
        raise missing
    if package and isinstance(missing, ModuleNotFoundError):
        return f"the Python package '{package}' is not installed here; run `script/setup`, which installs it."
    return f"a library cannot be loaded here ({missing}); run `script/setup`, which chooses one that can."


def _system_fault(fault: OSError) -> str:
    what = fault.strerror or str(fault) or type(fault).__name__
    where = f"{fault.filename}: " if fault.filename is not None else ""
    return f"{where}{what}."


def _silence(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, so that Python's own last flush does not complain."""
    try:
        number = stream.fileno()
    except (OSError, ValueError):  # not a real file: nothing to flush at exit
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
