"""Advice: the sentence for each problem of a reading and for each reason why a throw waits."""

from __future__ import annotations

from collections.abc import Sequence

PROBLEM_ADVICE = {
    "too_few_dice": "fewer than six dice are seen: look in the tower and under a hand",
    "too_many_dice": "more than six dice are seen: take away what is no die",
    "wrong_bodies": "there must be four white and two black dice: check which is which",
    "leaning_die": "a die leans: lay it flat, or throw it again",
    "stacked_die": "a die stands on another: lay it flat, or throw it again",
    "cut_die": "a die is cut off by the picture's edge: move it into view",
    "colour_unsure": "the colour of a die is not sure: tap the right one",
    "body_unsure": "whether a die is white or black is not sure: tap the right one",
    "too_dark": "it is too dark: more light, then press again",
    "too_bright": "it is too bright: less light or no glare, then press again",
    "light_changed": "the light has changed much since calibration: restore it, or calibrate again",
    "blurred": "the picture is blurred: check the focus and press again",
    "moving": "something still moves: press again when the dice lie still",
    "hand_in_view": "a hand is in view: take it away and press again",
    "camera_moved": "the camera was moved: put it back, or calibrate again",
}
"""What to do about each problem code of a reading."""

WHY_SENTENCES = {
    "card_needed": "The throw waits until the cards are named.",
    "kept_unknown": "Which dice were kept? There is no reserve strip to tell.",
    "kept_die_differs": "A kept die shows another colour than before: which of the two readings is wrong?",
    "all_dice_needed": "A first throw is with all six dice, but some lie in the reserve.",
    "nothing_thrown": "All six dice lie in the reserve, so none was thrown.",
    "nothing_moved": "The dice lie just as before, so nothing seems to have been thrown.",
    "wrong_dice": "A throw has exactly four white and two black dice: mend the reading.",
    "other_colours": "The dice were read in colours that this game does not have: is it the right profile?",
    "camera_stalled": "The camera gives no picture: check its cable, press again, or type the throw.",
}
"""Why a reading waits, by code; `untrusted` is told by its problems."""


def untrusted_sentence(problems: Sequence[str]) -> str:
    """Return what is wrong with a reading and what to do, in one sentence."""
    told = [PROBLEM_ADVICE.get(problem, problem) for problem in problems] or ["the reading is not sure"]
    return f"Not sure: {'; '.join(told)}."
