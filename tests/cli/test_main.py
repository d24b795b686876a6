"""The command line's frame, tried with commands made for the test and with the real process."""

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import companion.cli
from companion import __version__
from companion.cli import main as frame
from companion.cli.main import COMMANDS, available_commands, command_parser, load_command, main

MakeCommand = Callable[..., str]

_numbers = itertools.count(1)


@pytest.fixture
def make_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeCommand:
    """Return a function that adds a command whose `run` has the given body, and returns its name."""
    monkeypatch.setattr(companion.cli, "__path__", [*companion.cli.__path__, str(tmp_path)])

    def make(run: str = "return 0", *, top: str = "", arguments: str = "pass") -> str:
        name = f"made{next(_numbers)}"
        body = run.replace("\n", "\n    ")
        source = (
            f'{top}\nHELP = "made"\ndef add_arguments(parser):\n    {arguments}\ndef run(args):\n    {body}\n'
        )
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        monkeypatch.setitem(COMMANDS, name, "made")
        return name

    return make


def test_help_lists_every_available_command_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for name in available_commands():
        assert any(line.split() == [name, *COMMANDS[name].split()] for line in out.splitlines())


def test_help_leaves_out_what_this_version_lacks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(COMMANDS, "teleport", "throw from afar")
    assert main(["--help"]) == 0
    assert "teleport" not in capsys.readouterr().out
    assert main(["teleport"]) == 2
    assert "'teleport' is not in version" in capsys.readouterr().err


@pytest.mark.parametrize("name", available_commands())
def test_command_has_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert COMMANDS[name] == load_command(name).HELP
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"usage: companion {name}")


