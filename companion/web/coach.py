"""The coach on one phone: exact odds of what everybody sees, worked out only when a phone asks for them."""

import threading
from typing import Any

from flask import Blueprint, Response, jsonify

from companion.coach.counsel import Counsel, counsel
from companion.coach.lattice import COLOUR_COUNT
from companion.coach.position import Position
from companion.game.judge import Standing
from companion.table.conductor import Table
from companion.table.phase import Phase
from companion.table.snapshot import GameView, Snapshot
from companion.web.errors import refusal

JUDGED_PHASES = (Phase.THROW, Phase.DECIDE)
"""When a throw or a decision is due; in a doubt or before an action there is nothing to weigh."""


class NothingToJudge(Exception):
    """There is no position of a turn now; the message says why, for people."""


def coach_pages(table: Table) -> Blueprint:
    """Return the route of the coach: what is asked is answered to who asks, and shown to nobody else."""
    coach = Blueprint("coach", __name__, url_prefix="/api")
    desk = CoachDesk(table)

    @coach.get("/odds")
    def odds() -> Response:
        try:
            answer = jsonify(desk.answer())
        except NothingToJudge as reason:
            answer = refusal(409, "no_odds", str(reason))
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return coach


class CoachDesk:
    """Works the odds of the table's present snapshot out, once however many phones ask."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._working = threading.Lock()
        self._worked: tuple[int, dict[str, Any]] | None = None

    def answer(self) -> dict[str, Any]:
        """Return the odds with the revision that they belong to.

        Raises:
            NothingToJudge: no throw or decision is due.
        """
        with self._working:
            snapshot = self._table.snapshot()
            if self._worked is None or self._worked[0] != snapshot.revision:
                told = {"revision": snapshot.revision, **counsel_to_json(counsel(position_shown(snapshot)))}
                self._worked = (snapshot.revision, told)
            return self._worked[1]


def position_shown(snapshot: Snapshot) -> Position:
    """Return the position that a snapshot shows: only what lies open for everybody.

    Raises:
        NothingToJudge: no throw or decision is due, or a card is not known.
    """
    game = snapshot.game
    if game is None or snapshot.phase not in JUDGED_PHASES:
        raise NothingToJudge("no throw or decision is due now")
    if any(holder.standing is Standing.UNKNOWN for holder in game.holders):
        raise NothingToJudge("a card is not known yet; name it first")
    if len(game.colours) != COLOUR_COUNT:
        raise NothingToJudge(f"the coach knows dice of {COLOUR_COUNT} colours only")
    return _position(game)


def _position(game: GameView) -> Position:
    return Position(
        cards=tuple(holder.card for holder in game.holders),
        lost=frozenset(h for h, holder in enumerate(game.holders) if holder.standing is Standing.LOST),
        dice=game.dice,
        throw=game.throw_number,
        inherited=game.inherited,
        colours=game.colours,
    )


def counsel_to_json(weighed: Counsel) -> dict[str, Any]:
    """Turn counsel into its JSON object; odds have the form that `companion odds` prints."""
    inherit = None
    if weighed.inherit_points is not None and weighed.inherit_keep is not None:
        inherit = {"points": weighed.inherit_points, "keep": list(weighed.inherit_keep)}
    return {
        "best": weighed.best.to_json(),
        "again": None if weighed.again is None else weighed.again.to_json(),
        "all_six": None if weighed.all_six is None else weighed.all_six.to_json(),
        "inherit": inherit,
    }
