// How often each colour came up, and whether that is as even as fair dice are.
import { h } from "../dom.js";
import { colourName, symbol } from "../colours.js";
import { decimal, t } from "../words.js";
import { ask } from "./fetching.js";
import { bars } from "./plot.js";

/** Shows the dice of all games. */
export async function showDice(place) {
  const told = await ask(place, "/api/statistics");
  if (!told) return;
  const thrown = told.dice.filter(({ white, black }) => white.thrown + black.thrown > 0);
  if (!thrown.length) {
    place.put(h("p", { class: "hint" }, t("history.none")));
    return;
  }
  place.put(
    h("p", {}, t("fair.is")),
    thrown.map((dice) => ["white", "black"].map((body) => one(dice.colours, body, dice[body]))),
    h("p", { class: "fine" }, t("fair.test")));
}

function one(colours, body, result) {
  const { counts, thrown, chi_square: chiSquare, p_value: pValue, verdict } = result;
  return h("section", { class: "panel", "aria-label": t(`fair.${body}`) },
    h("h2", {}, t(`fair.${body}`)),
    h("p", { class: `verdict ${verdict}` }, inWords(verdict, pValue)),
    bars(colours.map((colour, index) => ({ name: colourName(colour), count: counts[index], mark: symbol(colour, colours) })),
      { label: t(`fair.${body}`), expected: thrown / colours.length, expectedLabel: t("fair.expected") }),
    h("p", { class: "fine" }, t("fair.figures", { thrown, chi: decimal(chiSquare), p: decimal(pValue, 4) })));
}

/** The p-value in plain words: how many of so many fair sets would be as uneven. */
function inWords(verdict, pValue) {
  if (verdict === "too_few") return t("fair.too_few");
  const of = { usual: 100, noticeable: 1000, unlikely: 10000 }[verdict];
  return t(`fair.${verdict}`, { count: Math.max(1, Math.round(pValue * of)) });
}
