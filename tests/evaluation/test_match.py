"""What counts as right, wrong, trusted but wrong, refused."""

from dataclasses import replace

import pytest

from companion.evaluation.figures import Scored, confusions, figures_of, grouped
from companion.evaluation.match import PictureScore, score_picture
from companion.evaluation.report import told_miss
from tests.evaluation.drawn import picture, reading, seen_die, true_die

SIX = range(6)


def others(*left_out: int) -> list[int]:
    return [index for index in SIX if index not in left_out]


def test_six_dice_read_right_are_right_in_any_order() -> None:
    score = score_picture(picture(), reading(*(seen_die(index) for index in (5, 3, 1, 0, 2, 4))))
    assert score.is_read_right
    assert not score.is_miss
    assert not score.is_trusted_but_wrong


@pytest.mark.parametrize(
    "wrong", [{"colour": "purple"}, {"body": "black"}, {"zone": "reserve"}, {"dx": 11.0}], ids=str
)
def test_one_die_wrong_in_a_trusted_picture_is_the_unforgivable_fault(wrong: dict[str, object]) -> None:
    dice = [seen_die(0, **wrong), *(seen_die(index) for index in others(0))]  # type: ignore[arg-type]
    score = score_picture(picture(), reading(*dice))
    assert score.is_trusted_but_wrong
    assert sum(die.is_right for die in score.counted) == 5


def test_a_centre_less_than_half_a_die_off_is_the_same_die() -> None:
    dice = [seen_die(0, dx=9.0), *(seen_die(index) for index in others(0))]
    assert score_picture(picture(), reading(*dice)).is_read_right


def test_two_readings_of_one_die_leave_one_made_up() -> None:
    score = score_picture(picture(), reading(*(seen_die(index) for index in SIX), seen_die(0, dx=6.0)))
    assert len(score.extra) == 1
    assert score.dice[0].is_right
    assert score.is_trusted_but_wrong


def test_the_nearest_reading_is_matched_first() -> None:
    dice = [
        seen_die(0, dx=6.0, colour="blue"),
        seen_die(0, dx=1.0),
        *(seen_die(index) for index in others(0)),
    ]
    score = score_picture(picture(), reading(*dice))
    assert score.dice[0].is_right
    assert [die.colour for die in score.extra] == ["blue"]


def test_a_good_picture_that_is_doubted_is_refused_but_its_dice_count_as_read() -> None:
    score = score_picture(picture(), reading(trusted=False, problems=("blurred",)))
    assert score.is_refused
    assert score.is_miss
    assert all(die.is_right for die in score.counted)


def leaning_picture() -> tuple[PictureScore, PictureScore]:
    dice = [true_die(0, leaning=True), *(true_die(index) for index in others(0))]
    seen = [seen_die(0, colour="blue"), *(seen_die(index) for index in others(0))]
    shown = picture(*dice, kind="cocked")
    return score_picture(shown, reading(*seen)), score_picture(shown, reading(*seen, trusted=False))


def test_a_leaning_die_counts_as_right_when_the_picture_is_doubted_only() -> None:
    trusted, doubted = leaning_picture()
    assert trusted.is_trusted_but_wrong
    assert not trusted.dice[0].is_right
    assert doubted.dice[0].is_right
    assert not doubted.is_miss


def test_a_leaning_die_must_be_doubted_even_if_named_right() -> None:
    shown = picture(true_die(0, leaning=True), *(true_die(index) for index in others(0)), kind="cocked")
    assert score_picture(shown, reading()).is_trusted_but_wrong


def test_a_missing_die_must_be_doubted() -> None:
    shown = picture(*(true_die(index) for index in others(2)), kind="missing")
    five = [seen_die(index) for index in others(2)]
    assert score_picture(shown, reading(*five)).is_trusted_but_wrong
    assert not score_picture(shown, reading(*five, trusted=False)).is_miss


def test_a_cut_die_is_left_out_by_die_but_not_by_picture() -> None:
    shown = picture(true_die(0, cut=True), *(true_die(index) for index in others(0)))
    seen = [seen_die(0, colour="blue"), *(seen_die(index) for index in others(0))]
    trusted = score_picture(shown, reading(*seen))
    assert len(trusted.counted) == 5
    assert all(die.is_right for die in trusted.counted)
    assert trusted.is_trusted_but_wrong
    doubted = score_picture(shown, reading(*seen, trusted=False))
    assert not doubted.is_miss
    assert not doubted.is_refused


def test_figures_add_up() -> None:
    wrong = [seen_die(0, colour="blue"), *(seen_die(index) for index in others(0))]
    trusted, doubted = leaning_picture()
    scored = [
        Scored("t", "lamp", "", score_picture(picture(), reading())),
        Scored("t", "lamp", "", score_picture(picture(kind="drift"), reading(*wrong))),
        Scored("u", "window", "", score_picture(picture(), reading(trusted=False))),
        Scored("u", "window", "", doubted),
    ]
    figures = figures_of(scored)
    assert (figures.pictures, figures.dice, figures.dice_right) == (4, 24, 23)
    assert (figures.trusted, figures.trusted_but_wrong, figures.trusted_dice_wrong) == (2, 1, 1)
    assert (figures.good, figures.good_refused) == (3, 1)
    assert figures.to_dict()["good_refused_frac"] == pytest.approx(1 / 3, abs=1e-4)
    assert set(grouped(scored, lambda one: one.light)) == {"lamp", "window"}
    assert confusions(scored)["red"] == {"blue": 1, "red": 2}
    assert figures_of([Scored("t", "", "", trusted)]).trusted_dice_wrong == 1


def test_a_trusted_picture_of_missing_dice_is_at_least_one_wrong_die() -> None:
    shown = picture(*(true_die(index) for index in others(2)), kind="missing")
    five = reading(*(seen_die(index) for index in others(2)))
    assert figures_of([Scored("t", "", "", score_picture(shown, five))]).trusted_dice_wrong == 1


def test_what_went_wrong_is_told_in_words() -> None:
    seen = [seen_die(0, colour="blue"), *(seen_die(index) for index in others(0, 1))]
    told = told_miss(score_picture(picture(), reading(*seen)))
    assert told.startswith("trusted but wrong")
    assert "white red in track read as white blue in track" in told
    assert "white orange in track not found" in told
    extra = replace(seen_die(1), centre_px=(500.0, 500.0))
    dice = [*(seen_die(index) for index in SIX), extra]
    assert "white orange made up" in told_miss(score_picture(picture(), reading(*dice, trusted=False)))
