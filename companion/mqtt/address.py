"""Addresses: what can be the name of a machine at all, before anybody looks it up."""

from __future__ import annotations


def is_host(text: str) -> bool:
    """Tell whether a text may be a machine's name or address; others can not even be looked up.

    >>> is_host("broker.local"), is_host("::1"), is_host("büro.lan")
    (True, True, True)
    >>> is_host(""), is_host("broker..lan"), is_host("my broker")
    (False, False, False)
    """
    try:
        text.encode("idna")  # as the look-up does
    except UnicodeError:
        return False
    return text.isprintable() and text.split() == [text]
