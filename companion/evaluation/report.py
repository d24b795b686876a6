"""The report of an evaluation: annotated pictures of every miss in a folder, and one HTML page to look at."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.evaluation.match import PictureScore
from companion.evaluation.run import REFUSED, Evaluated
from companion.vision.annotate import annotate
from companion.vision.geometry import Image

_TRUE_BGR = (255, 80, 255)
_WIDTH_PX = 1280
_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1100px;padding:0 1rem}
body{color:#222;background:#fff}table{border-collapse:collapse;margin:1rem 0}
th,td{padding:.25rem .75rem;border-bottom:1px solid #ddd;text-align:right}
th:first-child,td:first-child{text-align:left}figure{margin:2rem 0}img{max-width:100%;border-radius:6px}
.wrong{color:#b00020;font-weight:600}figcaption{font-weight:600}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}th,td{border-color:#333}.wrong{color:#ff8a80}}
"""


def save_miss(evaluated: Evaluated, folder: Path) -> Path:
    """Write the annotated picture of one miss and say where; true dice that were not read right are magenta.

    Raises:
        OSError: the folder can not be written.
    """
    scored = evaluated.scored
    drawn = annotate(evaluated.frame_bgr, evaluated.reading)
    for die in scored.score.dice:
        if not die.is_read_right:
            _draw_true(drawn, die.true.top_px, f"true: {die.true.body} {die.true.colour}, {die.true.zone}")
    if drawn.shape[1] > _WIDTH_PX:
        height_px = round(drawn.shape[0] * _WIDTH_PX / drawn.shape[1])
        drawn = np.asarray(cv2.resize(drawn, (_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA), np.uint8)
    change = f"-{scored.change}" if scored.change else ""
    path = folder / f"{scored.table}-{scored.score.picture.path.stem}{change}.jpg"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes())
    return path


def told_miss(score: PictureScore) -> str:
    """One line on what went wrong with a picture."""
    if score.problems and score.problems[0].startswith(REFUSED):
        return score.problems[0]
    parts = []
    if score.is_trusted_but_wrong:
        parts.append("trusted but wrong")
    if score.is_refused:
        parts.append("good, but refused")
    if score.problems:
        parts.append(", ".join(score.problems))
    for die in score.counted:
        if die.is_right:
            continue
        true = f"{die.true.body} {die.true.colour} in {die.true.zone}"
        seen = die.seen
        parts.append(
            f"{true} not found"
            if seen is None
            else f"{true} read as {seen.body} {seen.colour} in {seen.zone}"
        )
    parts += [f"{die.body} {die.colour} made up" for die in score.extra]
    return "; ".join(parts)


def write_page(folder: Path, summary: dict[str, Any], misses: Sequence[tuple[str, str, Path]]) -> Path:
    """Write `index.html`: the figures, then every miss (name, what went wrong, its picture in ``folder``).

    Raises:
        OSError: the folder can not be written.
    """
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>How well the dice were read</title><style>{_STYLE}</style>",
        "<h1>How well the dice were read</h1>",
        _figures_table({"all pictures": summary["figures"]}),
        "<h2>By light</h2>",
        _figures_table(summary["by_light"]),
        "<h2>By kind of picture</h2>",
        _figures_table(summary["by_kind"]),
    ]
    if summary.get("by_change"):
        parts += ["<h2>By change</h2>", _figures_table(summary["by_change"])]
    parts += ["<h2>Colours: true down, read across</h2>", _confusion_table(summary["confusion"])]
    parts.append(f"<h2>Misses ({len(misses)})</h2>")
    if not misses:
        parts.append("<p>None.</p>")
    for name, told, path in misses:
        kind = " class=wrong" if told.startswith("trusted but wrong") else ""
        parts.append(
            f"<figure><figcaption>{html.escape(name)}</figcaption><p{kind}>{html.escape(told)}</p>"
            f"<img loading=lazy src='{html.escape(path.name)}' alt='{html.escape(told)}'></figure>"
        )
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "index.html"
    page.write_text("\n".join(parts) + "</html>\n", encoding="utf-8")
    return page


def _figures_table(rows: dict[str, dict[str, Any]]) -> str:
    heads = ("pictures", "dice", "dice right", "trusted", "trusted but wrong", "good", "good but refused")
    cells = ["<table><tr><th></th>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
    for name, row in rows.items():
        wrong = " class=wrong" if row["trusted_but_wrong"] else ""
        cells.append(
            f"<tr><td>{html.escape(name)}</td><td>{row['pictures']}</td><td>{row['dice']}</td>"
            f"<td>{row['dice_right_frac']:.2%}</td><td>{row['trusted']}</td>"
            f"<td{wrong}>{row['trusted_but_wrong']}</td><td>{row['good']}</td>"
            f"<td>{row['good_refused']} ({row['good_refused_frac']:.1%})</td></tr>"
        )
    return "".join(cells) + "</table>"


def _confusion_table(rows: dict[str, dict[str, int]]) -> str:
    names = sorted({name for row in rows.values() for name in row} | set(rows))
    cells = ["<table><tr><th></th>" + "".join(f"<th>{html.escape(name)}</th>" for name in names) + "</tr>"]
    for true, row in rows.items():
        cells.append(f"<tr><td>{html.escape(true)}</td>")
        for name in names:
            count = row.get(name, 0)
            wrong = " class=wrong" if count and name != true else ""
            cells.append(f"<td{wrong}>{count or ''}</td>")
        cells.append("</tr>")
    return "".join(cells) + "</table>"


def _draw_true(picture: Image, corners: Sequence[tuple[float, float]], text: str) -> None:
    points = np.round(np.array(corners) * 16 - 8).astype(np.int32)
    cv2.polylines(picture, [points], True, _TRUE_BGR, 2, cv2.LINE_AA, shift=4)
    x = min(max(4, int(np.array(corners)[:, 0].min())), max(4, picture.shape[1] - 240))
    y = max(14, int(np.array(corners)[:, 1].min()) - 6)
    for colour, thick in (((0, 0, 0), 3), (_TRUE_BGR, 1)):
        cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, thick, cv2.LINE_AA)
