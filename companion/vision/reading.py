"""What a reading is: the dice seen in one picture, the problems found, and whether it may be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Point = tuple[float, float]

PROBLEMS = (
    "too_few_dice",
    "too_many_dice",
    "wrong_bodies",
    "leaning_die",
    "stacked_die",
    "cut_die",
    "colour_unsure",
    "body_unsure",
    "too_dark",
    "too_bright",
    "light_changed",
    "blurred",
    "moving",
    "hand_in_view",
    "camera_moved",
)


def in_words(problem: str) -> str:
    """A code of `PROBLEMS` for people: "leaning die"."""
    return problem.replace("_", " ")


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die as seen: `centre_px` and `top_px` (corners of the top face) in the picture's own pixels.

    `body` is "white" or "black", `zone` "track" or "reserve", `confidence` 0 to 1, `runner_up` the colour it
    would be otherwise; `problems` are those of the reading that this die has, out of `PROBLEMS`.
    """

    body: str
    colour: str
    zone: str
    centre_px: Point
    top_px: tuple[Point, Point, Point, Point]
    confidence: float
    runner_up: str
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The shape printed by `companion read --json`."""
        return {
            "body": self.body,
            "colour": self.colour,
            "zone": self.zone,
            "centre_px": [round(self.centre_px[0], 1), round(self.centre_px[1], 1)],
            "confidence": round(self.confidence, 3),
            "runner_up": self.runner_up,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice of one picture. Only a trusted reading may become a throw."""

    dice: tuple[DieSeen, ...]
    problems: tuple[str, ...]
    trusted: bool

    def to_dict(self, picture: str) -> dict[str, Any]:
        """The shape printed by `companion read --json`."""
        return {
            "picture": picture,
            "dice": [die.to_dict() for die in self.dice],
            "problems": list(self.problems),
            "trusted": self.trusted,
        }
