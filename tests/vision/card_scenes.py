"""Pictures of three holders with cards in them, drawn for tests: any place, turn, light, blur and noise."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.devices.simulated.card_face import CARD_PX_PER_MM, card_face
from companion.devices.simulated.table import SimulatedTable
from companion.game.cards import Action, Card, Group
from companion.vision.card_view import holder_to_px
from companion.vision.frame_view import EmptyView
from companion.vision.geometry import Quad, Zones, apply, as_quad
from companion.vision.profile import Profile

SIZE_PX = (1024, 768)
_FRAME_PX_PER_MM = 2.25
TRACK: Quad = ((150.0, 380.0), (750.0, 380.0), (760.0, 760.0), (140.0, 760.0))
HOLDERS: tuple[Quad, ...] = tuple(
    as_quad([(x, 60.0), (x + 140.0, 58.0), (x + 142.0, 258.0), (x + 1.0, 260.0)])
    for x in (180.0, 345.0, 510.0)
)

RED3 = Card((Group(3, "red"),), 2)
RED3_THEFT = Card((Group(3, "red"),), 2, Action.THEFT)
RED3_DEAR = Card((Group(3, "red"),), 3)
ORANGE3 = Card((Group(3, "orange"),), 2)
FREE3 = Card((Group(3),), 1)
FOUR_TWO = Card((Group(4, "blue"), Group(2, "yellow")), 5, Action.REPLAY)
PAIRS = Card((Group(2, "green"), Group(2, "purple"), Group(2)), 3)
CARDS = (RED3, RED3_THEFT, RED3_DEAR, ORANGE3, FREE3, FOUR_TWO, PAIRS)


@dataclass(frozen=True, slots=True)
class Lying:
    """How a card lies: shifted on its holder in mm, turned in degrees, perhaps the other way up."""

    card: Card
    shift_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    flipped: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What light and camera do: gains of light B G R, blur in pixels, noise in levels, and its seed."""

    gain_bgr: tuple[float, float, float] = (0.8, 0.8, 0.8)
    blur_px: float = 0.7
    noise: float = 1.5
    seed: int = 0


@lru_cache(maxsize=1)
def profile() -> Profile:
    """A profile of these holders; colours as on the simulated table."""
    zones = Zones(size_px=SIZE_PX, track_px=TRACK, track_mm=(220.0, 150.0), holders_px=HOLDERS)
    base = SimulatedTable(seed=1).calibrated()
    return replace(base, zones=zones, empty=EmptyView.from_picture(picture((None, None, None))))


def picture(cards: Sequence[Lying | Card | None], seen: Seen | None = None) -> npt.NDArray[np.uint8]:
    """Draw the three holders, (768, 1024, 3) uint8 BGR."""
    how = seen or Seen()
    rng = np.random.default_rng(how.seed)
    light = np.full((SIZE_PX[1], SIZE_PX[0], 3), (0.16, 0.2, 0.3), np.float32)
    cv2.fillConvexPoly(light, np.round(np.array(TRACK)).astype(np.int32), (0.1, 0.22, 0.05))
    for quad, lying in zip(HOLDERS, cards, strict=True):
        to_px = holder_to_px(quad)
        frame = apply(to_px, [(-4, -5), (67, -5), (67, 93), (-4, 93)])
        cv2.fillConvexPoly(light, np.round(frame).astype(np.int32), (0.05, 0.045, 0.045), cv2.LINE_AA)
        if lying is not None:
            light = _laid(light, to_px, lying if isinstance(lying, Lying) else Lying(lying))
    light = light * np.array(how.gain_bgr, np.float32)
    if how.blur_px:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), how.blur_px), np.float32)
    light = np.clip(light, 0, 1)
    levels = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)
    noisy = levels * 255 + rng.normal(0, how.noise, light.shape)
    return np.asarray(np.clip(np.rint(noisy), 0, 255), np.uint8)


def with_finger(
    frame: npt.NDArray[np.uint8],
    holder: int,
    tip_mm: tuple[float, float],
    root_mm: tuple[float, float],
    wide_mm: float,
) -> npt.NDArray[np.uint8]:
    """The frame with a finger from `root_mm` to `tip_mm`, in millimetres of a holder."""
    to_px = holder_to_px(HOLDERS[holder])
    (ax, ay), (bx, by) = apply(to_px, [root_mm, tip_mm])
    thick = round(wide_mm * 140 / 63)
    drawn = frame.copy()
    cv2.line(drawn, (round(ax), round(ay)), (round(bx), round(by)), (104, 140, 196), thick, cv2.LINE_AA)
    return drawn


def _laid(
    light: npt.NDArray[np.float32], to_px: npt.NDArray[np.float64], lying: Lying
) -> npt.NDArray[np.float32]:
    # Averaged to the frame's resolution first: warping alone would pick single pixels of fine print.
    face = cv2.GaussianBlur(card_face(lying.card), (0, 0), 0.5 * CARD_PX_PER_MM / _FRAME_PX_PER_MM)
    turn = np.radians(lying.turn_deg + (180 if lying.flipped else 0))
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = lying.shift_mm
    about = np.array([[1, 0, -31.5], [0, 1, -44], [0, 0, 1]])
    back = np.array([[cos, -sin, 31.5 + x], [sin, cos, 44 + y], [0, 0, 1]])
    matrix = to_px @ back @ about @ np.diag([1 / CARD_PX_PER_MM, 1 / CARD_PX_PER_MM, 1])
    drawn = cv2.warpPerspective(face, matrix, SIZE_PX, flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(np.ones(face.shape[:2], np.float32), matrix, SIZE_PX, flags=cv2.INTER_LINEAR)
    return np.asarray(light * (1 - cover[:, :, None]) + drawn * cover[:, :, None], np.float32)
