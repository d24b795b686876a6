"""What can be wrong with the file that keeps the games; each sentence says what to do next."""

from __future__ import annotations

from pathlib import Path


class StoreFault(Exception):
    """The file can not be used now; nothing in it was changed."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class StoreInUse(StoreFault):
    """Another process has the file open."""


class StoreDamaged(StoreFault):
    """The file was damaged; it lies beside its old place now, under the name `set_aside`."""

    def __init__(self, sentence: str, set_aside: Path) -> None:
        super().__init__(sentence)
        self.set_aside = set_aside
