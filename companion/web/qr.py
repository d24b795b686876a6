"""The page's address as a QR code: as a drawing for the page, and as lines of text for the log."""

from __future__ import annotations

import io
from itertools import zip_longest

import segno

QUIET_MODULES = 2
BLOCKS = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""Upper and lower module (1 is dark) as one character; light ones are drawn, since a terminal is dark."""


def qr_svg(url: str) -> bytes:
    """Return the code as an SVG file, dark on light, with its quiet zone."""
    out = io.BytesIO()
    segno.make(url, error="m", micro=False).save(out, kind="svg", scale=6, border=4, light="#fff")
    return out.getvalue()


def qr_lines(url: str) -> list[str]:
    """Return the code as lines of half blocks, two rows of modules a line."""
    rows = [list(row) for row in segno.make(url, error="l", micro=False).matrix_iter(border=QUIET_MODULES)]
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=[0] * len(rows[0]))
    return [
        "".join(BLOCKS[int(a), int(b)] for a, b in zip(upper, lower, strict=True)) for upper, lower in pairs
    ]
