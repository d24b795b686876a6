"""What is told of a table: by the schemas, and never what it hides."""

import random
from collections.abc import Iterator
from typing import Any

import fastjsonschema
import pytest

from companion.bench.random_game import random_course, random_start
from companion.mqtt.telling import EVENT_TYPES, Speaker, event_messages, health_message, state_message
from companion.mqtt.topics import Place, Topics, filters, place_of
from companion.table import intents
from companion.table.facts import FactKey
from companion.table.phase import Phase
from tests.mqtt.schemas import check
from tests.mqtt.told_table import intent_of
from tests.table.at_the_table import AtTheTable


class UncheckedTable(AtTheTable):
    """Its laws are checked elsewhere, at a price that grows with the square of a game's length."""

    def check(self) -> None:
        pass


SPEAKER = Speaker("oak", "The oak")
AT = "2026-11-30T20:00:00.000+00:00"


def messages(
    table: AtTheTable, seed: int, *, hidden: bool
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Play a game with an undo and a redo now and then; yield each state and the events that led to it."""
    chance = random.Random(seed)
    course = random_course(chance, random_start(chance, chance.randint(2, 6)))
    for event in course:
        steps = [intent_of(event)]
        if isinstance(steps[0], intents.StartGame):
            steps = [intents.StartGame(steps[0].players, steps[0].first, hidden)]
        elif chance.random() < 0.1:
            steps += [intents.Undo(), intents.Redo()]
        for step in steps:
            before = table.shown
            table.does(step)
            told = list(event_messages(SPEAKER, before, table.shown, AT))
            yield state_message(SPEAKER, table.shown, AT), told


@pytest.mark.parametrize("seed", range(2))
def test_whole_games_are_told_by_the_schemas(seed: int) -> None:
    table = UncheckedTable()
    check("state", state_message(SPEAKER, table.shown, AT))
    check("health", health_message(SPEAKER, table.shown, AT))
    kinds = set()
    for state, events in messages(table, seed, hidden=seed % 2 == 1):
        check("state", state)
        for event in events:
            check("event", event)
            kinds.add(event["event_type"])
    assert (
        {"game_started", "turn", "throw_read", "card_taken", "corrected", "game_over"}
        <= kinds
        <= set(EVENT_TYPES)
    )


@pytest.mark.parametrize("seed", range(20, 23))
def test_hidden_scores_stay_hidden_until_the_end(seed: int) -> None:
    """No state and no event names points, or a card that somebody gained, before the game is over."""
    table = UncheckedTable()
    for state, events in messages(table, seed, hidden=True):
        over = state["phase"] == Phase.OVER
        assert all((player["points"] is not None) == over for player in state["game"]["players"])
        assert "hands" not in state["game"]
        for event in events:
            if not over:
                assert "points" not in event
                assert event.get("card") is None or event["event_type"] == "card_revealed"
    assert table.shown.phase is Phase.OVER


def test_open_scores_are_told() -> None:
    table = UncheckedTable()
    told = [(state, events) for state, events in messages(table, 3, hidden=False)]
    assert any(player["points"] for state, _ in told[:-1] for player in state["game"]["players"])
    assert any(
        event.get("card") for _, events in told for event in events if event["event_type"] == "card_taken"
    )
    (over,) = [event for _, events in told[-1:] for event in events if event["event_type"] == "game_over"]
    assert table.shown.game is not None
    assert over["points"] == [player.points for player in table.shown.game.players]


def test_an_undo_of_the_end_hides_the_scores_again() -> None:
    table = UncheckedTable()
    for _ in messages(table, 21, hidden=True):
        pass
    before = table.shown
    table.does(intents.Undo())
    state = state_message(SPEAKER, table.shown, AT)
    events = list(event_messages(SPEAKER, before, table.shown, AT))
    assert {player["points"] for player in state["game"]["players"]} == {None}
    kinds = {event["event_type"] for event in events}
    assert kinds - {"turn"} == {"corrected"}
    assert not any("points" in event for event in events)


def test_a_press_and_a_reading_tell_nothing_but_the_phase() -> None:
    table = UncheckedTable()
    table.start()
    before = table.shown
    table.presses()
    assert list(event_messages(SPEAKER, before, table.shown, AT)) == []
    assert state_message(SPEAKER, table.shown, AT)["phase"] == Phase.READING


@pytest.mark.parametrize("key", [FactKey.CARD_DRAWN, FactKey.TURN_BEGAN, FactKey.PRESS])
def test_what_is_no_event_is_not_told(key: FactKey) -> None:
    from companion.mqtt.telling import EVENT_OF

    assert key not in EVENT_OF


def test_schemas_refuse_what_is_more_or_less() -> None:
    state = state_message(SPEAKER, UncheckedTable().shown, AT)
    for wrong in ({**state, "hands": []}, {**state, "v": 2}, {**state, "table": "a/b"}, {"v": 1}):
        with pytest.raises(fastjsonschema.JsonSchemaException):
            check("state", wrong)


@pytest.mark.parametrize(
    ("topic", "place"),
    [
        ("club/v1/oak/state", Place("oak", "state")),
        ("club/v1/oak/games/0a1b", Place("oak", "games", "0a1b")),
        ("club/v2/oak/state", None),
        ("other/v1/oak/state", None),
        ("club/v1/oak/set", None),
        ("club/v1/oak/games", None),
        ("club/v1/oak/games/a/b", None),
        ("club/v1/<b>/state", None),
        ("club/v1//state", None),
    ],
)
def test_topics_are_taken_apart(topic: str, place: Place | None) -> None:
    assert place_of(topic, "club") == place


def test_what_stays_true_of_a_table_is_followed() -> None:
    topics = Topics("club", "oak")
    own = (topics.availability, topics.state, topics.health, topics.game("0a"))
    followed = [filter_.replace("+", "oak", 1).replace("+", "0a") for filter_, _ in filters("club")]
    assert sorted(own) == sorted(followed)
