// The list of past games, newest first.
import { button, h } from "../dom.js";
import { t } from "../words.js";
import { ask } from "./fetching.js";
import { dateAndTime, outcome } from "./when.js";

const STEP = 20;

/** Shows the newest games; more on asking. */
export async function showGames(place, count = STEP) {
  const told = await ask(place, `/api/games?count=${count}`);
  if (!told) return;
  if (!told.games.length) {
    place.put(h("p", { class: "hint" }, t("history.none")));
    return;
  }
  place.put(
    h("ol", { class: "games" }, told.games.map(one)),
    told.more && button(t("history.more"), () => showGames(place, count + STEP), { look: "wide" }),
    h("p", {}, h("a", { class: "button", href: "/api/games.csv", download: "" }, t("history.csv"))));
}

function one(game) {
  const { id, started, players, points, winners } = game;
  return h("li", {}, h("a", { class: "game", href: `#game=${encodeURIComponent(id)}` },
    h("span", { class: "fine" }, dateAndTime(started)),
    h("b", {}, outcome(game)),
    h("span", { class: "scores" }, players.map((name, seat) =>
      h("span", { class: winners?.includes(seat) ? "winner" : "" }, `${name} ${points[seat]}`)))));
}
