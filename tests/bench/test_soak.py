"""The soak in small: play by chance goes on, and comes back as it was."""

from companion.bench.soak import soaked


def test_play_by_chance_leaves_nothing_behind() -> None:
    figures = {figure.name: figure for figure in soaked(150)}
    assert figures["games that came back otherwise than they were"].value == 0
    assert figures["threads grown"].value == 0
    assert figures["open files grown"].value == 0
    assert figures["presses a second"].value > 0
