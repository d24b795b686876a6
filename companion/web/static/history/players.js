// What can be counted of each player over all finished games; luck is worked out game by game while one looks.
import { SHAPES } from "../cards.js";
import { h } from "../dom.js";
import { decimal, percent, t } from "../words.js";
import { ask, askPatiently } from "./fetching.js";
import { signed } from "./game.js";
import { bars, lines } from "./plot.js";

const PLOTTED = 6; // players in the plot of luck: as many lines as can be told apart
const EVERY = 5; // games whose luck is worked out until the sums are shown anew

/** Shows the statistics; goes on until the luck of all games is known or the page is left. */
export async function showPlayers(place) {
  for (;;) {
    const told = await ask(place, "/api/statistics");
    if (!told) return;
    if (!told.players.length) {
      place.put(h("p", { class: "hint" }, t("history.none_finished")));
      return;
    }
    place.put(
      told.luck_pending.length > 0 && h("p", { class: "fine", role: "status" }, t("luck.pending", { n: told.luck_pending.length })),
      courses(told.players),
      told.players.map(one),
      h("p", { class: "fine" }, t("luck.is")));
    if (!told.luck_pending.length) return;
    for (const id of told.luck_pending.slice(0, EVERY)) {
      if (!place.isWanted()) return;
      if (!(await askPatiently(place, `/api/games/${encodeURIComponent(id)}/luck`))) return;
    }
    if (!place.isWanted()) return;
  }
}

/** The luck of those who played most, summed up game after game; nothing before any of it is known. */
function courses(players) {
  const shown = players.filter(({ luck_course: course }) => course.length > 0).slice(0, PLOTTED);
  if (!shown.length) return null;
  const series = shown.map(({ name, luck_course: course }, seat) => {
    let sum = 0;
    return { name, seat, points: [[0, 0], ...course.map((luck, game) => [game + 1, (sum += luck)])] };
  });
  return h("section", { class: "panel", "aria-label": t("luck.all") },
    h("h2", {}, t("luck.all")),
    lines(series, { label: t("luck.all_plot"), across: t("luck.games") }),
    h("ul", { class: "keys" }, series.map(({ name, seat, points }) =>
      h("li", {}, h("span", { class: `key line-${seat}`, "aria-hidden": "true" }), `${name} ${signed(points.at(-1)[1])}`))));
}

function one(player) {
  return h("section", { class: "panel", "aria-label": player.name },
    h("h2", {}, player.name),
    h("dl", { class: "figures" },
      figure("stat.games", player.games),
      figure("stat.wins", `${decimalOrWhole(player.wins)} (${percent(player.wins / player.games)})`),
      figure("stat.points", `${player.points} (${t("stat.per_game", { figure: decimal(player.points / player.games, 1) })})`),
      figure("stat.cards", player.cards),
      figure("stat.throws_per_card", player.throws_per_card === null ? "–" : decimal(player.throws_per_card, 1)),
      player.luck && figure("luck.luck", `${signed(player.luck.luck)} (${t("stat.per_turn", { figure: signed2(player.luck.luck / player.luck.turns) })})`),
      player.luck && figure("luck.loss", `${signed(-player.luck.loss)} (${t("stat.per_turn", { figure: signed2(-player.luck.loss / player.luck.turns) })})`),
      player.luck?.decisions > 0 && figure("luck.best", percent(player.luck.best_decisions / player.luck.decisions))),
    h("h3", {}, t("stat.shapes")),
    bars(shapes(player), { label: t("stat.shapes") }));
}

function figure(key, value) {
  return h("div", {}, h("dt", {}, t(key)), h("dd", {}, String(value)));
}

function shapes({ shapes: counts }) {
  const named = SHAPES.map(([name, sizes]) => ({ name: t(`shape.${name}`), count: counts[sizes.join("+")] ?? 0 }));
  return counts.other ? [...named, { name: t("stat.other_shape"), count: counts.other }] : named;
}

function decimalOrWhole(number) {
  return Number.isInteger(number) ? String(number) : decimal(number);
}

function signed2(number) {
  return `${number < -0.005 ? "−" : number > 0.005 ? "+" : ""}${decimal(Math.abs(number))}`;
}
