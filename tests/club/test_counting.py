"""What a club counts: standings, head to head, records, seasons, and the files to take away."""

import csv
import doctest
import io

import pytest

import companion.club.results
import companion.club.seasons
from companion.club.results import Refusal, Result, Seat, delivery_of, key_of
from companion.club.standings import head_to_head, records, standings
from companion.club.telling import games_csv
from tests.club.played import message


def game(number: int, *seats: tuple[str, int], table: str = "oak", throws: int = 20) -> Result:
    """Return a game with these players and points; cards as many as points."""
    points = [value for _, value in seats]
    places = [1 + sum(other > value for other in points) for value in points]
    found = tuple(Seat(name, value, value, place) for (name, value), place in zip(seats, places, strict=True))
    at = f"2026-11-{number:02}T20:00:00.000+00:00"
    return Result(f"g{number}", table, table, 1, at, at, "cards", throws, found)


THREE = (
    game(1, ("Ana", 9), ("Ben", 5), ("Chloé", 5)),
    game(2, ("ana", 4), ("Ben", 7), table="elm", throws=9),
    game(3, ("Ben", 6), ("Chloé", 6), throws=40),
)


def test_standings_count_opponents_beaten() -> None:
    first, second, third = standings(THREE)
    assert (first.name, first.games, first.wins, first.score, first.tables) == ("Ben", 3, 1.5, 2.0, 2)
    assert (second.name, second.score, second.wins) == ("ana", 2.0, 1.0)
    assert second.share == pytest.approx(2 / 3)
    assert (third.name, third.score, third.wins, third.place) == ("Chloé", 1.0, 0.5, 3)


def test_equals_share_a_place() -> None:
    games = [game(1, ("A", 3), ("B", 3)), game(2, ("C", 1), ("D", 0))]
    assert [one.place for one in standings(games)] == [1, 2, 2, 4]


def test_head_to_head() -> None:
    (ben, chloe) = head_to_head(THREE, "ana")
    assert (ben.name, ben.games, ben.ahead, ben.behind, ben.ties) == ("Ben", 2, 1, 1, 0)
    assert (chloe.name, chloe.games, chloe.ahead) == ("Chloé", 1, 1)
    assert head_to_head(THREE, "nobody") == ()


def test_records() -> None:
    found = {best.kind: best for best in records(THREE)}
    most = found["most_points"]
    assert (most.value, most.names, most.game_id) == (9, ("Ana",), "g1")
    assert (found["largest_lead"].value, found["largest_lead"].names) == (4, ("Ana",))
    assert (found["most_throws"].value, found["fewest_throws"].value) == (40, 9)
    assert found["fewest_throws"].names == ("Ben",)
    assert (found["longest_streak"].value, found["longest_streak"].names) == (2, ("Ben",))
    assert records(()) == ()


def test_no_cell_is_a_formula() -> None:
    text = games_csv([game(1, ('=HYPERLINK("http://x")', 3), ("Ben, the\tgreat", 2))])
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[1][6] == '\'=HYPERLINK("http://x")'
    assert rows[2][6] == "Ben, the\tgreat"


def test_one_player_however_the_name_is_written() -> None:
    assert key_of("  ZOË  martin") == key_of("Zoë Martin")


def test_docstrings_are_true() -> None:
    for module in (companion.club.results, companion.club.seasons):
        assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"table": "elm"}, "another table"),
        ({"game": "other"}, "another table or game"),
        ({"record": message(1)["record"][:-1]}, "does not go to a game's end"),
        ({"record": [*message(1)["record"], {"type": "pass"}]}, "line"),
        ({"record": [{"type": "throw"}]}, "line 1"),
        ({"record": message(1)["record"][:1]}, "does not go to a game's end"),
        ({"ended_at": "yesterday"}, "no time"),
        ({"ended_at": "2026-11-30T20:00:00"}, "no zone"),
        ({"ended_at": "0001-01-01T00:00:00+14:00"}, "no time that any clock shows"),
    ],
)
def test_what_can_not_be_is_refused(change: dict[str, object], why: str) -> None:
    told = message(1)
    with pytest.raises(Refusal, match=why):
        delivery_of({**told, **change}, told["table"], told["game"])


def test_names_that_hide_something_are_made_plain() -> None:
    told = message(1, players=("Ana\u202e\u0000", "Ben"))
    found = delivery_of(told, told["table"], told["game"]).result
    assert found is not None
    assert found.seats[0].name == "Ana"


def test_a_game_counts_whatever_its_players_are_called() -> None:
    told = message(1, players=("Ana", "ana", "x" * 500))
    found = delivery_of(told, told["table"], told["game"]).result
    assert found is not None
    assert [seat.name for seat in found.seats] == ["Ana", "ana (2)", "x" * 60]
