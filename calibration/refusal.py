"""Why a calibration is refused: a stable code, and a sentence that says what to do."""

from __future__ import annotations


class CalibrationRefused(ValueError):
    """The pictures do not make a profile."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
