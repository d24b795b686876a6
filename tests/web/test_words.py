"""The catalogues: every word in both languages, every code and fact has its words, and no word is idle."""

import ast
import json
import re
from pathlib import Path

import pytest

import companion
import companion.table
import companion.web
from companion.cli.appliance import WELL
from companion.devices.simulated.robot_seats import RobotKind
from companion.game.cards import Action
from companion.game.dice import DEFAULT_COLOURS, Body
from companion.game.judge import Standing
from companion.game.refusal import Code
from companion.game.state import Ending
from companion.table.advice import WHY_SENTENCES
from companion.table.facts import FactKey
from companion.table.sights import Why
from companion.vision.reading import PROBLEMS
from companion.web.language import LANGUAGES

STATIC = Path(companion.web.__file__).parent / "static"
SCRIPTS = "\n".join(p.read_text("utf-8") for p in STATIC.glob("*.js") if not p.name.startswith("demo"))
PLURALS = {"en": {"one", "other"}, "fr": {"one", "many", "other"}}
"""The categories of whole numbers that the browser's plural rules know (Unicode CLDR)."""


def words(language: str) -> dict[str, str]:
    text = (STATIC / "words" / f"{language}.json").read_text("utf-8")
    pairs: list[tuple[str, str]] = json.loads(text, object_pairs_hook=list)
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), "a key is there twice"
    return dict(pairs)


def stem(key: str) -> str:
    base, _, last = key.rpartition(".")
    return base if last in ("one", "many", "other") and f"{base}.other" in words("en") else key


def stems(language: str) -> set[str]:
    return {stem(key) for key in words(language)}


def holes(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_languages_have_the_same_words(language: str) -> None:
    assert stems(language) == stems("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_words_have_all_forms(language: str) -> None:
    keys = words(language)
    for key in keys:
        if stem(key) != key:
            forms = {form for form in ("one", "many", "other") if f"{stem(key)}.{form}" in keys}
            assert forms == PLURALS[language], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_empty(language: str) -> None:
    assert [key for key, text in words(language).items() if not text.strip()] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_translations_have_the_same_holes(language: str) -> None:
    english = words("en")
    for key, text in words(language).items():
        same = english.get(key, english.get(f"{stem(key)}.other", ""))
        # "One die …" may say the number as a word.
        assert holes(text) - {"n"} == holes(same) - {"n"}, key


def literal_keys() -> set[str]:
    """Keys that scripts name whole: t("…"), and the choices between two of them."""
    return set(re.findall(r'\bt\(\s*"([\w.]+)"', SCRIPTS)) | set(
        re.findall(r'[?:(]\s*"([a-z_]+\.[\w.]+)"', SCRIPTS)
    )


def test_every_word_asked_for_is_there() -> None:
    there = stems("en")
    assert {key for key in literal_keys() if key not in there and not key.endswith(".js")} == set()


def refusals_of_the_table() -> set[str]:
    """Codes given to NotNow or to a refusal anywhere in the table's code."""
    codes = set()
    for path in Path(companion.table.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if name in ("NotNow", "_refusal") and isinstance(node.args[0].value, str):
                    codes.add(node.args[0].value)
    assert {"stale", "busy", "no_game"} <= codes
    return codes


def devices() -> set[str]:
    """Names under which anything in the program says how a device is."""
    tells = ("report", "report_health", "HealthChanged", "_no_pins")
    names = set(WELL)
    for path in Path(companion.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                given = node.args if name in tells else []
                names |= {str(one.value) for one in given if isinstance(one, ast.Constant)}
    assert {"camera", "camera_device", "journal", "cards", "leds", "button", "games"} <= names
    return names


FAMILIES = {
    "health": tuple(f"{device}.fault" for device in sorted(devices())),
    "colour": DEFAULT_COLOURS,
    "letter": DEFAULT_COLOURS,
    "body": tuple(Body),
    "action": (*Action, "none"),
    "action_is": tuple(Action),
    "holder": ("0", "1", "2"),
    "standing": tuple(Standing),
    "explain": tuple(Standing),
    "over": tuple(ending.value for ending in Ending),
    "problem": PROBLEMS,
    "why": (*WHY_SENTENCES, "untrusted"),
    "refusal": (*Code, *sorted(refusals_of_the_table()), "offline", "bad_intent"),
    "said": tuple(key for key in FactKey if key not in (FactKey.NOT_NOW, FactKey.PRESS)),
    "language": LANGUAGES,
    "coach.mark": ("keep", "turn"),
    "die": ("leaning", "leaning_tag", "unsure", "unsure_tag"),
    "voice": ("speech", "sound"),
    "menu": ("press", "hold", "long_hold"),
    "hint": ("theft", "exchange", "super_exchange"),
    "do": ("theft", "exchange", "super_exchange", "give"),
    "robot": tuple(RobotKind),
    "seen": tuple(Why),
    "shape": tuple(re.findall(r'^  \["(\w+)", \[', SCRIPTS, flags=re.MULTILINE)),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_code_has_its_words(family: str) -> None:
    there = stems("en")
    assert [code for code in FAMILIES[family] if f"{family}.{code}" not in there] == []


def test_no_word_is_idle() -> None:
    families = {f"{family}.{code}" for family, codes in FAMILIES.items() for code in codes}
    # These have words for more codes than are listed: what the web itself refuses, facts in short.
    open_families = ("short.", "why.", "refusal.", "health.")
    named = {key for key in stems("en") if f'"{key}"' in SCRIPTS}
    idle = {key for key in stems("en") - families - named if not key.startswith(open_families)}
    assert idle == set()


def test_letters_of_the_colours_differ() -> None:
    for language in LANGUAGES:
        letters = [words(language)[f"letter.{colour}"] for colour in DEFAULT_COLOURS]
        assert len(set(letters)) == len(letters), language
