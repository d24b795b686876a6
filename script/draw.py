"""Draw hardware/*.svg, and fill the tables of hardware/wiring.md, from hardware/wiring.toml.

python3 script/draw.py          write them
python3 script/draw.py --check  only say whether they are as they would be written (status 1 if not)
"""

import math
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HARDWARE = ROOT / "hardware"
BEGIN, END = "<!-- {} from wiring.toml -->", "<!-- end of {} -->"
Plan = dict[str, Any]


def led_ma(plan: Plan) -> float:
    """Return the current of one LED: what the resistor sees of the supply, by Ohm's law."""
    led = plan["led"]
    return float((plan["supply"]["volts"] - led["forward_v"]) / led["resistor_ohm"] * 1000)


def pins_table(plan: Plan) -> str:
    """Return the table of pins."""
    rows = ["| part | BCM | header pin | other end |", "|---|---|---|---|"]
    for led in plan["leds"]:
        rows.append(
            f"| LED {led['name']} | GPIO {led['bcm']} | {led['header']} | {plan['led']['resistor_ohm']} Ω, "
            f"the LED's long leg, its short leg to ground (pin {led['ground_header']}) |"
        )
    button = plan["button"]
    rows.append(
        f"| button | GPIO {button['bcm']} | {button['header']} | ground (pin {button['ground_header']}) |"
    )
    return "\n".join(rows)


def resistor_text(plan: Plan) -> str:
    """Return the resistors' arithmetic."""
    supply, led, button = plan["supply"], plan["led"], plan["button"]
    volts, kilohm = supply["volts"], button["pull_up_ohm"] / 1000
    current, through = led_ma(plan), volts / kilohm * 1000
    return (
        f"- An LED: ({volts} V − {led['forward_v']} V) / {led['resistor_ohm']} Ω = {current:.1f} mA, three "
        f"of them {3 * current:.1f} mA. A pin may give {supply['pin_most_ma']} mA, all together "
        f"{supply['all_most_ma']} mA.\n"
        f"- The button needs no resistor: the Pi pulls the pin up through about {kilohm:.0f} kΩ, and a press "
        f"lets {volts} V / {kilohm:.0f} kΩ = {through:.0f} µA flow."
    )


def height_mm(plan: Plan, camera: Plan) -> float:
    """Return the least height of a camera's lens above the table, looking straight down.

    At height h an angle a covers 2 h tan(a / 2); the picture's longer side lies along the view's longer one.
    """
    view = plan["view"]
    sides = sorted((view["width_mm"], view["depth_mm"]), reverse=True)
    angles = (camera["across_deg"], camera["along_deg"])
    heights = [
        side * (1 + view["margin_frac"]) / (2 * math.tan(math.radians(angle) / 2))
        for side, angle in zip(sides, angles, strict=True)
    ]
    return float(max(heights))


def die_px(plan: Plan, camera: Plan) -> float:
    """Return how many pixels a die's side has in the middle of the picture at that height."""
    covered_mm = 2 * height_mm(plan, camera) * math.tan(math.radians(camera["across_deg"]) / 2)
    return float(plan["view"]["die_mm"] / covered_mm * camera["picture_px"][0])


def camera_table(plan: Plan) -> str:
    """Return the table of heights."""
    rows = ["| camera | sees | lens above the table | pictures | a die's side |", "|---|---|---|---|---|"]
    for camera in plan["cameras"]:
        width, height = camera["picture_px"]
        rows.append(
            f"| {camera['name']} | {camera['across_deg']:g}° × {camera['along_deg']:g}° | "
            f"{math.ceil(height_mm(plan, camera) / 10) * 10:.0f} mm | {width}×{height} | "
            f"{die_px(plan, camera):.0f} px |"
        )
    return "\n".join(rows)


def lamp_mm(plan: Plan, lens_mm: float, lamp_height_mm: float) -> float:
    """Return how far beside the camera a lamp must hang so that no die in view mirrors it into the lens.

    A flat, glossy top face mirrors a lamp at distance x and height g into a lens at height h where it lies at
    x h / (h + g) from below the lens; that place must be out of view.
    """
    half_mm = max(plan["view"]["width_mm"], plan["view"]["depth_mm"]) * (1 + plan["view"]["margin_frac"]) / 2
    return float(half_mm * (lens_mm + lamp_height_mm) / lens_mm)


def lamp_table(plan: Plan) -> str:
    """Return the table of lamps, for the first camera at its height."""
    camera = plan["cameras"][0]
    lens_mm = math.ceil(height_mm(plan, camera) / 10) * 10
    rows = [
        f"| lamp above the table (lens at {lens_mm} mm) | at least so far beside the camera |",
        "|---|---|",
    ]
    for lamp_height_mm in plan["lamp"]["heights_mm"]:
        far_mm = math.ceil(lamp_mm(plan, lens_mm, lamp_height_mm) / 10) * 10
        rows.append(f"| {lamp_height_mm} mm | {far_mm} mm |")
    return "\n".join(rows)


