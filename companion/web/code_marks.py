"""What a sentence has between backticks, as on the command line, is shown as code on a page."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

MARKED = re.compile(r"`([^`]+)`")


def with_code(sentence: str) -> Markup:
    """Return the sentence to be put in a page, its parts between backticks as `<code>`.

    >>> str(with_code("run `a < b`, then wait"))
    'run <code>a &lt; b</code>, then wait'
    """
    # Every other part was between backticks.
    parts = MARKED.split(sentence)
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(part) if odd % 2 else escape(part) for odd, part in enumerate(parts))
