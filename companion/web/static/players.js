// The players with their cards and points, how near the end is, and who may end the game.
import { button, h } from "./dom.js";
import { openHand } from "./hand.js";
import { t } from "./words.js";

/** The list of players, clockwise. */
export function players(app) {
  const { game, phase } = app.snapshot;
  return h("section", { class: "players", "aria-label": t("players.label") },
    h("ol", {}, game.players.map((player, seat) => row(app, game, player, seat, phase))),
    phase !== "over" && h("p", { class: "fine" }, ending(game)),
    game.may_end.map((seat) =>
      button(t("do.end_early", { name: game.players[seat].name }), () => confirmEnd(app, seat), { focus: `end-${seat}` })));
}

function row(app, game, player, seat, phase) {
  const now = phase !== "over" && game.seat === seat;
  const won = game.winners?.includes(seat);
  const { automatic, by_choice: byChoice } = game.limits;
  const open = game.hands !== null;
  return h("li", { class: `player${now ? " now" : ""}${won ? " won" : ""}`, "aria-current": now ? "true" : null },
    h("button", { type: "button", class: "player-button", onclick: () => openHand(app, seat), "data-focus": `hand-${seat}`,
        "aria-label": t(open ? "player.label" : "player.label_hidden", {
          name: player.name, cards: t("cards", { n: player.cards }), points: t("points", { n: player.points ?? 0 }) }) },
      h("span", { class: "who" },
        h("span", { class: "name" }, won && h("span", { class: "crown", "aria-hidden": "true" }, "★ "), player.name),
        h("span", { class: "slots", "aria-hidden": "true" },
          Array.from({ length: automatic }, (_, place) =>
            h("span", { class: `slot${place < player.cards ? " filled" : ""}${place === byChoice - 1 ? " choice" : ""}` })))),
      h("span", { class: "worth" },
        h("span", { class: "points" }, player.points === null ? t("points.hidden") : t("points", { n: player.points })),
        h("span", { class: "count" }, t("cards", { n: player.cards })))));
}

function ending(game) {
  const most = Math.max(...game.players.map(({ cards }) => cards));
  const left = Math.max(0, game.limits.automatic - most);
  return t("ending.cards", { n: left, choice: game.limits.by_choice });
}

function confirmEnd(app, seat) {
  const { name } = app.snapshot.game.players[seat];
  app.sheets.open({
    title: () => t("end.title"),
    fits: (snapshot) => snapshot.game?.may_end.includes(seat),
    body: (_, sheet) => [
      h("p", {}, t("end.explain", { name })),
      button(t("do.end_now"), () => sheet.send({ type: "end_early", player: seat }), { look: "primary wide", focus: "end-now" }),
    ],
  });
}
