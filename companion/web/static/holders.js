// The three cards in their holders: what they are, what can be taken, how many lie below.
import { button, h } from "./dom.js";
import { cardBack, cardFace } from "./cards.js";
import { openCard } from "./card_sheet.js";
import { chanceLine } from "./coach_panel.js";
import { openNameCard } from "./name_card.js";
import { takeCard } from "./take.js";
import { t } from "./words.js";

const WAITING = ["reading", "doubt", "card_needed"];
const OF_THE_DICE = ["takeable", "by_change", "not_made"];

/** The row of holders. */
export function holders(app) {
  const { game, marker, phase } = app.snapshot;
  return h("section", { class: "holders", "aria-label": t("holders.label") },
    game.holders.map((holder, index) => one(app, game, holder, index, marker === index, phase)));
}

function one(app, game, holder, index, marked, phase) {
  const { card, standing, light, pile } = holder;
  // While newer dice are read or asked about, nothing is said of what the older ones made.
  const waits = WAITING.includes(phase) && OF_THE_DICE.includes(standing);
  const place = t(`holder.${index}`);
  const open = card ? () => openCard(app, index) : () => openNameCard(app, index);
  const chance = chanceLine(app, index);
  const face = card ? cardFace(card, game.colours) : cardBack(standing === "empty" ? "–" : "?");
  return h("article", { class: `holder ${waits ? "waits" : standing}${marked ? " marked" : ""}`, "aria-label": place },
    standing === "empty" || phase === "over"
      ? h("div", { class: "card-button" }, face)
      : h("button", { type: "button", class: "card-button", onclick: open, "data-focus": `card-${index}`,
          "aria-label": card ? null : t("do.name_card", { holder: place }) }, face),
    h("p", { class: "standing" }, h("span", { class: "lamp", "aria-hidden": "true" }), waits ? t("after_reading") : t(`standing.${standing}`)),
    chance && h("p", { class: "chance" }, chance),
    light && phase === "decide"
      ? button(t("do.take"), () => takeCard(app, index), {
          look: "primary", focus: `take-${index}`, "aria-label": t(light === "yes" ? "do.take_card" : "do.take_card_change", { holder: place }),
        })
      : standing === "unknown" && phase !== "over" &&
        button(t("do.name"), () => openNameCard(app, index), { focus: `name-card-${index}`,
          "aria-label": t("do.name_card", { holder: place }) }),
    h("p", { class: "pile" }, t("pile", { n: pile })));
}
