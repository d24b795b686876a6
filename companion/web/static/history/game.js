// One past game: how it ended, its luck, and all that happened, step by step.
import { h } from "../dom.js";
import { decimal, percent, t } from "../words.js";
import { ask, askPatiently } from "./fetching.js";
import { lines } from "./plot.js";
import { Replay } from "./replay.js";
import { dateAndTime, outcome } from "./when.js";

/** Shows the game of this id. */
export async function showGame(place, id) {
  const path = `/api/games/${encodeURIComponent(id)}`;
  const game = await ask(place, path);
  if (!game) return;
  const luck = h("section", { class: "panel", "aria-label": t("luck.title") }, h("h3", {}, t("luck.title")), h("p", { class: "fine", role: "status" }, t("luck.working")));
  const replay = new Replay(path, game);
  place.put(
    h("p", { class: "fine" }, dateAndTime(game.started)),
    h("h2", {}, outcome(game)),
    standings(game),
    replay.element,
    luck,
    h("p", {}, h("a", { class: "button", href: `${path}/record.jsonl`, download: "" }, t("history.record"))));
  await replay.start();
  const told = await askPatiently(place, `${path}/luck`);
  if (place.isWanted()) luck.replaceChildren(h("h3", {}, t("luck.title")), ...luckTold(game, told));
}

function standings({ players, points, cards, winners, first }) {
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("stat.player")), h("th", { scope: "col" }, t("stat.points")), h("th", { scope: "col" }, t("stat.cards")))),
    h("tbody", {}, players.map((name, seat) => h("tr", { class: winners?.includes(seat) ? "winner" : "" },
      h("th", { scope: "row" }, winners?.includes(seat) ? "★ " : "", name, seat === first && h("small", {}, ` – ${t("history.first")}`)),
      h("td", {}, points[seat]), h("td", {}, cards[seat]))))));
}

function luckTold({ players }, told) {
  if (!told?.turns.length) return [h("p", { class: "fine" }, t("luck.none"))];
  return [
    h("p", { class: "fine" }, t("luck.is")),
    lines(courses(players, told.turns), { label: t("luck.plot"), across: t("luck.turns") }),
    h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, ["stat.player", "luck.luck", "luck.loss", "luck.best"].map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, told.players.map((sum, seat) => h("tr", {},
        h("th", { scope: "row" }, h("span", { class: `key line-${seat}`, "aria-hidden": "true" }), players[seat]),
        h("td", {}, signed(sum.luck)), h("td", {}, signed(-sum.loss)),
        h("td", {}, sum.decisions ? percent(sum.best_decisions / sum.decisions) : "–")))))),
  ];
}

/** What the dice gave each player so far, turn after turn. */
function courses(players, turns) {
  return players.map((name, seat) => {
    let sum = 0;
    const points = [[0, 0]];
    turns.forEach((turn, index) => {
      if (turn.seat !== seat) return;
      sum += turn.luck;
      points.push([index + 1, sum]);
    });
    return { name, points, seat };
  });
}

/** A number with its sign, a real minus. */
export function signed(number) {
  const text = decimal(Math.abs(number), 1);
  if (/^0[.,]0$/.test(text)) return text;
  return `${number < 0 ? "−" : "+"}${text}`;
}
