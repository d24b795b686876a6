"""Rule 4: actions, and how the game ends; each case names its rule."""

import pytest

from companion.game.cards import Card
from companion.game.events import Event, Reveal
from companion.game.state import Ending
from tests.game.table_talk import (
    PASS,
    Case,
    card,
    counts,
    end_early,
    exchange,
    opening,
    play,
    reveal,
    start,
    steal,
    take,
    throw,
)

PLAIN = card("1", 1)
A, B, C, D = card("1", 2), card("2", 4), card("1 1", 6), card("1", 8)
REPLAY, THEFT = card("1", 3, "replay"), card("1", 3, "theft")
EXCHANGE, SUPER = card("1", 3, "exchange"), card("1", 3, "super_exchange")

THROW = throw("rryg bp")
"""It makes all of these cards."""

MISSED_TURN: list[Event] = [reveal(0, "6"), reveal(1, "6"), reveal(2, "6"), THROW, THROW, THROW]


def begun(players: int = 2, piles: tuple[int, int, int] = (45, 15, 15)) -> list[Event]:
    """Return the opening of a game with room in holder 0 for all that the tests win there."""
    return opening(PLAIN, PLAIN, PLAIN, players=players, piles=piles)


def won(*cards: Card) -> list[Event]:
    """Return how the seats to play win these cards in turn, each from holder 0 at the first throw."""
    events: list[Event] = []
    for each in cards:
        events += [Reveal(0, each), THROW, take(0), Reveal(0, PLAIN)]
    return events


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            Case(
                [*begun(), *won(REPLAY)],
                to_play=0,
                cards=[1, 0],
                allowed=(THROW,),
                refused=((throw("Rryg bp"), "all_dice_needed"), (end_early(0), "may_not_end")),
            ),
            id="rule 4.2: replay gives the same player a new turn with all six dice",
        ),
        pytest.param(
            Case(
                [*begun(), THROW, reveal(0, "6"), THROW, Reveal(0, REPLAY), take(0), Reveal(0, PLAIN), THROW],
                to_play=0,
                allowed=(take(0), take(1), take(2)),
            ),
            id="rule 4.2: in the replay's turn no card is lost",
        ),
        pytest.param(
            Case([*begun(), *won(REPLAY), *MISSED_TURN], to_play=1, allowed=(throw("RRYG Bp"), THROW)),
            id="rule 4.2: if the replay's third throw fails the next player may inherit",
        ),
        pytest.param(
            Case([*begun(), *won(REPLAY, REPLAY, A)], to_play=1, cards=[3, 0]),
            id="rule 4.2: a replay may win a replay",
        ),
        pytest.param(
            Case(
                [*begun(), *won(A, B, THEFT)],
                to_play=0,
                cards=[2, 1],
                allowed=(steal(1, B), reveal(2, "3")),
                refused=(
                    (steal(0, A), "no_such_seat"),
                    (steal(1, C), "no_such_card"),
                    (exchange(1, B, A), "wrong_stage"),
                    (THROW, "wrong_stage"),
                    (take(1), "wrong_stage"),
                    (PASS, "wrong_stage"),
                    (end_early(0), "wrong_stage"),
                ),
            ),
            id="rule 4.3: the thief is to play until a card of an opponent is drawn",
        ),
        pytest.param(
            Case(
                [*begun(), *won(A, B, THEFT), steal(1, B)],
                to_play=1,
                cards=[3, 0],
                points=[9, 0],
                refused=((steal(1, B), "wrong_stage"),),
            ),
            id="rule 4.3: the card drawn becomes the thief's and the turn is over",
        ),
        pytest.param(
            Case([*begun(3), *won(A, B, THEFT)], to_play=2, allowed=(steal(0, A), steal(1, B))),
            id="rule 4.3: any opponent who has cards may be chosen",
        ),
        pytest.param(
            Case(
                [*begun(4), *won(A, THEFT)],
                to_play=1,
                allowed=(steal(0, A),),
                refused=((steal(2, A), "no_such_seat"), (steal(3, A), "no_such_seat")),
            ),
            id="rule 4.3: an opponent without cards may not be chosen",
        ),
        pytest.param(
            Case(
                [*begun(3), *won(A, B, EXCHANGE)],
                to_play=2,
                cards=[1, 1, 1],
                allowed=(exchange(0, A, EXCHANGE), exchange(1, B, EXCHANGE)),
                refused=(
                    (exchange(2, EXCHANGE, EXCHANGE), "no_such_seat"),
                    (exchange(0, B, EXCHANGE), "no_such_card"),
                    (exchange(0, A, C), "no_such_card"),
                    (steal(0, A), "wrong_stage"),
                ),
            ),
            id="rule 4.4: one opponent; the exchange card itself may be given",
        ),
        pytest.param(
            Case(
                [*begun(3), *won(A, B, EXCHANGE), exchange(1, B, EXCHANGE)],
                to_play=0,
                cards=[1, 1, 1],
                points=[2, 3, 4],
                refused=((exchange(0, A, B), "wrong_stage"),),
            ),
            id="rule 4.4: an exchange is with one opponent only",
        ),
        pytest.param(
            Case([*begun(), *won(A, B, EXCHANGE)], refused=((exchange(1, B, B), "no_such_card"),)),
            id="rule 4.4 and 4.6: the card just drawn may not be given",
        ),
        pytest.param(
            Case(
                [*begun(), *won(A, A, EXCHANGE), exchange(1, A, A)],
                to_play=1,
                cards=[2, 1],
                points=[5, 2],
            ),
            id="rule 4.4 and 4.6: an identical card of one's own may be given",
        ),
        pytest.param(
            Case(
                [*begun(4), *won(A, B, C, SUPER)],
                to_play=3,
                allowed=(exchange(0, A, SUPER),),
                refused=((exchange(1, B, SUPER), "no_such_seat"), (exchange(2, C, SUPER), "no_such_seat")),
            ),
            id="rule 4.5: super exchange goes clockwise from the player",
        ),
        pytest.param(
            Case(
                [*begun(4), *won(A, SUPER), reveal(1, "3")],
                to_play=1,
                allowed=(exchange(0, A, SUPER),),
                refused=((exchange(2, A, SUPER), "no_such_seat"), (exchange(3, A, SUPER), "no_such_seat")),
            ),
            id="rule 4.5: only opponents who have cards",
        ),
        pytest.param(
            Case(
                [*begun(3), *won(A, B, C, D, SUPER), exchange(2, C, B)],
                to_play=1,
                refused=((exchange(2, B, SUPER), "no_such_seat"), (THROW, "wrong_stage")),
                allowed=(exchange(0, A, C), exchange(0, D, SUPER)),
            ),
            id="rule 4.5 and 4.6: a card drawn from one opponent was yours before the next draw",
        ),
        pytest.param(
            Case(
                [*begun(3), *won(A, B, C, D, SUPER), exchange(2, C, B), exchange(0, A, C)],
                to_play=2,
                cards=[2, 2, 1],
                points=[14, 5, 4],
            ),
            id="rule 4.5: after the last opponent the turn is over",
        ),
        *(
            pytest.param(
                Case([*begun(), *won(each)], to_play=1, cards=[1, 0]),
                id=f"rule 4.6: {each.action} with nobody",
            )
            for each in (THEFT, EXCHANGE, SUPER)
        ),
        pytest.param(
            Case([*begun(), *won(A, REPLAY, B, PLAIN, THEFT), steal(0, A)], to_play=0, cards=[1, 4]),
            id="rule 4.6: what was won by replay counts",
        ),
        pytest.param(
            Case([*begun(), *won(REPLAY, A, THEFT), steal(0, REPLAY)], to_play=0, cards=[1, 2]),
            id="rule 4.6: a stolen replay gives no turn",
        ),
        pytest.param(
            Case([*begun(), *won(THEFT, EXCHANGE), exchange(0, THEFT, EXCHANGE)], to_play=0, cards=[1, 1]),
            id="rule 4.6: an exchanged theft takes nothing",
        ),
    ],
)
def test_action(case: Case) -> None:
    case.check()


