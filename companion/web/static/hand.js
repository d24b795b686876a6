// The cards in front of a player; with hidden scores they are fetched privately, on asking.
import { button, h } from "./dom.js";
import { cardFace } from "./cards.js";
import { fetchJson } from "./connection.js";
import { join } from "./pairing.js";
import { t } from "./words.js";

/** Fetches the cards of a seat, or gives the open ones. */
export async function handOf(app, seat) {
  const { game } = app.snapshot;
  return game.hands?.[seat] ?? (await privately(app, seat))?.cards ?? [];
}

/** The card that the companion drew for a seat: shown to all in an open game, else fetched privately. */
export async function drawnBy(app, seat) {
  const { game } = app.snapshot;
  return game.owed?.drawn ?? (await privately(app, seat))?.drawn ?? null;
}

/** Fetches what only phones may see that may act. */
async function privately(app, seat) {
  return (await join(app)) ? fetchJson(`/api/hands/${seat}`) : null;
}

/** Opens the hand of a seat. */
export function openHand(app, seat) {
  let shown = null;
  app.sheets.open({
    title: ({ game }) => t("hand.title", { name: game.players[seat].name }),
    fits: (snapshot) => snapshot.game?.players.length > seat,
    body: ({ game }, sheet) => {
      const cards = game.hands?.[seat] ?? shown;
      if (cards === null) {
        return [
          h("p", {}, t("hand.private", { name: game.players[seat].name })),
          button(t("hand.look"), async () => {
            if (await join(app)) shown = await handOf(app, seat);
            sheet.draw();
          }, { look: "primary wide", focus: "look" }),
        ];
      }
      if (!cards.length) return h("p", {}, t("hand.empty"));
      return h("div", { class: "card-grid" }, cards.map((card) => cardFace(card, game.colours)));
    },
  });
}
