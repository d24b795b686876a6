"""Where the range of a picture ends, channel by channel.

What is brighter than the camera can show is cut off at its highest level. Where the camera or a program has
turned the picture down afterwards, that is no longer 255, but it can still be seen: the brightest pixels pile
up at one level, as no surface's light does that has noise: that one gets rarer towards its brightest.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.few import median

#: Channels this bright have met the top of the range (254, 255 and what JPEG and sharpening make of them).
CLIPPED_LEVEL = 250
#: The brightest pixels: so many of all. They pile up where so many are within four levels of the top, and so
#: many times as many as in the four levels below, most of them at the very top.
_BRIGHTEST_SHARE, _PILED_SHARE, _PILED_OVER = 0.001, 0.03, 3.0
_STEP = 4
_DARKEST_CEILING = 100
#: Pictures with less scatter than this, in levels, are drawn or denoised: rounding hides what noise is left
#: (its own scatter is 0.29), and all light piles up.
_LEAST_SCATTER = 0.6


def ceilings(patches: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    """The level of each channel, (3,), at which patches of faces (f, n, n, 3) meet the top of the range.

    Scatter is looked for in the middle of the faces, which is all ink.
    """
    found = np.full(3, 255, np.intp)
    size = patches.shape[1]
    middle = slice(size * 2 // 5, size - size * 2 // 5)
    inked = patches[:, middle, middle].reshape(len(patches), -1, 3).astype(np.float32)
    if median(inked.std(axis=1).ravel()) < _LEAST_SCATTER:
        return found
    rows = patches.reshape(-1, size, 3)
    pixels = rows[..., 0].size
    for channel in range(3):
        counts = np.ravel(cv2.calcHist([rows], [channel], None, [256], [0, 256]))
        top = 255 - int((counts[::-1].cumsum() >= _BRIGHTEST_SHARE * pixels).argmax())
        if not _DARKEST_CEILING < top < CLIPPED_LEVEL:
            continue
        piled = counts[top - _STEP + 1 :].sum()
        under = counts[top - 2 * _STEP + 1 : top - _STEP + 1].sum()
        cut_off = counts[top] >= counts[top - _STEP : top].max()
        if cut_off and piled > max(_PILED_SHARE * pixels, _PILED_OVER * under):
            found[channel] = top
    return found
