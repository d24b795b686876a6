// A die as it lies: its body, and its colour as hue, symbol and letter.
import { h, s } from "./dom.js";
import { colourLetter, colourName, lookOf, symbolPath } from "./colours.js";
import { t } from "./words.js";

/** A die's face as SVG; `colour` null is a face not yet known. */
export function face(body, colour, colours) {
  const parts = [s("rect", { class: "body", x: 3, y: 3, width: 94, height: 94, rx: 18 })];
  if (colour === null) {
    parts.push(s("text", { class: "question", x: 50, y: 66, "text-anchor": "middle" }, "?"));
  } else {
    parts.push(
      s("g", { transform: "translate(20 6) scale(0.6)", class: `ink-${lookOf(colour, colours)}` },
        s("path", { d: symbolPath(colour, colours) })),
      s("text", { class: "letter", x: 50, y: 89, "text-anchor": "middle" }, colourLetter(colour)),
    );
  }
  return s("svg", { viewBox: "0 0 100 100", class: `face ${body}`, "aria-hidden": "true", focusable: "false" }, parts);
}

/** What a die is called: "white die, red, kept". */
export function dieName(die) {
  const colour = die.colour === null ? t("die.unknown") : colourName(die.colour);
  return t(die.kept ? "die.kept" : "die.name", { body: t(`body.${die.body}`), colour });
}

/** Six dice in a row; the kept ones are marked. */
export function diceRow(dice, colours) {
  return h("ul", { class: "dice", "aria-label": t("dice.label") },
    dice.map((die) =>
      h("li", { class: `die${die.kept ? " kept" : ""}` },
        face(die.body, die.colour, colours),
        h("span", { class: "visually-hidden" }, dieName(die)),
        die.kept && h("span", { class: "tag", "aria-hidden": "true" }, t("die.kept_tag")))));
}

/** Why a die of a reading is itself in doubt: "leaning", "unsure", or null; one that was typed is not. */
export function doubtOf(die) {
  const problems = die.problems ?? [];
  return problems.includes("leaning_die") ? "leaning" : problems.length > 0 ? "unsure" : null;
}

/** A die as a button; `advice` is what the coach would do with it: "keep", "turn" or null. */
export function dieButton(die, colours, onclick, { chosen = false, focus = null, advice = null, doubt = null } = {}) {
  const mark = advice ? t(`coach.mark.${advice}`) : doubt ? t(`die.${doubt}_tag`) : null;
  const plain = dieName(die);
  const name = advice ? t("coach.die", { die: plain, advice: mark }) : doubt ? t(`die.${doubt}`, { die: plain }) : plain;
  const states = { kept: die.kept, chosen, advised: advice, unsure: doubt };
  return h("button", { type: "button", class: ["die", ...Object.keys(states).filter((state) => states[state])].join(" "), onclick,
    "aria-pressed": String(chosen), "aria-label": name, "data-focus": focus },
    mark && h("span", { class: "mark", "aria-hidden": "true" }, mark),
    face(die.body, die.colour, colours),
    die.kept && h("span", { class: "tag", "aria-hidden": "true" }, t("die.kept_tag")));
}