@pytest.mark.parametrize("name", available_commands())
def test_command_refuses_an_unknown_option(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--no-such-option"]) == 2
    assert capsys.readouterr().err.startswith(f"usage: companion {name}")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"companion {__version__}\n"


def test_no_command_shows_help_and_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    err = capsys.readouterr().err
    assert "usage: companion" in err
    assert "say which command" in err


def test_unknown_option_before_a_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--frobnicate"]) == 2
    assert "--frobnicate" in capsys.readouterr().err


def test_mistyped_command_gets_the_nearest(
    make_command: MakeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    name = make_command()
    assert main([name.replace("made", "maed")]) == 2
    err = capsys.readouterr().err
    assert f"did you mean `companion {name}`?" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("word", ["--colour", "--colourr=red"])
def test_mistyped_option_gets_the_nearest(
    make_command: MakeCommand, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    name = make_command(arguments='parser.add_argument("--colours")')
    assert main([name, word]) == 2
    assert f"unrecognized arguments: {word}; did you mean --colours?" in capsys.readouterr().err


def test_option_like_nothing_and_a_word_too_many_get_no_hint(
    make_command: MakeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    name = make_command(arguments='parser.add_argument("--colours")')
    for word in ("--xylophone", "colours"):
        assert main([name, word]) == 2
        assert capsys.readouterr().err.endswith(f"unrecognized arguments: {word}\n")


def test_command_like_nothing_points_to_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["xylophone"]) == 2
    assert "`companion --help` lists them all" in capsys.readouterr().err


def test_arguments_reach_the_command_and_its_status_comes_back(make_command: MakeCommand) -> None:
    name = make_command("return args.status", arguments='parser.add_argument("status", type=int)')
    assert main([name, "2"]) == 2
    assert main([name, "0"]) == 0
    assert command_parser(name).prog == f"companion {name}"


def test_only_the_command_asked_for_is_imported(make_command: MakeCommand) -> None:
    wanted = make_command()
    broken = make_command(top='raise RuntimeError("imported")')
    assert main([wanted]) == 0
    with pytest.raises(RuntimeError, match="imported"):
        main([broken])


def test_fault_is_one_sentence_and_status_3(
    make_command: MakeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    name = make_command(
        'raise Fault("the table has legs; sit down.")', top="from companion.cli.faults import Fault"
    )
    assert main([name]) == 3
    assert capsys.readouterr().err == "companion: the table has legs; sit down.\n"


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ('open("/no/such/file")', "companion: /no/such/file: No such file or directory.\n"),
        (
            "import errno; raise OSError(errno.ENOSPC, 'No space left on device')",
            "No space left on device.\n",
        ),
        ('raise OSError("the lamp is out")', "companion: the lamp is out.\n"),
        ("raise TimeoutError", "companion: TimeoutError.\n"),
        ('raise SystemExit("no table")', "companion: no table\n"),
    ],
)
def test_system_fault_is_one_sentence_and_status_3(
    run: str, said: str, make_command: MakeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([make_command(run)]) == 3
    err = capsys.readouterr().err
    assert err.endswith(said)
    assert err.count("\n") == 1


def test_missing_library_matters_only_to_its_command(
    make_command: MakeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([make_command(top="import no_such_library.part")]) == 3
    assert "'no_such_library' is not installed here; run `script/setup`" in capsys.readouterr().err
    assert main([make_command("import no_such_library")]) == 3
    assert main([make_command()]) == 0


def test_library_that_does_not_load_is_told(
    make_command: MakeCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    name = make_command(top='raise ImportError("libGL.so.1: cannot open shared object file", name="cv2")')
    assert main([name]) == 3
    assert "libGL.so.1" in capsys.readouterr().err


def test_defect_in_our_own_packages_keeps_its_traceback(make_command: MakeCommand) -> None:
    with pytest.raises(ImportError):
        main([make_command("from companion.cli import no_such_part")])
    with pytest.raises(ZeroDivisionError):
        main([make_command("1 / 0")])


def test_interrupt_is_quiet(make_command: MakeCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([make_command("raise KeyboardInterrupt")]) == 130
    assert capsys.readouterr().err == ""


def test_broken_pipe_is_quiet(make_command: MakeCommand, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([make_command("raise BrokenPipeError")]) == 141
    assert capsys.readouterr().err == ""


def run_process(tmp_path: Path, run: str, shell: str) -> subprocess.CompletedProcess[str]:
    """Run a made command in a real process, through a shell so that its output can go anywhere."""
    (tmp_path / "made.py").write_text(
        f'HELP = "made"\ndef add_arguments(parser): pass\ndef run(args):\n    {run}\n    return 0\n',
        encoding="utf-8",
    )
    (tmp_path / "start.py").write_text(
        "import sys, companion.cli\n"
        "from companion.cli import main as frame\n"
        f"companion.cli.__path__.append({str(tmp_path)!r})\n"
        'frame.COMMANDS["made"] = "made"\n'
        'sys.exit(frame.main(["made"]))\n',
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(frame.__file__).parents[2])}
    return subprocess.run(
        ["bash", "-c", shell.format(start=f"{sys.executable} {tmp_path / 'start.py'}")],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=60,
    )


def test_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    done = run_process(
        tmp_path, 'for n in range(99999): print("line", n)', "{start} | head -n 1; exit ${{PIPESTATUS[0]}}"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("line 0\n", "", 141)


def test_full_disk_under_standard_output_is_a_fault(tmp_path: Path) -> None:
    done = run_process(tmp_path, 'print("result")', "{start} > /dev/full")
    assert (done.stderr, done.returncode) == ("companion: No space left on device.\n", 3)


def test_name_that_the_terminal_cannot_show_is_no_fault(tmp_path: Path) -> None:
    done = run_process(
        tmp_path, 'print("Zoë ♛")', "PYTHONIOENCODING=latin-1 {start} | iconv -f latin1 -t utf8"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("Zoë \\u265b\n", "", 0)


def test_module_runs_as_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "--version"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(frame.__file__).parents[2])},
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.returncode) == (f"companion {__version__}\n", 0)
