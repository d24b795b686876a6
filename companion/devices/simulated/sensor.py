"""The simulated camera's chip: lens blur, vignetting, exposure, noise, and 8-bit pixels from light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

_LEVELS = 4096


@dataclass(frozen=True, slots=True)
class Sensor:
    """Settings as they are locked at calibration.

    `exposure` scales light to the chip's range 0 to 1, `gains_bgr` are the colour gains; `blur_px` the lens's
    Gaussian blur; `corner_frac` the light that reaches the corners; `full_well` the electrons of a full pixel
    (shot noise), `read_noise` what reading adds, as a part of the range.
    """

    exposure: float = 0.62
    gains_bgr: tuple[float, float, float] = (1.13, 1.0, 0.97)
    blur_px: float = 0.7
    corner_frac: float = 0.72
    full_well: float = 5200.0
    read_noise: float = 0.0022


def develop(light: Floats, sensor: Sensor, rng: np.random.Generator) -> Bytes:
    """Make the picture, uint8 sRGB in order B G R, of linear light (h, w, 3)."""
    height, width = light.shape[:2]
    seen = cv2.GaussianBlur(light, (0, 0), sensor.blur_px) if sensor.blur_px > 0 else light.copy()
    gains = np.array(sensor.gains_bgr, np.float32) * np.float32(sensor.exposure)
    seen = seen * _vignette(width, height, sensor.corner_frac)[:, :, None] * gains
    noise = rng.standard_normal(seen.shape, dtype=np.float32)
    deviation = np.sqrt(np.maximum(seen, 0) / np.float32(sensor.full_well) + np.float32(sensor.read_noise**2))
    codes = np.clip((seen + noise * deviation) * (_LEVELS - 1), 0, _LEVELS - 1).astype(np.uint16)
    return np.asarray(_tone_table()[codes], dtype=np.uint8)


@lru_cache(maxsize=4)
def _vignette(width: int, height: int, corner_frac: float) -> Floats:
    """Falls with the square of the distance from the middle, to `corner_frac` in the corners."""
    x = (np.arange(width, dtype=np.float32) + 0.5) / width * 2 - 1
    y = (np.arange(height, dtype=np.float32) + 0.5) / height * 2 - 1
    square = (x[None, :] ** 2 + y[:, None] ** 2) / 2
    fall = (1 - (1 - corner_frac) * square).astype(np.float32)
    fall.setflags(write=False)
    return np.asarray(fall, dtype=np.float32)


@lru_cache(maxsize=1)
def _tone_table() -> Bytes:
    """Chip code → sRGB byte (IEC 61966-2-1)."""
    linear = np.arange(_LEVELS) / (_LEVELS - 1)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    table = np.round(encoded * 255).astype(np.uint8)
    table.setflags(write=False)
    return np.asarray(table, dtype=np.uint8)
