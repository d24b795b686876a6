// Taking a card; where it needs the black-dice change, choosing the die and its new colour.
import { button, h } from "./dom.js";
import { cardFace } from "./cards.js";
import { colourName } from "./colours.js";
import { face } from "./dice.js";
import { t } from "./words.js";

/** Takes the card of a holder; asks which change only where there is more than one that serves. */
export function takeCard(app, holder) {
  const { light, changes, card } = app.snapshot.game.holders[holder];
  if (light === "yes") return app.send({ type: "take", holder, change: null });
  if (changes.length === 1) return app.send({ type: "take", holder, change: changes[0] });
  const fits = (snapshot) => snapshot.phase === "decide" && snapshot.game?.holders[holder]?.light === "change";
  return app.sheets.open({
    title: () => t("take.title"),
    fits,
    body: ({ game }, sheet) => [
      h("div", { class: "row top" }, cardFace(card, game.colours), h("p", {}, t("take.which"))),
      h("div", { class: "choices" },
        game.holders[holder].changes.map((change) => changeButton(game, change, () => sheet.send({ type: "take", holder, change })))),
    ],
  });
}

function changeButton(game, change, onclick) {
  const die = game.dice[change.die];
  const label = t("take.change", { body: t(`body.${die.body}`), from: colourName(die.colour), to: colourName(change.colour) });
  return h("button", { type: "button", class: "button change", onclick, "aria-label": label },
    h("span", { class: "die small" }, face(die.body, die.colour, game.colours)),
    h("span", { class: "arrow", "aria-hidden": "true" }, "→"),
    h("span", { class: "die small" }, face(die.body, change.colour, game.colours)));
}