LIMITS = [(2, 10, 7), (3, 8, 5), (4, 6, 4), (5, 6, 4), (6, 6, 4)]


@pytest.mark.parametrize(
    ("players", "automatic", "by_choice"),
    LIMITS,
    ids=[f"rule 4.7: {players} players" for players, _, _ in LIMITS],
)
def test_the_game_ends_with_enough_cards(players: int, automatic: int, by_choice: int) -> None:
    events = begun(players)
    for cards_each in range(1, automatic + 1):
        events += won(A)
        state = play(*events[:-1])
        assert counts(state)[0] == cards_each
        assert (state.ending is Ending.CARDS) is (cards_each == automatic)
        Case(
            events[:-1],
            over=cards_each == automatic,
            winners=(0,) if cards_each == automatic else None,
            allowed=(end_early(0),) if by_choice <= cards_each < automatic else (),
            refused=()
            if by_choice <= cards_each < automatic
            else ((end_early(0), "game_over" if cards_each == automatic else "may_not_end"),),
        ).check()
        if cards_each < automatic:
            events += won(*[PLAIN] * (players - 1))


SEVEN = [*begun(), *won(*[A] * 13)]
"""Ana, seat 0, has just won her seventh card, Ben has six."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            Case(
                [*begun(), *won(*[A] * 17), *won(THEFT), steal(0, A)], over=True, cards=[8, 10], winners=(1,)
            ),
            id="rule 4.7: a stolen card counts, however it came",
        ),
        pytest.param(
            Case(
                [*begun(), *won(*[A] * 18), *won(EXCHANGE)[:-1]],
                to_play=0,
                cards=[10, 9],
                allowed=(exchange(1, A, A),),
            ),
            id="rule 4.1 and 4.8: the tenth card's action comes before the end",
        ),
        pytest.param(
            Case(
                [*begun(), *won(*[A] * 18), *won(EXCHANGE)[:-1], exchange(1, A, EXCHANGE)],
                over=True,
                cards=[10, 9],
                points=[20, 19],
                winners=(0,),
                refused=((THROW, "game_over"), (reveal(0, "3"), "game_over"), (start(), "game_over")),
            ),
            id="rule 4.8: then the game is over",
        ),
        pytest.param(
            Case(
                [*begun(), *won(*[A] * 18), *won(REPLAY)[:-1]],
                over=True,
                cards=[10, 9],
                winners=(0,),
                lit="---",
            ),
            id="rule 4.8: a replay card that ends the game gives no turn",
        ),
        pytest.param(
            Case(SEVEN, to_play=1, allowed=(end_early(0),), refused=((end_early(1), "may_not_end"),)),
            id="rule 4.9: at the end of one's own turn, won",
        ),
        pytest.param(
            Case([*SEVEN, end_early(0)], over=True, winners=(0,), refused=((end_early(0), "game_over"),)),
            id="rule 4.9: ended by choice",
        ),
        pytest.param(
            Case(
                [*SEVEN, THROW],
                to_play=1,
                refused=((end_early(0), "may_not_end"), (end_early(1), "may_not_end")),
            ),
            id="rule 4.9: not after the next player's first throw",
        ),
        pytest.param(
            Case([*SEVEN, *MISSED_TURN, *MISSED_TURN[3:]], to_play=1, allowed=(end_early(0),)),
            id="rule 4.9: at the end of a turn without a card",
        ),
        pytest.param(
            Case(
                [*SEVEN, *MISSED_TURN, THROW, THROW, reveal(0, "3"), throw("rryg bb")],
                to_play=0,
                allowed=(PASS,),
                refused=((end_early(0), "may_not_end"),),
            ),
            id="rule 4.9: not before the decision after throw 3",
        ),
        pytest.param(
            Case(
                [*SEVEN, *MISSED_TURN, THROW, THROW, reveal(0, "3"), throw("rryg bb"), PASS],
                to_play=1,
                allowed=(end_early(0),),
            ),
            id="rule 4.9: after a pass",
        ),
        pytest.param(
            Case([*SEVEN, *won(A), *won(REPLAY)], to_play=0, refused=((end_early(0), "may_not_end"),)),
            id="rule 4.9: not between a replay card and its turn",
        ),
        pytest.param(
            Case([*SEVEN, *won(A), *won(REPLAY, A)], to_play=1, allowed=(end_early(0),)),
            id="rule 4.9: after the replay's turn",
        ),
        pytest.param(
            Case(
                [*begun(piles=(1, 1, 1)), THROW, take(0), THROW, take(1), THROW, take(2)],
                over=True,
                winners=(0,),
            ),
            id="rule 4.10: all three piles are used up",
        ),
        pytest.param(
            Case(
                [*opening(A, B, THEFT, piles=(1, 1, 1)), THROW, take(0), THROW, take(1), THROW, take(2)],
                to_play=0,
                cards=[2, 1],
                allowed=(steal(1, B),),
                refused=((reveal(0, "3"), "pile_empty"),),
            ),
            id="rule 4.1 and 4.10: the last card's action comes before the end",
        ),
        pytest.param(
            Case(
                [
                    *opening(A, B, THEFT, piles=(1, 1, 1)),
                    THROW,
                    take(0),
                    THROW,
                    take(1),
                    THROW,
                    take(2),
                    steal(1, B),
                ],
                over=True,
                cards=[3, 0],
                points=[9, 0],
                winners=(0,),
            ),
            id="rule 4.10: the action done, the game is over",
        ),
        pytest.param(
            Case(
                [*opening(A, B, REPLAY, piles=(0, 0, 1))[:1], Reveal(2, REPLAY), THROW, take(2)],
                over=True,
                winners=(0,),
            ),
            id="rule 4.8 and 4.10: a replay card that is the last of all gives no turn",
        ),
        pytest.param(
            Case([start(piles=(0, 0, 0))], over=True, winners=(0, 1), refused=((THROW, "game_over"),)),
            id="rule 4.10: no piles, no game",
        ),
        pytest.param(
            Case(
                [*begun(3, piles=(1, 1, 1)), THROW, take(0), THROW, take(1), THROW, take(2)],
                over=True,
                winners=(0, 1, 2),
            ),
            id="rule 4.11: equal points share the win",
        ),
        pytest.param(
            Case([*begun(3), *won(*[A, B, C] * 7), *won(D)[:-1]], over=True, cards=[8, 7, 7], winners=(2,)),
            id="rule 4.11: most points win, not most cards",
        ),
    ],
)
def test_ending(case: Case) -> None:
    case.check()
