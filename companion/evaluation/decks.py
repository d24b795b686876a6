"""Evaluating a deck: each card is learned when it is first met, and must be recognised when it comes again.

A card met for the first time must be called new; then it is learned from that one picture, as if people had
named it. A card met again must be known. The one unforgivable fault is a card said to be known that is
another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import CalibrationRefused, calibrate
from companion.evaluation.perturb import CHANGES, Change, moved_zones, track_px_per_mm
from companion.evaluation.run import Picture, load_path
from companion.evaluation.truth import TruthError, read_json
from companion.game.cards import Card
from companion.game.dice import DEFAULT_COLOURS
from companion.game.fields import BadLine
from companion.game.record import card_from_json
from companion.vision.card_reader import CardReader, HolderReading, HoldersError, HolderState
from companion.vision.frame_view import FrameError
from companion.vision.geometry import Zones, ZonesError


@dataclass(frozen=True, slots=True)
class TrueDeckPicture:
    """One picture of the holders: the card in each, None where there is none."""

    path: Path
    cards: tuple[Card | None, Card | None, Card | None]


@dataclass(frozen=True, slots=True)
class TrueDeck:
    """A deck, its zones, its two calibration pictures, and the pictures of its cards in their order."""

    name: str
    zones: Zones
    empty: Path
    colours: Path
    pictures: tuple[TrueDeckPicture, ...]


@dataclass(frozen=True, slots=True)
class HolderScore:
    """One holder of one picture: what lies there, whether it was met before, and what was read."""

    picture: str
    holder: int
    true: Card | None
    met: bool
    reading: HolderReading
    change: str

    @property
    def is_right(self) -> bool:
        """Empty when empty, new when first met, known as itself when met again."""
        if self.true is None:
            return self.reading.state is HolderState.EMPTY
        if not self.met:
            return self.reading.state is HolderState.NEW
        return self.reading.state is HolderState.KNOWN and self.reading.card == self.true

    @property
    def is_lie(self) -> bool:
        """Said to be known, and it is another card."""
        return self.reading.state is HolderState.KNOWN and self.reading.card != self.true

    @property
    def is_guess_right(self) -> bool:
        """The first guess has the card's groups and colours."""
        guess = self.reading.guess
        return guess is not None and self.true is not None and guess.key[0] == self.true.key[0]


KeepMiss = Callable[[HolderScore, Picture], None]


def load_deck(folder: Path) -> TrueDeck:
    """Read a folder laid out as `decks`.

    Raises:
        TruthError: a file is missing, is no JSON or lacks a field.
    """
    truth = read_json(folder / "truth.json")
    zones_path = folder / "zones.json"
    try:
        zones = Zones.from_dict(read_json(zones_path) if zones_path.exists() else truth)
        colours = tuple(str(name) for name in truth.get("colours", DEFAULT_COLOURS))
        deck = [card_from_json(value, colours) for value in truth["deck"]]
        rows: Sequence[Mapping[str, Any]] = truth["pictures"]
        pictures = tuple(_picture(folder, row, deck) for row in rows if "cards" in row)
    except ZonesError as error:
        raise TruthError(f"{zones_path}: {error}") from error
    except (BadLine, KeyError, TypeError, ValueError, IndexError) as error:
        raise TruthError(f"{folder / 'truth.json'}: a field is missing or ill-formed ({error}).") from error
    if not pictures:
        raise TruthError(f"{folder / 'truth.json'}: it names no pictures of cards.")
    return TrueDeck(folder.name, zones, folder / "empty.jpg", folder / "colours.jpg", pictures)


def _picture(folder: Path, row: Mapping[str, Any], deck: Sequence[Card]) -> TrueDeckPicture:
    first, second, third = (None if index is None else deck[index] for index in row["cards"])
    return TrueDeckPicture(folder / str(row["file"]), (first, second, third))


def evaluate_deck(
    deck: TrueDeck, change: Change | None = None, keep_miss: KeepMiss | None = None
) -> Iterator[HolderScore]:
    """Score every holder of every picture; `keep_miss` gets each that is not right, with its picture.

    Under a change the cards are learned from the pictures as they are, and met again changed; a change that
    would have been there at calibration applies to all.

    Raises:
        TruthError: a picture is missing, or the table cannot be calibrated or has no holders.
    """
    at_start = change is not None and change.also_calibration
    empty, matrix = _seen(deck, deck.empty, change if at_start else None)
    colours, _ = _seen(deck, deck.colours, change if at_start else None)
    zones = moved_zones(deck.zones, matrix, (empty.shape[1], empty.shape[0]))
    try:
        reader = CardReader(calibrate(zones, empty, colours))
    except (CalibrationRefused, ZonesError, FrameError, HoldersError) as error:
        raise TruthError(f"{deck.name}: {error}") from error
    met: set[Card] = set()
    for picture in deck.pictures:
        again = all(card is None or card in met for card in picture.cards)
        frame, moved = _seen(deck, picture.path, change if at_start or again else None)
        readings = reader.read(frame, None if at_start or moved is None else moved)
        for holder, (true, reading) in enumerate(zip(picture.cards, readings, strict=True)):
            name = change.name if change is not None else ""
            score = HolderScore(picture.path.stem, holder, true, true in met, reading, name)
            if keep_miss is not None and (not score.is_right):
                keep_miss(score, frame)
            yield score
        for holder, true in enumerate(picture.cards):
            if true is not None and true not in met:
                _learn(reader, frame, holder, true)
                met.add(true)


