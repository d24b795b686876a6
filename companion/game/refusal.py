"""Refusals: what the rules do not allow, as a stable code and a sentence for the player."""

from enum import StrEnum


class Code(StrEnum):
    """The stable codes of a refusal, as documented with the game record."""

    WRONG_STAGE = "wrong_stage"
    NO_THROW_LEFT = "no_throw_left"
    WRONG_DICE = "wrong_dice"
    NOTHING_THROWN = "nothing_thrown"
    ALL_DICE_NEEDED = "all_dice_needed"
    KEPT_DIE_DIFFERS = "kept_die_differs"
    CARD_UNKNOWN = "card_unknown"
    NOT_AVAILABLE = "not_available"
    NOT_MADE = "not_made"
    CHANGE_NOT_ALLOWED = "change_not_allowed"
    PILE_EMPTY = "pile_empty"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_CARD = "no_such_card"
    MAY_NOT_END = "may_not_end"
    GAME_OVER = "game_over"


class Refused(ValueError):
    """An event the rules refuse; the state is as it was before."""

    def __init__(self, code: Code, sentence: str) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence
