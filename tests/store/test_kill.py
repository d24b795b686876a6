"""A table killed at any instant comes back to the same game, with nothing acknowledged lost."""

import json
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

KILLS = 50


def lives_until_killed(file: Path, seed: int, kill_after_s: float) -> list[dict[str, Any]]:
    """Play on for a while, kill the process without warning, and return all complete lines it had printed."""
    command = [sys.executable, "-m", "tests.store.player", str(file), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]  # what was found: the life has begun, from now on it may end
        killer = threading.Timer(kill_after_s, process.kill)
        killer.start()
        lines += process.stdout.readlines()
        killer.join()
        assert process.wait() == -9, "the player ended by itself"
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def test_killed_fifty_times_it_loses_nothing_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    chance = random.Random(20261130)
    last: dict[str, Any] | None = None
    steps = moved_on = games = 0
    for life in range(KILLS):
        found, *acknowledged = lives_until_killed(file, life, chance.uniform(0.0, 0.25))
        if last is not None:
            now = found["found"]
            assert now["revision"] > last["revision"], "a revision was used twice"
            if now["kept_of"] == last["kept_of"]:
                # All that was there when the last step was answered, and the revisions this life reserved.
                assert now["kept"] > last["kept"], f"life {life} found less than life {life - 1} was told"
            if now["events"] != last["events"]:
                # The step under way at the kill may have been kept already; nothing answered is gone.
                moved_on += 1
                assert is_one_step_on(last, now), f"life {life} began elsewhere than life {life - 1} was told"
            else:
                assert same_game(last, now)
        revisions = [line["acknowledged"]["revision"] for line in acknowledged]
        assert revisions == sorted(set(revisions))
        steps += len(acknowledged)
        games += sum(len(line["acknowledged"]["events"]) == 1 for line in acknowledged)
        last = acknowledged[-1]["acknowledged"] if acknowledged else found["found"]
    print(f"{KILLS} kills, {steps} acknowledged steps, {games} games begun, {moved_on} kept but not answered")
    assert steps > 10 * KILLS, "too little was played for the test to mean anything"


def same_game(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether both show the same game in the same state; a draw may have been kept meanwhile."""
    return (
        {**one["game"], "owed": None} == {**other["game"], "owed": None} if one["game"] else not other["game"]
    )


def is_one_step_on(last: dict[str, Any], now: dict[str, Any]) -> bool:
    """Tell whether `now` is one step beyond what was last answered: events more or less, or a new game."""
    before, after = last["events"], now["events"]
    shorter = min(len(before), len(after))
    together = before[:shorter] == after[:shorter] and abs(len(before) - len(after)) <= 2
    return together or [event["type"] for event in after] == ["start"]
