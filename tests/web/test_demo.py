"""The demo through its routes, with real calibration and reading: a whole game, and what mischief does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import companion.web
from companion.cli.demo_table import Demo, drawn_eye
from companion.devices.simulated.mischief import CameraState, LampState
from companion.game.decide import apply
from companion.game.deck import default_deck
from companion.game.events import Event, Throw
from companion.game.record import card_to_json, print_line, read_events
from companion.game.state import State
from companion.store.growing_deck import GrowingDeck
from companion.store.memory import MemoryJournal
from companion.table.phase import Phase
from companion.table.ports import LedPattern
from companion.vision.profile import Profile
from tests.web.demo_person import HOLD_MS, LONG_HOLD_MS, PRESS_MS, Person, as_bag, last_throw

DECK = default_deck().cards
Json = dict[str, Any]
STATIC = Path(companion.web.__file__).parent / "static"


def seeded_tokens() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"{number:032x}"


@pytest.fixture
def person() -> Iterator[Person]:
    tokens = seeded_tokens()
    with Demo(MemoryJournal(), DECK, eye=drawn_eye(DECK), seed=7, token=lambda: next(tokens)) as demo:
        yield Person(demo, demo.app.test_client())


@pytest.fixture(scope="module")
def bare() -> Iterator[Person]:
    """A demo for tests that leave the table as it is."""
    with Demo(MemoryJournal(), DECK, eye=drawn_eye(DECK), seed=1) as demo:
        yield Person(demo, demo.app.test_client())


def started(person: Person) -> Json:
    person.ask("start_game", players=["Ana", "Ben"], first=0, hidden=False)
    return person.until()


def do_action(person: Person, game: Json) -> None:
    """Draw blind by the companion, and give the cheapest card in an exchange."""
    owed = game["owed"]
    if owed["drawn"] is None:
        now = person.ask("draw", other=owed["seats"][0])
        if owed["action"] == "theft":
            return
        game = now["game"]
        owed = game["owed"]
    given = min(game["hands"][game["seat"]], key=lambda card: int(card["points"]))
    person.ask("exchange", other=owed["drawn_from"], received=owed["drawn"], given=given)


def play_turn(person: Person) -> None:
    """From a throw to the end of the player's turn; actions included."""
    now = person.until()
    game = now["game"]
    if now["phase"] == "throw":
        person.act("throw", everything=not game["inherited"])
    elif now["phase"] == "decide":
        person.keep_wisely(game)
        person.act("throw", everything=False)
    else:
        raise AssertionError(now["phase"])
    now = person.press_and_mend()
    game = now["game"]
    if now["phase"] != "decide":
        return
    lights = [holder["light"] for holder in game["holders"]]
    if lights.count("yes") == 1 and lights.count("change") == 0:
        person.until_led(lights.index("yes"), "steady")
        person.button(HOLD_MS)
    elif "yes" in lights:
        person.ask("take", holder=lights.index("yes"), change=None)
    elif "change" in lights:
        holder = lights.index("change")
        person.until_led(holder, "slow_blink")
        person.ask("take", holder=holder, change=game["holders"][holder]["changes"][0])
    else:
        return
    now = person.until()
    while now["phase"] == "action":
        do_action(person, now["game"])
        now = person.until()


def test_a_whole_game_ends_as_its_record_says(person: Person) -> None:
    started(person)
    for _ in range(400):
        if person.snapshot()["phase"] == "over":
            break
        play_turn(person)
    game = person.snapshot()["game"]
    assert person.snapshot()["phase"] == "over"
    assert person.wrong_but_trusted == 0
    assert person.mended <= 0.1 * person.readings, person.doubts
    record = person.demo.table.record()
    state = replayed(record)
    assert [player["cards"] for player in game["players"]] == [len(hand) for hand in state.hands]
    assert [player["points"] for player in game["players"]] == list(state.points)
    assert game["winners"] == list(state.winners or ())
    assert sum(isinstance(event, Throw) for event in record) == person.readings


def replayed(record: tuple[Event, ...]) -> State:
    """The state after a record that was printed and parsed again."""
    state: State | None = None
    for _, event in read_events(print_line(event) for event in record):
        state = apply(state, event)
    assert state is not None
    return state


def anybody_has_cards(person: Person) -> bool:
    return any(player["cards"] for player in person.snapshot()["game"]["players"])


def test_very_long_hold_takes_back_and_the_cards_lie_as_before(person: Person) -> None:
    started(person)
    while not anybody_has_cards(person):
        play_turn(person)
    after = person.snapshot()["game"]
    shown = person.demo.scene.moment().scene.cards
    for _ in range(8):
        person.button(LONG_HOLD_MS)
        if not anybody_has_cards(person):
            break
    assert not anybody_has_cards(person)
    person.demo.dealer.follow(person.demo.table.snapshot())
    cards = person.demo.scene.moment().scene.cards
    assert [card is not None for card in cards] == [True] * 3
    assert sum(one != other for one, other in zip(cards, shown, strict=True)) == 1
    while person.snapshot()["redo"] is not None:
        person.ask("redo")
    assert person.until()["game"]["players"] == after["players"]


