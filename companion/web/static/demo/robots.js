// Who plays in which seat: a person, or a robot; may be changed at any time.
import { h } from "../dom.js";
import { t } from "./words.js";

const KINDS = ["greedy", "planning"];

/** The panel; `post(path, body)` hands a wish to the demo. */
export function robotsPanel(post) {
  const panel = h("details", { class: "seats" }, h("summary", {}, t("seats")), h("div", { class: "mischief" }), h("p", { class: "fine" }, t("seats.help")));
  panel.post = post;
  return panel;
}

/** Brings the panel to the players of this game. */
export function showRobots(panel, game, robots) {
  panel.hidden = !game;
  if (!game) return;
  const names = game.players.map(({ name }) => name);
  const place = panel.querySelector(".mischief");
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
