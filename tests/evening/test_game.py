"""A whole course of play from its pictures: what is misread is mended as a person would, and counted."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from companion.game.course import Course
from companion.game.dice import Change, Die
from companion.game.events import EndEarly, Event, Exchange, Pass, Reveal, Start, Steal, Take, Throw
from companion.game.record import read_events
from companion.table import intents
from companion.table.phase import Phase
from companion.table.snapshot import Snapshot
from tests.evening.table_of_pictures import TableOfPictures, counted, profile_of


class Evening:
    """Feeds the pictures in order, taps what the camera can not see, and mends what was misread."""

    def __init__(self, table: TableOfPictures, pictures: list[Path]) -> None:
        self.table = table
        self.pictures = iter(pictures)
        self.mended = Counter[str]()
        self.course = Course()

    def goes_on(self, event: Event) -> None:
        self.course = self.course.do(event)
        match event:
            case Start():
                self.table.taps(intents.StartGame(event.players, event.first))
            case Reveal():
                self.table.taps(intents.NameCard(event.holder, event.card))
            case Throw():
                self.throw(event.dice)
            case Take():
                self.table.taps(intents.Take(event.holder, self.change_on_the_table(event.change)))
            case Steal():
                self.table.taps(intents.Steal(event.victim, event.card))
            case Exchange():
                self.table.taps(intents.Exchange(event.other, event.received, event.given))
            case Pass():
                self.table.taps(intents.Pass())
            case EndEarly():
                self.table.taps(intents.EndEarly(event.player))

    def throw(self, dice: tuple[Die, ...]) -> None:
        picture = next(self.pictures)
        shown = self.drops(picture)
        if shown.phase in (Phase.DOUBT, Phase.CARD_NEEDED):
            assert shown.reading is not None
            print(f"{picture.name}: doubted ({shown.reading.why}): {shown.reading.sentence}")
            self.mended["doubted"] += 1
            self.table.taps(intents.EnterThrow(dice))
        elif counted(self.thrown()) != counted(dice):
            print(f"{picture.name}: read wrongly")
            self.mended["wrong"] += 1
            self.table.taps(intents.CorrectThrow(dice))
        assert counted(self.thrown()) == counted(dice)

    def drops(self, picture: Path) -> Snapshot:
        """Press once."""
        return self.table.drops(picture)

    def thrown(self) -> tuple[Die, ...]:
        """The dice of the last throw as the table has them."""
        throws = [event for event in self.table.table.record() if isinstance(event, Throw)]
        return throws[-1].dice

    def change_on_the_table(self, change: Change | None) -> Change | None:
        """The record counts dice in another order than the reading: find the one that is meant."""
        if change is None:
            return None
        throws = [event for event in self.course.events() if isinstance(event, Throw)]
        return replace(change, die=self.thrown().index(throws[-1].dice[change.die]))


def test_the_evening_ends_in_the_standings_of_its_record(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "games" / "game50"
    lines = (folder / "record.jsonl").read_text(encoding="utf-8").splitlines()
    events = [event for _, event in read_events(lines)]
    with TableOfPictures(profile_of(folder), tmp_path) as table:
        evening = Evening(table, sorted(folder.glob("throw*.jpg")))
        for event in events:
            evening.goes_on(event)
        print(f"14 throws: {evening.mended['doubted']} doubted, {evening.mended['wrong']} read wrongly")
        with pytest.raises(StopIteration):
            next(evening.pictures)
        ended, shown = evening.course.state, table.shown.game
    assert ended is not None
    assert shown is not None
    assert shown.hands is not None
    assert [Counter(hand) for hand in shown.hands] == [Counter(hand) for hand in ended.hands]
    assert tuple(player.points for player in shown.players) == ended.points
    assert shown.seat == ended.to_play
    assert tuple(holder.card for holder in shown.holders) == ended.visible
    assert evening.mended["wrong"] == 0
    assert evening.mended["doubted"] == 0