@pytest.mark.parametrize(
    "mischief",
    [
        {"do": "lose"},
        {"do": "lean"},
        {"hand": True},
        {"lamp": "off"},
        {"camera": "bumped"},
        {"camera": "unplugged"},
    ],
    ids=lambda mischief: "-".join(str(part) for pair in mischief.items() for part in pair),
)
def test_mischief_makes_a_doubt_and_never_a_throw(person: Person, mischief: Json) -> None:
    started(person)
    for _ in range(2):
        person.act("throw", everything=True)
        person.act("mischief", **mischief)
        person.button(PRESS_MS)
        now = person.until("reading")
        assert now["phase"] == "doubt", now["game"]["dice"]
        assert now["reading"]["sentence"]
        assert {led["pattern"] for led in person.state()["leds"]} == {"look_at_phone"}
        assert now["game"]["throw_number"] == 0
        person.ask("dismiss_reading")
        person.act("mischief", lamp="normal", camera="still", hand=False)
        person.act("mischief", do="tidy")


@pytest.mark.parametrize(
    "change",
    [{"lamp": "dim"}, {"lamp": "bright"}, {"lamp": "warm"}, {"lamp": "cold"}, {"camera": "nudged"}],
    ids=lambda change: "-".join(part for pair in change.items() for part in pair),
)
def test_what_changes_a_little_is_read_rightly_or_doubted(person: Person, change: Json) -> None:
    started(person)
    person.act("mischief", **change)
    for _ in range(3):
        person.act("throw", everything=True)
        person.press_and_mend()
        person.ask("undo")
    assert person.readings == 3
    assert person.wrong_but_trusted == 0


def test_after_mischief_the_same_dice_are_read(person: Person) -> None:
    started(person)
    person.act("throw", everything=True)
    person.act("mischief", hand=True)
    person.button(PRESS_MS)
    assert person.until("reading")["phase"] == "doubt"
    person.ask("dismiss_reading")
    person.act("mischief", hand=False)
    person.button(PRESS_MS)
    assert person.until("reading")["phase"] == "decide"
    assert as_bag(last_throw(person.demo)) == as_bag(person.lying())


def test_a_game_taken_up_again_finds_its_dice_and_cards() -> None:
    journal = MemoryJournal()
    with Demo(journal, DECK, eye=drawn_eye(DECK), seed=2) as demo:
        person = Person(demo, demo.app.test_client())
        started(person)
        person.act("throw", everything=True)
        person.press_and_mend()
        person.act("die", index=1)
        person.act("throw", everything=False)
        person.press_and_mend()
        dice, cards = as_bag(last_throw(demo)), demo.scene.moment().scene.cards
        game = person.snapshot()["game"]
    with Demo(journal, DECK, eye=drawn_eye(DECK), seed=99) as demo:
        person = Person(demo, demo.app.test_client())
        assert person.snapshot()["game"] == game
        assert as_bag(person.lying()) == dice
        demo.dealer.follow(demo.table.snapshot())
        assert demo.scene.moment().scene.cards == cards


def test_a_kept_die_that_was_turned_is_pointed_out(person: Person) -> None:
    started(person)
    person.act("throw", everything=True)
    now = person.press_and_mend()
    person.act("die", index=0)
    person.act("mischief", do="cheat")
    person.act("throw", everything=False)
    person.button(PRESS_MS)
    now = person.until("reading")
    assert now["phase"] == "doubt"
    assert now["reading"]["why"] == "kept_die_differs"
    assert now["game"]["throw_number"] == 1


def test_dealer_lets_people_name_the_cards(person: Person) -> None:
    person.act("dealer", names_cards=False)
    person.ask("start_game", players=["Ana", "Ben"], first=1, hidden=False)
    person.demo.dealer.follow(person.demo.table.snapshot())
    game = person.snapshot()["game"]
    assert [holder["standing"] for holder in game["holders"]] == ["unknown"] * 3
    cards = person.demo.scene.moment().scene.cards
    assert None not in cards, "the cards lie there, only nobody named them"
    person.act("dealer", names_cards=True)
    person.demo.dealer.follow(person.demo.table.snapshot())
    named = person.until()["game"]["holders"]
    assert [holder["card"] for holder in named] == [card_to_json(card) for card in cards if card is not None]


