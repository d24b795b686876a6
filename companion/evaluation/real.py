"""Real pictures and real colours: stickers of cubes that robots scanned, and photographs of other dice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from companion.evaluation.delta_e import ciede2000, lab_from_srgb
from companion.evaluation.photographs import PHOTOGRAPHS_FILE, evaluate_photographs, told_photographs
from companion.evaluation.truth import TruthError
from companion.evaluation.watched import Watch, unwatched
from companion.vision.colour import ColourModel

CUBES_FILE = "rubik_rgb_labelled.json"
#: Draws of one sample a colour from each cube; the rest of the cube is named from them.
DRAWS = 20


def is_real_set(folder: Path) -> bool:
    """Whether the folder holds the cube scans or the photographs of dice (or a folder of both)."""
    return any((folder / name).exists() for name in (CUBES_FILE, f"cube_rgb/{CUBES_FILE}", PHOTOGRAPHS_FILE))


def evaluate_real(folder: Path, watch: Watch = unwatched) -> dict[str, Any]:
    """Figures for the sets that are there; it takes some minutes, which `watch` may show.

    Raises:
        TruthError: a file can not be read.
    """
    found: dict[str, Any] = {}
    for path in (folder / CUBES_FILE, folder / "cube_rgb" / CUBES_FILE):
        if path.exists():
            found["cubes"] = evaluate_cubes(path, watch=watch)
    if (folder / PHOTOGRAPHS_FILE).exists():
        found["photographs"] = evaluate_photographs(folder, watch)
    return found


def evaluate_cubes(path: Path, draws: int = DRAWS, watch: Watch = unwatched) -> dict[str, Any]:
    """Name the stickers of each cube from one drawn sample a colour, beside the nearest by CIEDE2000.

    Raises:
        TruthError: the file can not be read.
    """
    try:
        cubes = json.loads(path.read_text(encoding="utf-8"))["cubes"]
        stickers = [
            [(tuple(int(v) for v in one["rgb"]), str(one["colour"])) for one in cube["stickers"]]
            for cube in cubes
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TruthError(f"{path}: the scans can not be read ({error}).") from error
    counts: Counter[str] = Counter()
    confused: Counter[tuple[str, str]] = Counter()
    for number, cube in enumerate(watch(stickers, len(stickers), "cube")):
        random = np.random.default_rng(number)
        for _ in range(draws):
            _name_cube(cube, random, counts, confused)
    named = max(1, counts["named"])
    return {
        "cubes": len(stickers),
        "draws": draws,
        "named": counts["named"],
        "right_frac": round(counts["right"] / named, 5),
        "sure_frac": round(counts["sure"] / named, 5),
        "wrong_among_sure_frac": round(counts["sure_wrong"] / max(1, counts["sure"]), 5),
        "nearest_ciede2000_right_frac": round(counts["nearest"] / named, 5),
        "confused": {f"{true} named {seen}": count for (true, seen), count in confused.most_common(8)},
    }


def _name_cube(
    cube: list[tuple[tuple[int, ...], str]],
    random: np.random.Generator,
    counts: Counter[str],
    confused: Counter[tuple[str, str]],
) -> None:
    """One draw: pick a sample of each colour, name the others, add to the counts."""
    names = sorted({colour for _, colour in cube})
    drawn = {
        name: int(random.choice([i for i, (_, colour) in enumerate(cube) if colour == name]))
        for name in names
    }
    rest = [sticker for index, sticker in enumerate(cube) if index not in drawn.values()]
    samples = [tuple(float(v) for v in rgb) for rgb, _ in rest]
    model = ColourModel.fit({name: [cube[drawn[name]][0]] for name in names})
    references = lab_from_srgb([cube[drawn[name]][0] for name in names])
    distances = ciede2000(lab_from_srgb(samples)[:, None, :], references[None])
    for (_, true), naming, row in zip(rest, model.name_all(samples), distances, strict=True):
        right = naming.colour == true
        counts["named"] += 1
        counts["right"] += right
        counts["sure"] += not naming.unsure
        counts["sure_wrong"] += not naming.unsure and not right
        counts["nearest"] += names[int(row.argmin())] == true
        if not right:
            confused[true, naming.colour] += 1


def told(found: dict[str, Any]) -> str:
    """The figures for a person."""
    lines = []
    if "cubes" in found:
        cubes = found["cubes"]
        lines += [
            f"cube scans: {cubes['cubes']} cubes, {cubes['draws']} draws of one sample a colour,"
            f" {cubes['named']} stickers named",
            f"  right                    {cubes['right_frac']:8.2%}"
            f"  (nearest by CIEDE2000: {cubes['nearest_ciede2000_right_frac']:.2%})",
            f"  sure                     {cubes['sure_frac']:8.2%}"
            f"  of which wrong {cubes['wrong_among_sure_frac']:.2%}",
        ]
        lines += [f"  {name}: {count}" for name, count in cubes["confused"].items()]
    if "photographs" in found:
        lines += told_photographs(found["photographs"])
    return "\n".join(lines)
