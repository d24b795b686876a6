"""Truths and readings made by hand, for tests of what is said about them."""

from pathlib import Path

from companion.evaluation.truth import TrueDie, TruePicture
from companion.vision.reading import DieSeen, Reading

PLACES = ((100.0, 100.0), (200.0, 100.0), (300.0, 100.0), (100.0, 250.0), (200.0, 250.0), (300.0, 250.0))
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")


def true_die(
    index: int, *, zone: str = "track", cut: bool = False, leaning: bool = False, stacked: bool = False
) -> TrueDie:
    """The die at a place, four white ones and then two black, side 20 px."""
    x, y = PLACES[index]
    corners = ((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10))
    body = "white" if index < 4 else "black"
    return TrueDie(body, COLOURS[index], zone, (x, y), corners, cut, leaning, stacked)


def seen_die(
    index: int, *, dx: float = 0.0, colour: str = "", body: str = "", zone: str = "track"
) -> DieSeen:
    """The same die as read, ``dx`` pixels off, with another colour, body or zone if given."""
    true = true_die(index)
    x, y = true.centre_px
    return DieSeen(body or true.body, colour or true.colour, zone, (x + dx, y), true.top_px, 0.99, "orange")


def picture(*dice: TrueDie, kind: str = "throw") -> TruePicture:
    """A picture with these dice, else with six upright ones."""
    return TruePicture(Path("throw1.jpg"), kind, dice or tuple(true_die(index) for index in range(6)))


def reading(*dice: DieSeen, trusted: bool = True, problems: tuple[str, ...] = ()) -> Reading:
    """A reading of these dice, else of the six as they are."""
    return Reading(dice or tuple(seen_die(index) for index in range(6)), problems, trusted)
