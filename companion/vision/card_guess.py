"""A first guess of what a card says: the dice drawn on it, counted, ordered in groups and named.

Nothing is assumed about the drawing but this: dice are drawn alike in size, about as high as wide, apart from
each other, in rows; a group's dice stand together. A die drawn in one strong colour names it; one drawn in
several at once, or in none, is free. Colours are named through the colours of the table's own dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from companion.game.cards import Card, Group, combination_is_possible
from companion.game.dice import DICE_COUNT
from companion.vision.card_look import FACE_PX_PER_MM, Triple
from companion.vision.card_value import usual_points
from companion.vision.card_view import Bytes
from companion.vision.colour import ColourModel, ColourSpread, linear_from_srgb
from companion.vision.face import FaceReferences

Floats = npt.NDArray[np.float32]

#: White paper is shown at this linear light, so that strong inks brighter than it in a channel still fit.
_PAPER_LIGHT = 0.75
#: A ground at least this light, in units of a white die, is taken for white paper of whatever tint.
_PAPER_FRAC = 0.3
#: Chroma (CIELAB) from which print is coloured, and the difference from the ground from which it is print at
#: all.
_COLOURED, _PRINTED = 12.0, 18.0
#: Where pieces have run together, they are looked at from levels on that rise by this factor, up to this.
_LEVEL_STEP, _HIGHEST = 1.4, 80.0
#: Sides of a drawn die in mm, and how far it may be from square.
_SIDE_MM = (2.5, 24.0)
_SQUARE = 1.45
#: A die's area is at least this share of its box (a star fills half), and its box like the others' within
#: this.
_FILLED, _ALIKE = 0.35, 1.55
#: A card mostly shows so many dice at least, and figures are fewer; a die's colour is at least this share as
#: strong as the strongest.
_FEWEST, _WEAK_FRAC = 3, 0.35
#: How much the hues of one die agree, 0 to 1: below, it shows several colours at once.
_ONE_HUE = 0.75
#: Gloss on a card lies as a veil of so much of the light over print.
_HAZE_FRAC = 0.03
#: Print darker than this linear light is as dark as print gets; so much of a card (percent) is print as dark
#: as any; over a single die the veil may be this much thicker than over the darkest print.
_DARK_LIGHT, _DARK_PERCENT, _VEIL_REACH = 0.03, 2.0, 1.5
#: Dice of one row differ less in height than this share of a side; a group ends at a gap so much wider than
#: usual.
_ROW_FRAC, _GAP = 0.5, 1.6


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """One die drawn on a card: its middle from the face's corner, its side, its colour or None for free."""

    x_mm: float
    y_mm: float
    side_mm: float
    colour: str | None


