// A card looked at closely: what it asks for, why it can or can not be taken, and how to say that it is another.
import { button, h } from "./dom.js";
import { cardFace, cardName, combinationName } from "./cards.js";
import { openNameCard } from "./name_card.js";
import { takeCard } from "./take.js";
import { t } from "./words.js";

/** Opens the card of a holder. */
export function openCard(app, holder) {
  app.sheets.open({
    title: () => t("card.title", { holder: t(`holder.${holder}`) }),
    fits: (snapshot) => Boolean(snapshot.game?.holders[holder].card),
    body: ({ game, phase }) => {
      const { card, standing, light } = game.holders[holder];
      return [
        h("div", { class: "row top" }, cardFace(card, game.colours),
          h("div", {},
            h("p", { class: "strong" }, combinationName(card)),
            h("p", {}, t("points", { n: card.points })),
            card.action && h("p", {}, h("b", {}, t(`action.${card.action}`)), " – ", t(`action_is.${card.action}`)),
            h("p", { class: `explain ${standing}` }, t(`explain.${standing}`)))),
        light && phase === "decide" &&
          button(t(light === "yes" ? "do.take" : "do.take_change"), () => {
            app.sheets.close();
            takeCard(app, holder);
          }, { look: "primary wide", focus: "take" }),
        button(t("do.other_card"), () => openNameCard(app, holder), { look: "wide", focus: "other" }),
      ];
    },
  });
}

/** A card as a choice among others. */
export function cardChoice(card, colours, onclick, { chosen = false, focus = null, count = 1 } = {}) {
  return h("button", { type: "button", class: `card-button${chosen ? " chosen" : ""}`, onclick, "data-focus": focus,
    "aria-pressed": chosen ? "true" : null, title: cardName(card) },
    cardFace(card, colours), count > 1 && h("span", { class: "times" }, `×${count}`));
}
