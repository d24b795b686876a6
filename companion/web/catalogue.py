"""Words for the pages that the server fills in, from catalogues like those of the scripts."""

from __future__ import annotations

import json
import re
from pathlib import Path

from companion.web.language import LANGUAGES, asked_language

STATIC = Path(__file__).resolve().parent / "static"


class Catalogue:
    """The words of one folder, static/FOLDER/words/LANGUAGE.json, in every language."""

    def __init__(self, folder: str) -> None:
        place = STATIC / folder / "words"
        self._words = {
            language: Words(language, json.loads((place / f"{language}.json").read_text("utf-8")))
            for language in LANGUAGES
        }

    def asked_for(self) -> Words:
        """Return the words in the language that the browser of this request wishes."""
        return self.of(asked_language())

    def of(self, language: str) -> Words:
        """Return the words in a language."""
        return self._words[language]


class Words:
    """The words of one language. What is English in the source has no key in the English catalogue."""

    def __init__(self, language: str, words: dict[str, str]) -> None:
        self.language = language
        self._words = words

    def __call__(self, key: str) -> str:
        """Return the text of a key; there must be one."""
        return self._words[key]

    def of_source(self, key: str, english: str) -> tuple[str, str]:
        """Return the text of a key, else what the source says; and the language it is in."""
        text = self._words.get(key)
        return (english, LANGUAGES[0]) if text is None else (text, self.language)

    def of_pattern(self, family: str, english: str) -> tuple[str, str]:
        """As `of_source` for a text with things put in, whose key is FAMILY.TEXT with {} for each of them."""
        for key, text in self._words.items():
            group, _, pattern = key.partition(".")
            if group == family:
                holes = re.fullmatch("(.+)".join(map(re.escape, pattern.split("{}"))), english, re.DOTALL)
                if holes:
                    return text.format(*holes.groups()), self.language
        return english, LANGUAGES[0]