def _learn(reader: CardReader, frame: Picture, holder: int, card: Card) -> None:
    """Learn as people would by naming; a card of which no whole face is seen is not learned."""
    try:
        known = reader.learn(frame, holder, card)
    except HoldersError:
        return
    reader.know([*(one for one in reader.known if one.card != card), known])


def _seen(deck: TrueDeck, path: Path, change: Change | None) -> tuple[Picture, Any]:
    picture = load_path(path)
    if change is None:
        return picture, None
    return change.apply_to(picture, f"{deck.name}/{path.stem}", track_px_per_mm(deck.zones))


def deck_figures(scores: Sequence[HolderScore]) -> dict[str, Any]:
    """Counts over holders as JSON values."""
    first = [one for one in scores if one.true is not None and not one.met]
    again = [one for one in scores if one.true is not None and one.met]
    states = {
        state.value: sum(one.reading.state is state for one in again)
        for state in HolderState
        if state is not HolderState.KNOWN
    }
    return {
        "first_met": len(first),
        "called_new": sum(one.is_right for one in first),
        "guess_right": sum(one.is_guess_right for one in first),
        "guess_points_right": sum(
            one.is_guess_right
            and one.reading.guess is not None
            and one.reading.guess.points == one.true.points
            for one in first
            if one.true is not None
        ),
        "met_again": len(again),
        "recognised": sum(one.is_right for one in again),
        "recognised_frac": round(sum(one.is_right for one in again) / len(again), 5) if again else None,
        "known_but_wrong": sum(one.is_lie for one in scores),
        "again_otherwise": states,
    }


def evaluate_decks(
    decks: Sequence[TrueDeck],
    *,
    perturb: bool,
    report: Path | None,
    keeping: Callable[[Callable[[], None]], None] | None = None,
) -> dict[str, dict[str, Any]]:
    """Figures of each deck, by name; with `report`, a picture of each miss is written there.

    `keeping` is handed each such writing to do; without it they are done at once.

    Raises:
        TruthError: as `evaluate_deck`.
        OSError: the folder can not be written.
    """
    result: dict[str, dict[str, Any]] = {}
    for deck in decks:
        keep = None if report is None else _keeper(deck, report, keeping)
        scores = list(evaluate_deck(deck, None, keep))
        figures = deck_figures(scores)
        figures["misses"] = [told_miss(one) for one in scores if not one.is_right]
        if perturb:
            figures["by_change"] = {
                change.name: deck_figures([one for one in evaluate_deck(deck, change, keep) if one.met])
                for change in CHANGES
            }
        result[deck.name] = figures
    return result


def told_miss(score: HolderScore) -> str:
    """One line on what went wrong."""
    what = "nothing" if score.true is None else _told(score.true)
    said: str = score.reading.state.value
    if score.reading.card is not None:
        said = f"{said} {_told(score.reading.card)} ({score.reading.confidence:.0%})"
    change = f", {score.change}" if score.change else ""
    return f"{score.picture}, holder {score.holder}{change}: {what} read as {said}"


def told_decks(decks: Mapping[str, Mapping[str, Any]]) -> str:
    """The figures for people."""
    lines: list[str] = []
    for name, row in decks.items():
        lines += [
            f"{name}: {row['first_met']} cards met first, {row['met_again']} met again",
            f"  first met and called new             {row['called_new']:8d}",
            f"  first guess right in dice and colours{row['guess_right']:8d}",
            f"  and in points, too                   {row['guess_points_right']:8d}",
            f"  recognised when met again            {row['recognised']:8d}",
            f"  said to be known but wrong           {row['known_but_wrong']:8d}",
            *(f"  {miss}" for miss in row["misses"]),
        ]
        if "by_change" in row:
            lines.append("  under changes              recognised  unsure    new  blocked  known but wrong")
        for change, figures in row.get("by_change", {}).items():
            other = figures["again_otherwise"]
            lines.append(
                f"  {change:26} {figures['recognised']:10d}  {other['unsure']:6d}  {other['new']:5d}"
                f"  {other['blocked'] + other['empty']:7d}  {figures['known_but_wrong']:15d}"
            )
    return "\n".join(lines)


def _told(card: Card) -> str:
    groups = " + ".join(f"{group.size} {group.colour or 'any'}" for group in card.groups)
    return f"{groups}, {card.points}" + (f", {card.action.value}" if card.action is not None else "")


def _keeper(deck: TrueDeck, folder: Path, keeping: Callable[[Callable[[], None]], None] | None) -> KeepMiss:
    def keep(score: HolderScore, frame: Picture) -> None:
        drawn = frame.copy()
        if score.reading.corners_px is not None:
            points = np.round(np.array(score.reading.corners_px) * 16 - 8).astype(np.int32)
            cv2.polylines(drawn, [points], True, (255, 80, 255), 2, cv2.LINE_AA, shift=4)
        cv2.putText(drawn, told_miss(score), (8, 22), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 80, 255), 1)
        change = f"-{score.change}" if score.change else ""
        path = folder / f"{deck.name}-{score.picture}-holder{score.holder}{change}.jpg"

        def write() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(cv2.imencode(".jpg", drawn)[1].tobytes())

        if keeping is None:
            write()
        else:
            keeping(write)

    return keep
