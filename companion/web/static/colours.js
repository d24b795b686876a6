// The six colours as people tell them apart: a hue, a symbol and a letter each.
import { s } from "./dom.js";
import { known, t } from "./words.js";

// In a field of 100 × 100, by place in the game's list of colours; the six defaults keep their own.
const SHAPES = [
  star(5, 0.48), // red
  polygon(3, 0, 46, 58), // orange
  polygon(4), // yellow
  polygon(6, Math.PI / 6, 43), // green
  "M50 10a40 40 0 1 1 0 80a40 40 0 1 1 0-80z", // blue
  star(4, 0.42, Math.PI / 4, 50), // purple
];

function polygon(corners, turn = 0, radius = 44, middle = 50) {
  return ring(Array.from({ length: corners }, (_, step) => [turn + (step * 2 * Math.PI) / corners, radius]), middle);
}

function star(points, inner, turn = 0, radius = 47) {
  return ring(
    Array.from({ length: 2 * points }, (_, step) => [turn + (step * Math.PI) / points, step % 2 ? radius * inner : radius]),
    50,
  );
}

function ring(corners, middle) {
  const at = ([angle, radius]) =>
    `${(50 + radius * Math.sin(angle)).toFixed(1)} ${(middle - radius * Math.cos(angle)).toFixed(1)}`;
  return `M${corners.map(at).join("L")}z`;
}

export const DEFAULT_COLOURS = ["red", "orange", "yellow", "green", "blue", "purple"];

/** Which of the six looks a colour has: by its name, else by its place in the game's own list. */
export function lookOf(colour, colours = DEFAULT_COLOURS) {
  const usual = DEFAULT_COLOURS.indexOf(colour);
  return usual >= 0 ? usual : Math.max(0, colours.indexOf(colour)) % SHAPES.length;
}

/** The colour's name in the page's language; names that a table chose itself stay as they are. */
export function colourName(colour) {
  return known(`colour.${colour}`) ? t(`colour.${colour}`) : colour;
}

/** The letter that stands for a colour. */
export function colourLetter(colour) {
  return known(`letter.${colour}`) ? t(`letter.${colour}`) : colour.slice(0, 1).toUpperCase();
}

/** The path of a colour's symbol in a 100 × 100 field. */
export function symbolPath(colour, colours) {
  return SHAPES[lookOf(colour, colours)];
}

/** A colour's symbol, drawn alone. */
export function symbol(colour, colours) {
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: `symbol ink-${lookOf(colour, colours)}`, "aria-hidden": "true", focusable: "false" },
    s("path", { d: symbolPath(colour, colours) }),
  );
}

/** The wheel of six colours: a die that may show any. */
export function anyColour() {
  const wedges = DEFAULT_COLOURS.map((_, index) => {
    const [a, b] = [index, index + 1].map((step) => (step * Math.PI) / 3 - Math.PI / 2);
    const at = (angle) => `${(50 + 40 * Math.cos(angle)).toFixed(1)} ${(50 + 40 * Math.sin(angle)).toFixed(1)}`;
    return s("path", { class: `ink-${index}`, d: `M50 50L${at(a)}A40 40 0 0 1 ${at(b)}z` });
  });
  return s("svg", { viewBox: "0 0 100 100", class: "symbol wheel", "aria-hidden": "true", focusable: "false" }, wedges);
}
