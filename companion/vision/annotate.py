"""Drawing a reading on its picture, so that a person sees at a glance what was understood."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.geometry import Image
from companion.vision.reading import Reading, in_words

LINE_BGR = (255, 255, 255)
SHADE_BGR = (0, 0, 0)
SURE_BGR = (80, 220, 80)
DOUBT_BGR = (60, 60, 255)
SHADE_PX = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


def annotate(frame_bgr: Image, reading: Reading) -> Image:
    """A copy of the frame with each die's top face outlined and named, and the verdict along the lower
    edge.
    """
    picture = frame_bgr.copy()
    scale = max(0.45, picture.shape[1] / 1640)
    thick = max(1, round(2 * scale))
    for number, die in enumerate(reading.dice, start=1):
        colour = DOUBT_BGR if die.problems else SURE_BGR
        corners = np.round(np.array(die.top_px) * 16 - 8).astype(np.int32)
        cv2.polylines(picture, [corners], True, SHADE_BGR, thick + 2, cv2.LINE_AA, shift=4)
        cv2.polylines(picture, [corners], True, colour, thick, cv2.LINE_AA, shift=4)
        reach = max(np.hypot(x - die.centre_px[0], y - die.centre_px[1]) for x, y in die.top_px)
        lines = [f"{number} {die.body} {die.colour}"]
        if "colour_unsure" in die.problems:
            lines.append(f"{die.confidence:.0%} or {die.runner_up}")
        lines += [in_words(problem) for problem in die.problems if problem != "colour_unsure"]
        x = min(max(4.0, die.centre_px[0] - reach), picture.shape[1] - 190 * scale)
        y = die.centre_px[1] + reach + 18 * scale
        below = 20 * scale * (len(lines) - 1)
        if y + below + 2 * scale > picture.shape[0]:
            y = die.centre_px[1] - reach - 6 * scale - below
        for row, text in enumerate(lines):
            _write(picture, text, (round(x), round(y + row * 20 * scale)), 0.55 * scale, colour)
    verdict = "trusted" if reading.trusted else "not trusted: " + ", ".join(map(in_words, reading.problems))
    place = (round(12 * scale), round(picture.shape[0] - 14 * scale))
    _write(picture, verdict, place, 0.9 * scale, SURE_BGR if reading.trusted else DOUBT_BGR)
    return picture


def _write(
    picture: Image, text: str, place: tuple[int, int], size: float, colour: tuple[int, int, int]
) -> None:
    thick, (x, y) = max(1, round(2 * size)), place
    # A shade of another thickness would be of another width in OpenCV 5, and stand beside the text.
    for across, down in SHADE_PX:
        shade = (x + across, y + down)
        cv2.putText(picture, text, shade, cv2.FONT_HERSHEY_SIMPLEX, size, SHADE_BGR, thick, cv2.LINE_AA)
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
