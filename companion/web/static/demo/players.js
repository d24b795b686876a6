// Who plays in which seat, a person or a robot, and who names the cards; may be changed at any time.
import { h } from "../dom.js";
import { t } from "./words.js";

const KINDS = ["greedy", "planning"];

/** The panel; `post(path, body)` hands a wish to the demo. */
export function playersPanel(post) {
  const seats = h("div", { hidden: true }, h("div", { class: "mischief" }), h("p", { class: "fine" }, t("seats.help")));
  const dealer = h("input", { type: "checkbox", onchange: (event) => post("dealer", { names_cards: event.target.checked }) });
  const panel = h("details", { class: "drawer", name: "drawer" }, h("summary", { class: "button" }, t("seats")),
    h("div", { class: "drawer-body" }, seats, h("label", { class: "check" }, dealer, t("dealer")),
      h("p", { class: "fine" }, t("dealer.help")), h("p", { class: "fine" }, t("about"))));
  return Object.assign(panel, { post, seats, dealer });
}

/** Brings the panel to the players of this game. */
export function showPlayers(panel, game, { robots, names_cards: namesCards }) {
  panel.dealer.checked = namesCards;
  panel.seats.hidden = !game;
  if (!game) return;
  const names = game.players.map(({ name }) => name);
  const place = panel.seats.querySelector(".mischief");
  if (panel.shown !== JSON.stringify(names)) {
    panel.shown = JSON.stringify(names);
    place.replaceChildren(...names.map((player) =>
      h("label", { class: "field" }, player,
        h("select", { onchange: (event) => panel.post("robots", { player, kind: event.target.value || null }) },
          h("option", { value: "" }, t("seats.person")),
          KINDS.map((kind) => h("option", { value: kind }, t(`seats.${kind}`)))))));
  }
  place.querySelectorAll("select").forEach((select, seat) => {
    if (document.activeElement !== select) select.value = robots[names[seat]] ?? "";
  });
}
