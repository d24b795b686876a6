"""Past games as JSON objects: lists, one game with its moves, one moment of it, luck, and statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from companion.coach.luck import TurnLuck
from companion.game.course import Course, Node
from companion.game.dice import Body
from companion.history.past_game import Digest, PastGame
from companion.history.statistics import DiceStatistics, LuckSum, PlayerStatistics, luck_sum
from companion.table.facts import facts_of_event
from companion.table.showing import game_view


def digest_json(digest: Digest) -> dict[str, Any]:
    """A game in the list of games."""
    return {
        "id": digest.game_id,
        "started": digest.started_at,
        "ended": digest.ended_at,
        "status": str(digest.status),
        "players": list(digest.players),
        "first": digest.first,
        "points": list(digest.points),
        "cards": list(digest.cards),
        "winners": None if digest.winners is None else list(digest.winners),
        "ending": digest.ending,
    }


def moves_json(game: PastGame) -> list[dict[str, Any]]:
    """All that happened, in order: seat that was to play, and facts as in a snapshot's `said`."""
    return [
        {
            "seat": None if node.before is None else node.before.state.to_play,
            "facts": [fact.label() for fact in _facts(node)],
        }
        for node in game.nodes
    ]


def moment_json(game: PastGame, step: int) -> dict[str, Any] | None:
    """The game after event `step` (from 0) as a snapshot's `game`; None where there is no such event."""
    nodes = game.nodes
    if not 0 <= step < len(nodes):
        return None
    then = replace(game.sitting, course=Course(nodes[step]), hidden=False, drawn=None, held=None)
    facts = [fact.label() for fact in _facts(nodes[step])]
    return {"step": step, "steps": len(nodes), "facts": facts, "game": game_view(then).to_json()}


def luck_json(players: Sequence[str], turns: Sequence[TurnLuck]) -> dict[str, Any]:
    """The luck of a game: sums for each seat, and each turn."""
    return {
        "players": [luck_sum_json(luck_sum([t for t in turns if t.seat == s])) for s in range(len(players))],
        "turns": [_turn_json(turn) for turn in turns],
    }


def _turn_json(turn: TurnLuck) -> dict[str, Any]:
    return {"seat": turn.seat, "start": turn.start, "luck": turn.luck, "loss": turn.loss, "won": turn.came_to}


def luck_sum_json(luck: LuckSum) -> dict[str, Any]:
    """Luck summed up."""
    return asdict(luck)


def player_json(player: PlayerStatistics) -> dict[str, Any]:
    """One player's statistics."""
    return {
        "name": player.name,
        "games": player.games,
        "wins": player.wins,
        "points": player.points,
        "cards": player.cards,
        "turns": player.turns,
        "throws": player.throws,
        "throws_per_card": player.throws_per_card,
        "shapes": dict(player.shapes),
        "luck": None if player.luck is None else luck_sum_json(player.luck),
        "luck_course": [round(luck, 3) for luck in player.luck_course],
    }


def dice_json(dice: DiceStatistics) -> dict[str, Any]:
    """How often each colour came up, with the fairness test of each body."""
    return {"colours": list(dice.colours), **{str(body): _body_json(dice, body) for body in Body}}


def _body_json(dice: DiceStatistics, body: Body) -> Mapping[str, Any]:
    test = dice.tests[body]
    return {
        "counts": list(dice.counts[body]),
        "thrown": test.count,
        "chi_square": test.chi_square,
        "p_value": test.p_value,
        "verdict": str(test.verdict),
    }


def _facts(node: Node) -> Any:
    before = None if node.before is None else node.before.state
    return facts_of_event(before, node.event, node.state, hidden=False)