class CardGuesser:
    """Guesses cards by the colours of one table's dice."""

    def __init__(self, references: FaceReferences) -> None:
        self._white = np.array(references.light)
        self._model = ColourModel.fit(
            {ink.name: [_shown(np.array(ink.ratio) * _PAPER_LIGHT)] for ink in references.inks},
            ColourSpread(haze_frac=_HAZE_FRAC),
        )

    def guess(self, face_bgr: Bytes, known: Sequence[Card] = ()) -> Card | None:
        """What the face, (176, 126, 3) uint8 BGR, says, as far as that can be told; None without a
        combination.

        Points are those that are usual for the combination among the `known` cards of this deck, else in any;
        an action is not guessed.
        """
        groups = groups_of(self.dice(face_bgr))
        if not combination_is_possible(groups):
            return None
        return Card(groups, usual_points(groups, known))

    def dice(self, face_bgr: Bytes) -> tuple[DrawnDie, ...]:
        """The dice drawn on a face, row by row."""
        white = whitened(face_bgr, (float(self._white[0]), float(self._white[1]), float(self._white[2])))
        lab = cv2.cvtColor(cv2.GaussianBlur(white, (3, 3), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
        lab[:, :, 0] *= np.float32(100 / 255)
        lab[:, :, 1:] -= 128
        ground = np.median(lab[8:-8, 8:-8].reshape(-1, 3), axis=0)
        off_ground = lab - ground
        chroma = np.hypot(lab[:, :, 1], lab[:, :, 2])
        off = np.linalg.norm(off_ground, axis=2)
        coloured = _alike(_strong(_die_blobs(np.where(off > _PRINTED, chroma, 0), _COLOURED), chroma))
        blobs = coloured
        if len(coloured) < _FEWEST:
            # Dice drawn without colour: whatever stands out of the ground.
            plain = _alike(_die_blobs(off, _PRINTED))
            blobs = plain if len(plain) >= _FEWEST else coloured
        veil = _darkest(white)
        return tuple(self._die(blob, white, lab, veil) for blob in blobs)

    def _die(self, blob: _Blob, white: Bytes, lab: Floats, veil: float) -> DrawnDie:
        inside = blob.mask
        ab = lab[blob.y : blob.y + blob.height, blob.x : blob.x + blob.width, 1:][inside]
        chroma = np.linalg.norm(ab, axis=1)
        strong = chroma > max(_COLOURED, float(np.percentile(chroma, 90)) / 4)
        colour = None
        if strong.mean() > 0.25:
            together = float(np.linalg.norm(ab[strong].sum(axis=0)) / chroma[strong].sum())
            if together > _ONE_HUE:
                pixels = white[blob.y : blob.y + blob.height, blob.x : blob.x + blob.width][inside][strong]
                light = np.median(linear_from_srgb(pixels), axis=0)[::-1]
                # A strong ink has a channel in which it is dark: what is seen there is veil, as far as other
                # print says that there is one.
                light = light - max(0.0, min(float(light.min()) - _DARK_LIGHT, _VEIL_REACH * veil))
                colour = self._model.name_all([_shown(light)])[0].colour
        return DrawnDie(
            x_mm=(blob.x + blob.width / 2) / FACE_PX_PER_MM,
            y_mm=(blob.y + blob.height / 2) / FACE_PX_PER_MM,
            side_mm=max(blob.width, blob.height) / FACE_PX_PER_MM,
            colour=colour,
        )


def _darkest(white: Bytes) -> float:
    """The light of the darkest print in its darkest channel: the veil of gloss over a card, or 0."""
    inner = white[8:-8:2, 8:-8:2].min(axis=2)
    darkest = float(linear_from_srgb(np.percentile(inner, _DARK_PERCENT)))
    return max(0.0, darkest - _DARK_LIGHT)


def whitened(face_bgr: Bytes, white_rgb: Triple) -> Bytes:
    """The face as if its paper were white in white light; a dark ground is held against the table's white."""
    light = linear_from_srgb(face_bgr)
    inner = light[8:-8:2, 8:-8:2].reshape(-1, 3)
    ground = np.percentile(inner, 60, axis=0)
    white = np.array(white_rgb)[::-1]
    paper = ground if float((ground / white).max()) > _PAPER_FRAC else white
    shown = np.clip(light * (_PAPER_LIGHT / np.maximum(paper, 1e-3)), 0, 1)
    return np.asarray(np.rint(_levels(shown)), np.uint8)


def groups_of(dice: Sequence[DrawnDie]) -> tuple[Group, ...]:
    """Dice row by row → groups: the same colour side by side, or in rows one below the other when it is
    named.

    Free dice in several rows are several groups: that is how a triple pair is drawn; a drawing that breaks
    one long free group in two rows looks the same and is guessed wrong.
    """
    groups: list[Group] = []
    for row in _rows(dice):
        steps = [right.x_mm - left.x_mm for left, right in pairwise(row)]
        usual = min(steps, default=0.0)
        for index, die in enumerate(row):
            wide = index > 0 and steps[index - 1] > _GAP * usual
            last = groups[-1] if groups else None
            joins = last is not None and last.colour == die.colour and not wide
            if last is not None and joins and (index > 0 or die.colour is not None):
                groups[-1] = Group(last.size + 1, last.colour)
            else:
                groups.append(Group(1, die.colour))
    return tuple(groups)


def _rows(dice: Sequence[DrawnDie]) -> list[list[DrawnDie]]:
    rows: list[list[DrawnDie]] = []
    for die in sorted(dice, key=lambda die: die.y_mm):
        if rows and die.y_mm - rows[-1][-1].y_mm < _ROW_FRAC * die.side_mm:
            rows[-1].append(die)
        else:
            rows.append([die])
    return [sorted(row, key=lambda die: die.x_mm) for row in rows]


@dataclass(frozen=True, slots=True, eq=False)
class _Blob:
    """A connected piece of print: its box in pixels and which of the box's pixels are its own."""

    x: int
    y: int
    width: int
    height: int
    mask: npt.NDArray[np.bool_]

    @property
    def is_die_like(self) -> bool:
        """About square, of a die's size, well filled."""
        low, high = (side * FACE_PX_PER_MM for side in _SIDE_MM)
        long, short = max(self.width, self.height), min(self.width, self.height)
        return low <= short and long <= high and long <= _SQUARE * short and float(self.mask.mean()) > _FILLED


def _die_blobs(strength: Floats, level: float, at_px: tuple[int, int] = (0, 0)) -> list[_Blob]:
    """Pieces like a drawn die, in a picture of how strongly print stands out, from `level` on.

    A piece that is none is looked at again from a higher level on: blur joins dice that stand close, the more
    so the stronger their colour is.
    """
    found = []
    for blob in _pieces((strength > level).astype(np.uint8)):
        if blob.is_die_like:
            found.append(replace(blob, x=blob.x + at_px[0], y=blob.y + at_px[1]))
        elif level < _HIGHEST and min(blob.width, blob.height) >= _SIDE_MM[0] * FACE_PX_PER_MM:
            part = strength[blob.y : blob.y + blob.height, blob.x : blob.x + blob.width]
            inside = np.where(blob.mask, part, 0)
            found += _die_blobs(inside, level * _LEVEL_STEP, (blob.x + at_px[0], blob.y + at_px[1]))
    return found


def _pieces(mask: Bytes) -> list[_Blob]:
    """Connected pieces, small gaps closed and holes filled."""
    edge = 2
    padded = cv2.copyMakeBorder(mask, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=0)
    closed = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened[edge:-edge, edge:-edge], connectivity=4)
    found = []
    for label in range(1, count):
        x, y, width, height, _area = (int(value) for value in stats[label])
        box = np.asarray(labels[y : y + height, x : x + width] == label)
        outlines, _ = cv2.findContours(box.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        full = cv2.drawContours(np.zeros(box.shape, np.uint8), outlines, -1, 1, cv2.FILLED)
        found.append(_Blob(x, y, width, height, np.asarray(full > 0)))
    return found


def _strong(blobs: Sequence[_Blob], chroma: Floats) -> list[_Blob]:
    """Those whose colour is strong beside the others': a tinted figure's ground is no die."""
    strength = [
        float(
            np.percentile(chroma[blob.y : blob.y + blob.height, blob.x : blob.x + blob.width][blob.mask], 80)
        )
        for blob in blobs
    ]
    least = _WEAK_FRAC * max(strength, default=0.0)
    return [blob for blob, strong in zip(blobs, strength, strict=True) if strong > least]


def _alike(blobs: Sequence[_Blob]) -> list[_Blob]:
    """The largest number of die-like pieces of one size, three to six; of equal numbers the larger ones."""
    dice = [blob for blob in blobs if blob.is_die_like]
    best: list[_Blob] = []
    for middle in dice:
        side = max(middle.width, middle.height)
        near = [blob for blob in dice if 1 / _ALIKE < max(blob.width, blob.height) / side < _ALIKE]
        if 1 <= len(near) <= DICE_COUNT and (len(near), side) > (len(best), _side(best)):
            best = near
    return best


def _side(blobs: Sequence[_Blob]) -> float:
    return max((max(blob.width, blob.height) for blob in blobs), default=0)


def _levels(linear: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Linear light 0..1 → sRGB levels 0..255 (IEC 61966-2-1)."""
    return (
        np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)
        * 255
    )


def _shown(linear_rgb: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    red, green, blue = _levels(np.clip(linear_rgb, 0, 1))
    return float(red), float(green), float(blue)
