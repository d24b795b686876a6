// A card as it lies in its holder: points, combination, action; and its name in words.
import { h } from "./dom.js";
import { anyColour, colourName, symbol } from "./colours.js";
import { list, t } from "./words.js";

export const SHAPES = [
  ["three", [3]],
  ["triple_pair", [2, 2, 2]],
  ["full_house", [3, 2]],
  ["four", [4]],
  ["small_colour", [5]],
  ["double_three", [3, 3]],
  ["four_and_pair", [4, 2]],
  ["large_colour", [6]],
];
export const ACTIONS = [null, "replay", "theft", "exchange", "super_exchange"];

/** The key of a card's shape, or null where its groups are not one of the eight. */
export function shapeOf(card) {
  const sizes = card.groups.map(([size]) => size).sort((a, b) => b - a).join();
  return SHAPES.find(([, shape]) => shape.join() === sizes)?.[0] ?? null;
}

/** The combination in words: "full house: 3 red, 2 of any colour". */
export function combinationName(card) {
  const shape = shapeOf(card);
  const named = card.groups.some(([, colour]) => colour !== null);
  if (shape && !named) return t(`shape.${shape}`);
  const groups = list(card.groups.map(([size, colour]) =>
    colour === null ? t("group.any", { count: size }) : t("group.named", { count: size, colour: colourName(colour) })));
  return shape ? t("card.combination", { shape: t(`shape.${shape}`), groups }) : groups;
}

/** A card in words: combination, points, action. */
export function cardName(card) {
  const words = t("card.name", { combination: combinationName(card), points: t("points", { n: card.points }) });
  return card.action ? t("card.with_action", { card: words, action: t(`action.${card.action}`) }) : words;
}

/** Whether two cards are the same card: same groups in any order, same points, same action. */
export function sameCard(a, b) {
  const key = (card) => JSON.stringify([card.groups.map((group) => JSON.stringify(group)).sort(), card.points, card.action]);
  return key(a) === key(b);
}

/** The dice of the combination, one row a group. */
export function combination(card, colours) {
  return h("span", { class: "groups", "aria-hidden": "true" },
    card.groups.map(([size, colour]) =>
      h("span", { class: `group size-${size}` },
        Array.from({ length: size }, () => (colour === null ? anyColour() : symbol(colour, colours))))));
}

/** The card drawn, with its name for screen readers. */
export function cardFace(card, colours) {
  return h("span", { class: "card" },
    h("span", { class: "visually-hidden" }, cardName(card)),
    h("span", { class: "value", "aria-hidden": "true" }, String(card.points)),
    combination(card, colours),
    h("span", { class: "ribbon", "aria-hidden": "true" }, card.action ? t(`action.${card.action}`) : ""));
}

/** The back of a card that is not known. */
export function cardBack(mark = "?") {
  return h("span", { class: "card back", "aria-hidden": "true" }, mark);
}
