"""The virtual machine's last result is kept as it came out; once things change, that is known."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.hardware.vm import kept_result
from tests.hardware.vm.kept_result import KEPT, TRIED, fingerprint, keep


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with all that the trial shows."""
    for name in TRIED:
        place = tmp_path / name
        is_file = (ROOT / name).is_file()
        (place.parent if is_file else place).mkdir(parents=True, exist_ok=True)
        (place if is_file else place / "one.py").write_text("one", encoding="utf-8")
    return tmp_path


def test_everything_that_is_tried_is_there() -> None:
    assert [name for name in TRIED if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", TRIED)
def test_a_change_to_anything_tried_is_known(project: Path, name: str) -> None:
    before = fingerprint(project)
    place = project / name
    (place if place.is_file() else place / "one.py").write_text("two", encoding="utf-8")
    assert fingerprint(project) != before


@pytest.mark.parametrize(
    "name", ["companion/devices/simulated/scene.py", "companion/devices/__pycache__/x.pyc"]
)
def test_what_has_no_pins_does_not_count(project: Path, name: str) -> None:
    before = fingerprint(project)
    place = project / name
    place.parent.mkdir(parents=True)
    place.write_text("two", encoding="utf-8")
    assert fingerprint(project) == before


def test_steps_are_kept_as_they_were_told(tmp_path: Path) -> None:
    steps = [('a "quoted" step', "took 3 s; \\ and é"), ("another", "4 s")]
    keep(tmp_path / "tried.toml", 17.4, 5, steps)
    kept = tomllib.loads((tmp_path / "tried.toml").read_text(encoding="utf-8"))
    assert [(step["what"], step["told"]) for step in kept["steps"]] == steps
    assert (kept["minutes"], kept["plugs_pulled"], kept["fingerprint"]) == (17, 5, fingerprint())


def test_page_tells_the_kept_result() -> None:
    kept = tomllib.loads(KEPT.read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `script/test-hardware` |"))
    assert f"{kept['date']}, all {len(kept['steps'])} steps passed" in row
    assert f"the plug was pulled {kept['plugs_pulled']} times" in row


@pytest.mark.parametrize(
    ("holds", "code", "told"),
    [(None, 1, "never tried"), (False, 1, "changed since"), (True, 0, "as they were tried")],
)
def test_ci_is_told_whether_it_still_holds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    holds: bool | None,
    code: int,
    told: str,
) -> None:
    kept = tmp_path / "tried.toml"
    monkeypatch.setattr(kept_result, "KEPT", kept)
    if holds is not None:
        keep(kept, 1.0, 5, [])
    if holds is False:
        kept.write_text(kept.read_text(encoding="utf-8").replace(fingerprint(), "0" * 16), encoding="utf-8")
    assert kept_result.main() == code
    assert told in capsys.readouterr().out
