"""Paired phones: what is kept of each, and the port to where it is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class PhonesFault(Exception):
    """The paired phones can not be read or kept; nothing was changed. The sentence says what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Phone:
    """One paired phone; its token is known to the phone alone, only the token's hash is kept."""

    phone_id: str
    name: str
    token_hash: str
    paired_at: str
    """ISO 8601, UTC."""


class PhoneBook(Protocol):
    """Where the paired phones are kept for good."""

    def phones(self) -> Sequence[Phone]:
        """Return all paired phones, the oldest first.

        Raises:
            PhonesFault: they can not be read.
        """

    def add(self, phone: Phone) -> None:
        """Keep a phone; when this returns it outlives a power cut.

        Raises:
            PhonesFault: it could not be kept.
        """

    def remove(self, phone_id: str) -> None:
        """Forget a phone; one that is not there is no fault.

        Raises:
            PhonesFault: it could not be forgotten.
        """


def hash_of(token: str) -> str:
    """Return what is kept of a token. The token has 256 bits of chance, so that a plain SHA-256 is enough.

    >>> len(hash_of("a token"))
    64
    """
    return hashlib.sha256(token.encode()).hexdigest()
