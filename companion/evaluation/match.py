"""One reading against the truth of its picture: which dice are right, and what may be said of the whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.evaluation.truth import TrueDie, TruePicture
from companion.vision.reading import DieSeen, Reading


@dataclass(frozen=True, slots=True)
class DieScore:
    """A true die and the die that was read in its place, if any.

    ``counts`` is false for a die cut by the picture's edge: it is left out of the figures by die. ``excused``
    is true for a die that leans or is stacked in a picture that was not trusted: doubted, so it is right.
    """

    true: TrueDie
    seen: DieSeen | None
    counts: bool
    excused: bool

    @property
    def is_read_right(self) -> bool:
        """Body, colour and zone are those of the true die."""
        seen = self.seen
        return seen is not None and (
            (seen.body, seen.colour, seen.zone) == (self.true.body, self.true.colour, self.true.zone)
        )

    @property
    def is_right(self) -> bool:
        """Read right, or rightly doubted."""
        return self.excused or self.is_read_right


@dataclass(frozen=True, slots=True)
class PictureScore:
    """What became of one picture.

    ``extra`` are dice that were read where there is none. ``problems`` holds a single sentence instead of
    codes where the table could not be calibrated.
    """

    picture: TruePicture
    dice: tuple[DieScore, ...]
    extra: tuple[DieSeen, ...]
    trusted: bool
    problems: tuple[str, ...]

    @property
    def is_read_right(self) -> bool:
        """Every die, cut ones too, is read right, none is made up, and nothing there had to be doubted."""
        return (
            not self.picture.must_be_doubted
            and not self.extra
            and all(score.is_read_right for score in self.dice)
        )

    @property
    def is_trusted_but_wrong(self) -> bool:
        """The one unforgivable fault."""
        return self.trusted and not self.is_read_right

    @property
    def is_refused(self) -> bool:
        """A good picture that was not trusted."""
        return self.picture.is_good and not self.trusted

    @property
    def counted(self) -> tuple[DieScore, ...]:
        """The dice that the figures are about."""
        return tuple(score for score in self.dice if score.counts)

    @property
    def is_read_wrong(self) -> bool:
        """Whether it was trusted or not, a die is wrong or made up."""
        return (
            self.is_trusted_but_wrong or bool(self.extra) or any(not score.is_right for score in self.counted)
        )

    @property
    def is_miss(self) -> bool:
        """Worth looking at: read wrong, or a good picture refused."""
        return self.is_read_wrong or self.is_refused


def score_picture(picture: TruePicture, reading: Reading) -> PictureScore:
    """Match what was read to what lies there, nearest pairs first, at most half a die apart."""
    pairs = _matched(picture.dice, reading.dice)
    scores = tuple(
        DieScore(
            true=die,
            seen=reading.dice[pairs[index]] if index in pairs else None,
            counts=not die.cut,
            excused=not reading.trusted and (die.leaning or die.stacked),
        )
        for index, die in enumerate(picture.dice)
    )
    taken = set(pairs.values())
    extra = tuple(die for index, die in enumerate(reading.dice) if index not in taken)
    return PictureScore(picture, scores, extra, reading.trusted, reading.problems)


def score_unread(picture: TruePicture, why: str) -> PictureScore:
    """A picture of a table that could not be calibrated: nothing is right."""
    return score_picture(picture, Reading((), (why,), trusted=False))


def _matched(true: Sequence[TrueDie], seen: Sequence[DieSeen]) -> dict[int, int]:
    """Pairs (index of the true die → index of the seen one), greedy by distance: dice do not overlap."""
    distances = sorted(
        (math.dist(die.centre_px, other.centre_px), index, number)
        for index, die in enumerate(true)
        for number, other in enumerate(seen)
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for distance_px, index, number in distances:
        if index in pairs or number in taken or distance_px > half_die_px(true[index]):
            continue
        pairs[index] = number
        taken.add(number)
    return pairs


def half_die_px(die: TrueDie) -> float:
    """Half the mean side of a true die's top face, in pixels."""
    corners = die.top_px
    return sum(math.dist(corners[k], corners[(k + 1) % 4]) for k in range(4)) / 8