class Drawing:
    """An SVG drawing, made line by line."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="sans-serif" font-size="13">',
            f"<title>{title}</title>",
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
        ]

    def line(
        self, points: list[tuple[float, float]], colour: str = "#333", width: float = 2, **how: Any
    ) -> None:
        """Draw straight lines through these points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in how.items())
        self._lines.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{more}/>'
        )

    def box(self, x: float, y: float, width: float, height: float, fill: str, stroke: str = "#333") -> None:
        """Draw a rectangle."""
        self._lines.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{fill}" '
            f'stroke="{stroke}"/>'
        )

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        """Draw a disc."""
        self._lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="#333"/>')

    def text(
        self, x: float, y: float, words: str, anchor: str = "start", size: int = 13, colour: str = "#111"
    ) -> None:
        """Write a line."""
        self._lines.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">'
            f"{words}</text>"
        )

    def svg(self) -> str:
        """Return the file."""
        return "\n".join([*self._lines, "</svg>", ""])


def wiring(plan: Plan) -> str:
    """Return the drawing of header, LEDs and button."""
    drawing = Drawing(760, 570, "Wiring of three LEDs and a button to the Pi's header")
    used = {led["header"]: led["colour"] for led in plan["leds"]}
    used |= {plan["button"]["header"]: plan["button"]["colour"]}
    used |= {part["ground_header"]: "#111" for part in (*plan["leds"], plan["button"])}
    at = {pin: (70.0 + 34 * ((pin + 1) % 2), 60.0 + 24 * ((pin - 1) // 2)) for pin in range(1, 41)}
    drawing.text(87, 24, "Raspberry Pi, 40 pins", "middle")
    drawing.text(87, 40, "(USB sockets below)", "middle", 11)
    drawing.box(48, 46, 78, 492, "#e8f1e8")
    for place, led in enumerate(plan["leds"]):
        _led(drawing, at, 300.0, 90.0 + 126 * place, led, plan)
    _button(drawing, at, plan)
    drawing.text(270, 548, "The colours tell the wires apart; the LEDs are alike.", size=11)
    for pin, (x, y) in at.items():  # over the wires' ends, so that every number can be read
        drawing.dot(x, y, 9, used.get(pin, "#fff"))
        drawing.text(x, y + 4, str(pin), "middle", 10, "#fff" if pin in used else "#333")
    return drawing.svg()


def _way_out(pin: tuple[float, float]) -> list[tuple[float, float]]:
    """Begin a wire at a pin: odd pins lead away between the rows of dots, so that no wire crosses a pin."""
    return [pin, (pin[0], pin[1] + 12)] if pin[0] < 100 else [pin]


def _led(
    drawing: Drawing, at: dict[int, tuple[float, float]], x: float, y: float, led: Plan, plan: Plan
) -> None:
    lead = _way_out(at[led["header"]])
    turn_x = 200.0 - 12 * (y - 90) / 126
    drawing.line([*lead, (turn_x, lead[-1][1]), (turn_x, y), (x, y)], led["colour"])
    drawing.box(x, y - 9, 70, 18, "#f3e3c3")
    drawing.text(x + 35, y + 4, f"{plan['led']['resistor_ohm']} Ω", "middle", 11)
    drawing.line([(x + 70, y), (x + 150, y)], led["colour"])
    tip = x + 176
    drawing.line([(x + 150, y - 14), (x + 150, y + 14), (tip, y), (x + 150, y - 14)], led["colour"])
    drawing.line([(tip, y - 14), (tip, y + 14)], led["colour"])
    ground = _way_out(at[led["ground_header"]])
    back_over = ground[-1][1] < lead[-1][1]  # over the LED, else under it
    # Up beside its own lead where it starts above that, else beyond all leads.
    turn_x = 166.0 if led["ground_header"] < led["header"] else 212.0
    back_y = y - 50 if back_over else y + 44
    around = [(turn_x, ground[-1][1]), (turn_x, back_y), (520.0, back_y), (520.0, y), (tip, y)]
    drawing.line([*ground, *around], "#111")
    drawing.text(528, y + 4, f"to ground, pin {led['ground_header']}")
    drawing.text(x + 10, y - 20, f"LED {led['name']}: GPIO {led['bcm']}, pin {led['header']}")
    drawing.text(x + 142, y + 32, "long leg | short leg", "middle", 10)


def _button(drawing: Drawing, at: dict[int, tuple[float, float]], plan: Plan) -> None:
    button = plan["button"]
    pin, ground = at[button["header"]], at[button["ground_header"]]
    x, y = 330.0, 450.0
    drawing.line([pin, (164, pin[1]), (164, y), (x, y)], button["colour"])
    drawing.line([ground, (146, ground[1]), (146, y + 40), (x + 80, y + 40), (x + 80, y)], "#111")
    drawing.dot(x, y, 4, "#fff")
    drawing.dot(x + 80, y, 4, "#fff")
    drawing.line([(x + 4, y - 14), (x + 76, y - 14)], "#333", 3)
    drawing.line([(x + 40, y - 14), (x + 40, y - 30)], "#333", 3)
    drawing.text(x - 60, y - 38, f"button: GPIO {button['bcm']}, pin {button['header']}")
    drawing.text(x - 60, y + 58, f"to ground, pin {button['ground_header']}")


def geometry(plan: Plan) -> str:
    """Return the drawing of camera, lamp and mirrored ray, seen from the side, to scale."""
    camera = plan["cameras"][0]
    lens = math.ceil(height_mm(plan, camera) / 10) * 10
    lamp_height = plan["lamp"]["heights_mm"][1]
    far = math.ceil(lamp_mm(plan, lens, lamp_height) / 10) * 10
    half = max(plan["view"]["width_mm"], plan["view"]["depth_mm"]) / 2
    scale = 0.55
    drawing = Drawing(620, 490, "Camera, lamp and the ray that a glossy die would mirror")

    def at(x_mm: float, z_mm: float) -> tuple[float, float]:
        return 230 + x_mm * scale, 430 - z_mm * scale

    drawing.line([at(-380, 0), at(far + 160, 0)], "#6d4c41", 4)
    drawing.line([at(-half, 2), at(half, 2)], "#2e7d32", 7)
    drawing.text(*at(-half, -34), "track, reserve strip and cards")
    for side in (-half, half):
        drawing.line([at(0, lens), at(side, 0)], "#999", 1, stroke_dasharray="5 4")
    drawing.box(at(0, lens)[0] - 16, at(0, lens)[1] - 14, 32, 16, "#37474f")
    drawing.text(at(0, lens)[0] + 22, at(0, lens)[1], f"{camera['name']}, {lens} mm")
    behind, pi = plan["stand"]["behind_mm"], plan["stand"]["pi_mm"]
    drawing.line([at(-behind, 0), at(-behind, lens + 30), at(0, lens + 30)], "#8d6e63", 5)
    x, y = at(-behind, pi)
    drawing.box(x - 17, y - 23, 14, 46, "#a5d6a7")
    drawing.text(x - 22, y + 4, f"Pi, {pi} mm", "end")
    drawing.text(*at(-330, lens + 60), "stand, fixed to the table")
    seen = far * lens / (lens + lamp_height)
    drawing.line([at(far, lamp_height), at(seen, 0), at(0, lens)], "#e65100", 2)
    drawing.dot(*at(far, lamp_height), 12, "#ffe082")
    drawing.line([at(far - 45, lamp_height - 30), at(far + 45, lamp_height - 30)], "#90a4ae", 3)
    drawing.text(
        at(far, lamp_height)[0] - 90, at(far, lamp_height)[1] - 20, f"lamp with diffuser, {lamp_height} mm"
    )
    drawing.text(*at(seen + 60, 60), "mirrored only here,")
    drawing.text(*at(seen + 60, 32), "out of view")
    drawing.line([at(0, -14), at(far, -14)], "#333", 1)
    drawing.text(at(far * 0.7, 0)[0], at(0, -70)[1], f"{far} mm or more")
    return drawing.svg()


def layout(plan: Plan) -> str:
    """Return the drawing of the table as the camera sees it, to scale."""
    view, table = plan["view"], plan["table"]
    scale, left, top = 1.25, 70.0, 90.0
    drawing = Drawing(
        700, 620, "The table from above: stand with Pi, cards, track with tower, reserve strip, button"
    )

    def box(x_mm: float, y_mm: float, size_mm: list[float], fill: str) -> tuple[float, float]:
        """Draw a thing by its left upper corner, and return the middle of its upper edge."""
        x, y = left + x_mm * scale, top + y_mm * scale
        drawing.box(x, y, size_mm[0] * scale, size_mm[1] * scale, fill)
        return x + size_mm[0] * scale / 2, y

    width, depth = view["width_mm"], view["depth_mm"]
    right, bottom = left + width * scale, top + depth * scale
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    drawing.line(corners, "#999", 1, stroke_dasharray="5 4")
    drawing.text(
        left, bottom + 20, f"what the camera must see: {width} mm by {depth} mm, and a tenth to spare"
    )
    card, track, reserve = table["card_mm"], table["track_mm"], table["reserve_mm"]
    step = card[0] + table["cards_apart_mm"]
    first = (width - 2 * step - card[0]) / 2
    gap = table["cards_apart_mm"]
    foot = (left + width / 2 * scale, top + (depth / 2 - plan["stand"]["behind_mm"]) * scale)
    for place in range(len(plan["leds"])):
        # Wires run between the cards; the outer right one's in the second gap.
        beside = left + (first + max(1, place) * step - gap / 2) * scale
        led_at = left + (first + place * step + card[0] / 2) * scale, top + (10 + card[1] + 12) * scale
        level = led_at[1] - 8 * scale  # under the card, over the LED's name
        drawing.line([foot, (beside, top - 8), (beside, level), (led_at[0], level), led_at], "#777", 1)
    button_at = right + 90, bottom - 60
    drawing.line([foot, (button_at[0], foot[1]), button_at], "#777", 1)
    drawing.box(foot[0] - 53, foot[1] - 12, 106, 24, "#a5d6a7")
    drawing.text(foot[0], foot[1] + 5, "stand and Pi", "middle")
    for place, led in enumerate(plan["leds"]):
        x, y = box(first + place * step, 10, card, "#e3f2fd")
        drawing.text(x, y + card[1] * scale / 2, "card", "middle")
        drawing.dot(x, y + (card[1] + 12) * scale, 6, plan["led"]["colour"])
        drawing.text(x + 12, y + (card[1] + 15) * scale, f"LED {led['name']}", size=11)
    track_y = 10 + card[1] + 27
    middle, y = box((width - track[0]) / 2, track_y, track, "#c8e6c9")
    drawing.text(middle, y + 20, f"track, {track[0]} mm by {track[1]} mm inside", "middle")
    drawing.text(middle, y + 36, "cloth of one dull colour", "middle", 11)
    tower_x, tower_y = box(
        (width + track[0]) / 2 - table["tower_mm"][0], track_y + 40, table["tower_mm"], "#bcaaa4"
    )
    drawing.text(tower_x, tower_y + 48, "tower", "middle")
    side = view["die_mm"]
    for number, (x_mm, y_mm) in enumerate([(70, 55), (105, 90), (140, 60), (95, 125)]):
        box(x_mm, track_y + y_mm, [side, side], "#fff" if number > 1 else "#333")
    reserve_y = track_y + track[1] + 25
    middle, y = box((width - reserve[0]) / 2, reserve_y, reserve, "#fff9c4")
    drawing.text(middle, y + 18, f"reserve strip, {reserve[0]} mm by {reserve[1]} mm", "middle")
    for place in range(2):
        box(width / 2 - 30 + 40 * place, reserve_y + 22, [side, side], "#fff")
    drawing.dot(*button_at, 26, plan["button"]["colour"])
    drawing.text(right + 90, bottom - 14, "button, where all reach it", "middle")
    return drawing.svg()


def tables(plan: Plan) -> dict[str, str]:
    """Return what stands between the marks of hardware/wiring.md."""
    return {
        "pins": pins_table(plan),
        "resistors": resistor_text(plan),
        "cameras": camera_table(plan),
        "lamps": lamp_table(plan),
    }


def filled(page: str, parts: dict[str, str]) -> str:
    """Return the page with its parts written anew between their marks."""
    for name, text in parts.items():
        begin, end = BEGIN.format(name), END.format(name)
        if begin not in page or end not in page:
            raise SystemExit(f"hardware/wiring.md lacks the marks of '{name}': {begin} … {end}")
        page = re.sub(
            f"{re.escape(begin)}.*?{re.escape(end)}",
            lambda _, begin=begin, text=text, end=end: f"{begin}\n{text}\n{end}",  # type: ignore[misc]
            page,
            flags=re.DOTALL,
        )
    return page


def files() -> dict[Path, str]:
    """Return each file that is made, with what belongs in it."""
    plan = tomllib.loads((HARDWARE / "wiring.toml").read_text(encoding="utf-8"))
    page = HARDWARE / "wiring.md"
    return {
        HARDWARE / "wiring.svg": wiring(plan),
        HARDWARE / "geometry.svg": geometry(plan),
        HARDWARE / "layout.svg": layout(plan),
        page: filled(page.read_text(encoding="utf-8"), tables(plan)),
    }


def main(words: list[str]) -> int:
    """Write the files, or with --check name those that differ."""
    if words not in ([], ["--check"]):
        print("usage: python3 script/draw.py [--check]", file=sys.stderr)
        return 2
    stale = 0
    for path, text in files().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        name = path.relative_to(ROOT)
        if words:
            print(f"{name} is not as wiring.toml says; run: python3 script/draw.py", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{name} written")
    return 1 if words and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
