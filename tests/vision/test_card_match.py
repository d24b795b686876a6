"""Choosing among known cards: what is left out is far, and what can not be seen is not taken for equal."""

import numpy as np
import pytest

from companion.vision.card_look import THUMB_SIZE
from companion.vision.card_match import _coarse
from companion.vision.card_reader import CardReader, HolderState
from tests.vision.card_scenes import RED3, RED3_DEAR, Lying, Seen, picture, profile


@pytest.mark.parametrize("seed", range(5))
def test_coarse_thumbnails_are_never_farther_apart_than_whole_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = THUMB_SIZE[0] * THUMB_SIZE[1] * 3
    smooth = np.repeat(rng.normal(0, 1, (20, size // 12)), 12, axis=1)
    thumbs = (smooth + rng.normal(0, 0.3, (20, size))).astype(np.float32)
    coarse = np.concatenate(_coarse(thumbs), axis=1)
    whole_gaps = ((thumbs[:, None] - thumbs[None]) ** 2).sum(axis=2)
    coarse_gaps = ((coarse[:, None] - coarse[None]) ** 2).sum(axis=2)
    assert (coarse_gaps <= whole_gaps * 1.0001).all()
    assert coarse_gaps.max() > 1


def test_turning_a_face_changes_the_sign_of_its_odd_half_alone() -> None:
    thumb = np.random.default_rng(1).normal(0, 1, (1, THUMB_SIZE[0] * THUMB_SIZE[1], 3)).astype(np.float32)
    even, odd = _coarse(thumb.reshape(1, -1))
    turned_even, turned_odd = _coarse(thumb[:, ::-1].reshape(1, -1))
    assert np.allclose(turned_even, even, atol=1e-5)
    assert np.allclose(turned_odd, -odd, atol=1e-5)


@pytest.mark.parametrize("light", [0.4, 0.15, 0.06])
def test_a_dear_card_is_not_taken_for_its_cheap_twin_in_the_dark(light: float) -> None:
    reader = CardReader(profile())
    reader.know([reader.learn(picture((None, RED3, None)), 1, RED3)])
    seen = Seen((light, light, light), seed=3)
    reading = reader.read(picture((None, Lying(RED3_DEAR, (1.0, -1.0), 1.0), None), seen))[1]
    assert reading.state in (HolderState.NEW, HolderState.UNSURE)
