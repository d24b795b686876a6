"""Which known card a face is: a short list by thumbnails, each of it compared in detail, and how sure that
makes.

The evidence for a card is its misfit m, the largest local difference (`card_compare`). The same card seen
again gives small ones, another card large ones; over many pairs of either sort the odds are near (14 / m)⁶. A
card that is not known yet is one more candidate, whose evidence is that all known ones misfit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.game.cards import Card
from companion.vision.card_compare import PLAINLY_OTHER, Comparison, Face
from companion.vision.card_look import THUMB_SIZE, CardLook, Triple, tone_of
from companion.vision.card_view import Floats

#: Misfit at which same and other are even, the power by which odds fall, and the misfit below which all is
#: noise.
_EVEN_MISFIT, _ODDS_POWER, _LEAST_MISFIT = 14.0, 6, 3.0
#: At least so many cards are compared in detail, more only while none fits; of one card not more than two
#: looks.
_ALWAYS, _MOST, _OF_ONE_CARD = 2, 10, 2
#: A misfit as small as this ends the search, a thumbnail so much less like than the best is not looked at.
_FITS, _FAR, _NEAR = 9.0, 10.0, 4.0
#: So many looks are sought out: more than one card has, both ways up; and no more than tell anything.
_AT_LEAST, _AT_MOST = 16, 48
#: Where one card fits to within noise, one with a thumbnail so far off is not compared but has this misfit.
_PERFECT, _FAR_OFF = 6.3, 6.0


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A card and how it looked when people named or confirmed it; the first look tells which way up."""

    card: Card
    looks: tuple[CardLook, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """What a face is: probabilities of the likeliest cards, best first, and of a card that is not known.

    `turned` tells whether the face lies the other way up than the best card's look.
    """

    cards: tuple[tuple[Card, float], ...]
    new: float
    misfit: float
    turned: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Ready:
    face: Face
    thumb: Floats
    white_rgb: Triple


class KnownFaces:
    """All looks of all known cards, made ready to be searched."""

    def __init__(self, known: Sequence[KnownCard], ready: Mapping[CardLook, _Ready] | None = None) -> None:
        """Prepare the looks, about two milliseconds each; those in `ready` are taken over.

        Raises:
            CardLookError: a look's picture is damaged.
        """
        done = ready or {}
        self.known = tuple(known)
        self._ready = {look: done.get(look) or _prepared(look) for one in known for look in one.looks}
        self._entries = [(one.card, self._ready[look]) for one in known for look in one.looks]
        size = THUMB_SIZE[0] * THUMB_SIZE[1] * 3
        self._thumbs = np.array([entry.thumb for _, entry in self._entries], np.float32).reshape(-1, size)
        self._even, self._odd = _coarse(self._thumbs)
        self._coarse_squares = (self._even * self._even).sum(axis=1) + (self._odd * self._odd).sum(axis=1)

    def with_known(self, known: Sequence[KnownCard]) -> KnownFaces:
        """The same for other known cards; looks that are ready already are not prepared again."""
        return KnownFaces(known, self._ready)

    def match(self, face: Face, white_rgb: Triple) -> Match:
        """Tell which known card a face is; `white_rgb` as in a look."""
        if not self._entries:
            return Match((), 1.0, float("inf"), turned=False)
        comparison = Comparison(face)
        fits: dict[Card, float] = {}
        best, best_turned = float("inf"), False
        for index, turned, apart in self._short_list(face):
            if len(fits) >= _ALWAYS and best < _FITS:
                break
            card, entry = self._entries[index]
            if best < _PERFECT and apart > _FAR_OFF:
                fits.setdefault(card, PLAINLY_OTHER)
                continue
            gain = np.log(np.array(white_rgb)[::-1] / np.array(entry.white_rgb)[::-1])
            face_then = entry.face.turned() if turned else entry.face
            misfit = comparison.misfit(face_then, gain, if_near=best < _FITS)
            fits[card] = min(misfit, fits.get(card, float("inf")))
            if misfit < best:
                best, best_turned = misfit, turned
        cards, new = _chances(fits)
        return Match(cards, new, best, best_turned)

    def _short_list(self, face: Face) -> list[tuple[int, bool, float]]:
        """Indices of looks, whether to turn them, and how far their thumbnails are, the likeliest first."""
        upright = face.centred()
        both = np.stack([upright, upright.reshape(-1, 3)[::-1].ravel()])
        near = self._near(both)
        turned, index = np.divmod(near, len(self._entries))
        gaps = self._thumbs[index] - both[turned]
        apart = np.einsum("lc,lc->l", gaps, gaps)
        order = np.argsort(apart, kind="stable")
        least = float(apart[order[0]])
        chosen: list[tuple[int, bool, float]] = []
        per_card: dict[Card, int] = {}
        for at in order:
            far = float(apart[at])
            if len(chosen) >= _MOST or (len(per_card) >= _ALWAYS and far > _FAR * least + _NEAR):
                break
            card = self._entries[index[at]][0]
            if per_card.get(card, 0) < _OF_ONE_CARD:
                per_card[card] = per_card.get(card, 0) + 1
                chosen.append((int(index[at]), bool(turned[at]), far))
        return chosen

    def _near(self, both: Floats) -> npt.NDArray[np.intp]:
        """Looks whose thumbnails may be near one of `both`: indices, those to be turned counted on.

        Coarse thumbnails are never farther apart than whole ones, so that what they leave out is far.
        """
        even, odd = (one[0] for one in _coarse(both[:1]))
        # Turning a face changes the sign of its odd half alone: one pass over the looks tells both ways up.
        same = float(even @ even + odd @ odd) + self._coarse_squares - 2 * (self._even @ even)
        turning = 2 * (self._odd @ odd)
        least = np.concatenate([same - turning, same + turning])
        if len(least) <= _AT_LEAST:
            return np.arange(len(least))
        first = np.argpartition(least, _AT_LEAST)[:_AT_LEAST]
        turned, index = divmod(int(first[least[first].argmin()]), len(self._entries))
        gap = self._thumbs[index] - both[turned]
        within = np.flatnonzero(least <= _FAR * float(gap @ gap) + _NEAR)
        if len(within) <= _AT_LEAST:
            return first
        return within if len(within) <= _AT_MOST else np.argpartition(least, _AT_MOST)[:_AT_MOST]


def _coarse(thumbs: Floats) -> tuple[Floats, Floats]:
    """Flat thumbnails, (n, 22 · 16 · 3), four cells in one; gaps do not grow.

    In two halves, (n, 11 · 4 · 3) each: what is the same when a face is turned, and what changes its sign.
    """
    width, height = THUMB_SIZE
    rows = thumbs.reshape(-1, height // 2, 2, width // 2, 2, 3)
    pairs = rows[:, :, 0] + rows[:, :, 1]
    cells = pairs[:, :, :, 0] + pairs[:, :, :, 1]
    one, other = cells[:, :, : width // 4], cells[:, ::-1, : width // 4 - 1 : -1]
    # Halves of root 2 keep all distances.
    even, odd = (
        (half * np.float32(0.5**1.5)).reshape(len(thumbs), thumbs.shape[1] // 8)
        for half in (one + other, one - other)
    )
    return even, odd


def _prepared(look: CardLook) -> _Ready:
    face = Face.of(tone_of(look.face()))
    return _Ready(face, face.centred(), look.white_rgb)


def _chances(fits: Mapping[Card, float]) -> tuple[tuple[tuple[Card, float], ...], float]:
    """Probabilities of the cards, best first, and of none of them, all equally likely beforehand."""
    odds = {card: (_EVEN_MISFIT / max(misfit, _LEAST_MISFIT)) ** _ODDS_POWER for card, misfit in fits.items()}
    total = 1.0 + sum(odds.values())
    cards = tuple(sorted(((card, one / total) for card, one in odds.items()), key=lambda pair: -pair[1]))
    return cards, 1.0 / total