def set_up_anew(demo: Demo, client: FlaskClient, zones: Json) -> TestResponse:
    """Go through all steps with these zones; return what is answered to keeping it."""
    assert client.post("/api/setup/zones", json={"zones": zones}).status_code == 200
    demo.scene.take_dice_away()
    assert client.post("/api/setup/empty", json={}).status_code == 200
    demo.scene.lay_six_colours()
    assert client.post("/api/setup/colours", json={}).status_code == 200
    return client.post("/api/setup/keep", json={})


def test_after_a_new_set_up_the_cards_are_read_with_it() -> None:
    eyes: list[GrowingDeck] = []

    def eye(profile: Profile) -> GrowingDeck:
        eyes.append(drawn_eye(DECK)(profile))
        return eyes[-1]

    lying = (DECK[0], DECK[12], DECK[24])
    with Demo(MemoryJournal(), DECK, eye=eye, seed=3) as demo:
        client = demo.app.test_client()
        demo.scene.show_cards(lying)
        zones = demo.scene.pose.zones().to_dict()
        holders = zones.pop("holders")
        refused = set_up_anew(demo, client, zones)
        assert (refused.status_code, refused.get_json()["code"]) == (409, "no_holders")
        kept = set_up_anew(demo, client, {**zones, "holders": holders[::-1]})
        assert kept.status_code == 200
    read = eyes[0].read(demo.scene.look(), range(3))
    assert [one.card for one in read if one is not None] == list(lying[::-1])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("throw", {}),
        ("throw", {"everything": 1}),
        ("throw", []),
        ("die", {"index": 6}),
        ("die", {"index": -1}),
        ("die", {"index": True}),
        ("die", {"index": 0, "colour": "pink"}),
        ("die", {"index": 0, "colour": ["red"]}),
        ("button", {"held_ms": "long"}),
        ("button", {"held_ms": 10**9}),
        ("mischief", {"lamp": "green"}),
        ("mischief", {"camera": 3}),
        ("mischief", {"hand": "yes"}),
        ("mischief", {"do": "explode"}),
        ("mischief", {"do": []}),
        ("dealer", {}),
    ],
)
def test_what_is_not_understood_changes_nothing(bare: Person, path: str, body: object) -> None:
    before = bare.state()["version"]
    answer = bare.client.post(f"/demo/{path}", json=body)
    assert answer.status_code == 400
    assert set(answer.get_json()) == {"code", "sentence"}
    assert bare.state()["version"] == before


def test_other_sites_cannot_act(bare: Person) -> None:
    answer = bare.client.post(
        "/demo/throw", json={"everything": True}, headers={"Origin": "http://elsewhere.example"}
    )
    assert answer.status_code == 403
    form = bare.client.post("/demo/throw", data="everything=true", content_type="text/plain")
    assert form.status_code == 415


def test_the_picture_shown_is_the_one_that_is_read(bare: Person) -> None:
    shown, frame = bare.demo.scene.picture()
    assert (bare.demo.scene.capture() == frame).all()
    answer = bare.client.get(f"/demo/picture/{shown}.jpg")
    assert answer.mimetype == "image/jpeg"
    assert "max-age" in answer.headers["Cache-Control"]
    assert bare.client.get("/demo/picture/999.jpg").headers["Cache-Control"] == "no-store"


def test_page_in_both_languages_has_no_inline_code(bare: Person) -> None:
    for language in ("en", "fr"):
        page = bare.client.get("/demo/", headers={"Accept-Language": language})
        assert f'<html lang="{language}">' in page.text
        assert "style=" not in page.text
        assert not re.search(r"<script(?![^>]*src=)", page.text)
        assert "http" not in page.text


def test_catalogues_have_the_same_words() -> None:
    english, french = (words_of(language) for language in ("en", "fr"))
    assert set(english) == set(french)
    for key, text in english.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", french[key])), key
        assert french[key].strip()


def test_every_word_used_is_in_the_catalogue() -> None:
    words = set(words_of("en"))
    counted = {key.rsplit(".", 1)[0] for key in words if key.endswith((".one", ".other"))}
    families = {key.rsplit(".", 1)[0] for key in words}
    for script in (STATIC / "demo").glob("*.js"):
        text = script.read_text(encoding="utf-8")
        for key in re.findall(r'\bt\(\s*"([a-z_.]+)"', text):
            assert key in words | counted, f"{script.name}: {key}"
        for family in re.findall(r"\bt\(`([a-z_.]+)\.\$\{", text):
            assert family in families, f"{script.name}: {family}"
    for pattern in LedPattern:
        assert f"led.{pattern}" in words
    for phase in set(Phase) - {Phase.THROW, Phase.DECIDE, Phase.OVER}:
        assert f"hint.{phase}" in words
    for state in (*LampState, *CameraState):
        assert {f"lamp.{state}", f"camera.{state}"} & words


def words_of(language: str) -> dict[str, str]:
    text = (STATIC / "demo" / "words" / f"{language}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))
