"""Figures over many pictures: dice right, pictures trusted, wrong or refused, by light and kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from companion.evaluation.match import PictureScore


@dataclass(frozen=True, slots=True)
class Scored:
    """A scored picture with where it comes from."""

    table: str
    light: str
    change: str
    score: PictureScore

    @property
    def name(self) -> str:
        """Table and file, and the change if there was one."""
        changed = f" ({self.change})" if self.change else ""
        return f"{self.table}/{self.score.picture.path.name}{changed}"


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts over some pictures, and the shares that follow from them."""

    pictures: int
    dice: int
    dice_right: int
    dice_missed: int
    dice_extra: int
    trusted: int
    trusted_but_wrong: int
    trusted_dice: int
    trusted_dice_wrong: int
    good: int
    good_refused: int

    @property
    def dice_right_frac(self) -> float:
        """Share of the dice that are right in body, colour and zone."""
        return self.dice_right / self.dice if self.dice else 0.0

    @property
    def refused_frac(self) -> float:
        """Share of the good pictures that were not trusted."""
        return self.good_refused / self.good if self.good else 0.0

    @property
    def trusted_dice_wrong_frac(self) -> float:
        """Share of all dice that were trusted and are wrong."""
        return self.trusted_dice_wrong / self.dice if self.dice else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Counts and shares as JSON values."""
        return {
            "pictures": self.pictures,
            "dice": self.dice,
            "dice_right": self.dice_right,
            "dice_right_frac": round(self.dice_right_frac, 5),
            "dice_missed": self.dice_missed,
            "dice_extra": self.dice_extra,
            "trusted": self.trusted,
            "trusted_but_wrong": self.trusted_but_wrong,
            "trusted_dice": self.trusted_dice,
            "trusted_dice_wrong": self.trusted_dice_wrong,
            "trusted_dice_wrong_frac": round(self.trusted_dice_wrong_frac, 6),
            "good": self.good,
            "good_refused": self.good_refused,
            "good_refused_frac": round(self.refused_frac, 5),
        }


def figures_of(scored: Iterable[Scored]) -> Figures:
    """Add up."""
    scores = [one.score for one in scored]
    counted = [die for score in scores for die in score.counted]
    trusted = [score for score in scores if score.trusted]
    good = [score for score in scores if score.picture.is_good]
    wrong_dice = sum(
        sum(not die.is_right for die in score.dice) + len(score.extra)
        if not score.picture.must_be_doubted
        else max(1, sum(not die.is_right for die in score.dice) + len(score.extra))
        for score in trusted
    )
    return Figures(
        pictures=len(scores),
        dice=len(counted),
        dice_right=sum(die.is_right for die in counted),
        dice_missed=sum(die.seen is None and not die.excused for die in counted),
        dice_extra=sum(len(score.extra) for score in scores),
        trusted=len(trusted),
        trusted_but_wrong=sum(score.is_trusted_but_wrong for score in trusted),
        trusted_dice=sum(len(score.dice) for score in trusted),
        trusted_dice_wrong=wrong_dice,
        good=len(good),
        good_refused=sum(score.is_refused for score in good),
    )


def grouped(scored: Iterable[Scored], key: Callable[[Scored], str]) -> dict[str, Figures]:
    """Figures for each value of ``key``, in alphabetical order."""
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(key(one), []).append(one)
    return {name: figures_of(groups[name]) for name in sorted(groups)}


def confusions(scored: Iterable[Scored]) -> dict[str, dict[str, int]]:
    """How often each true colour was read as each colour, over dice that were found; true → read → count."""
    counts: dict[str, Counter[str]] = {}
    for one in scored:
        for die in one.score.counted:
            if die.seen is not None and not die.excused:
                counts.setdefault(die.true.colour, Counter())[die.seen.colour] += 1
    return {true: dict(sorted(counts[true].items())) for true in sorted(counts)}


def problem_counts(scored: Iterable[Scored]) -> dict[str, int]:
    """How often each problem was told in good pictures that were refused."""
    counts = Counter(problem for one in scored if one.score.is_refused for problem in one.score.problems)
    return dict(counts.most_common())
