// Plots as SVG drawn from figures: coloured by the page's style sheet, by day and by night; the figures stand beside.
import { h, s } from "../dom.js";
import { decimal } from "../words.js";

/** Horizontal bars: items are {name, count, mark?}; `expected` draws a line where fair ones would end. */
export function bars(items, { label, expected = null, expectedLabel = "" }) {
  const most = Math.max(1, expected ?? 0, ...items.map(({ count }) => count)) * 1.05;
  return h("div", { class: "bars", role: "group", "aria-label": label },
    items.map(({ name, count, mark }) => h("div", { class: "bar" },
      h("span", { class: "bar-name" }, mark, name),
      s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "bar-plot", "aria-hidden": "true", focusable: "false" },
        s("rect", { class: "bar-fill", x: 0, y: 1, width: (100 * count) / most, height: 8 }),
        expected !== null && s("line", { class: "bar-expected", x1: (100 * expected) / most, x2: (100 * expected) / most, y1: 0, y2: 10 })),
      h("span", { class: "bar-count" }, String(count)))),
    expected !== null && h("p", { class: "fine" }, h("span", { class: "expected-key", "aria-hidden": "true" }), ` ${expectedLabel}: ${decimal(expected, 1)}`));
}

const WIDTH = 420;
const HEIGHT = 220;
const LEFT = 40;
const FOOT = 26;

/** Lines: series are {name, points: [[x, y]…], seat}; a zero line, and the y values at its ends. */
export function lines(series, { label, across }) {
  const xs = series.flatMap(({ points }) => points.map(([x]) => x));
  const ys = series.flatMap(({ points }) => points.map(([, y]) => y));
  const most = Math.max(1, Math.ceil(Math.max(...ys)));
  const least = Math.min(-1, Math.floor(Math.min(...ys)));
  const at = ([x, y]) => [LEFT + ((WIDTH - LEFT - 10) * x) / Math.max(1, ...xs), 8 + ((HEIGHT - FOOT - 16) * (most - y)) / (most - least)];
  const level = (y) => at([0, y])[1];
  return s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "lines", role: "img", "aria-label": label },
    [most, 0, least].map((y) => [
      s("line", { class: `grid${y === 0 ? " zero" : ""}`, x1: LEFT, x2: WIDTH - 10, y1: level(y), y2: level(y) }),
      s("text", { class: "tick", x: LEFT - 6, y: level(y) + 5, "text-anchor": "end" }, y > 0 ? `+${y}` : y < 0 ? `−${-y}` : "0"),
    ]),
    s("text", { class: "tick", x: WIDTH - 10, y: HEIGHT - 6, "text-anchor": "end" }, across),
    series.map(({ points, seat, name }) => [
      s("polyline", { class: `course line-${seat}`, points: points.map((point) => at(point).map((value) => value.toFixed(1)).join()).join(" ") },
        s("title", {}, name)),
      s("circle", { class: `end line-${seat}`, cx: at(points.at(-1))[0], cy: at(points.at(-1))[1], r: 4 }),
    ]));
}
