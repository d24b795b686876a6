// The wall: all tables of the club, live, large enough for a television; more than fit take turns.
import { diceRow } from "../dice.js";
import { Regions, h } from "../dom.js";
import { list, loadWords, t } from "../words.js";

const TURN_MS = 12_000; // how long one screenful stays where there are several
const AGAIN_MS = 3_000;
const QUIET_MS = 25_000; // the club says something at least every 10 s
const FOLLOWED = "followed"; // any other word says why nobody knows what the tables do
const TILE = { width_rem: 24, height_rem: 22 };

class Wall {
  constructor() {
    this.regions = new Regions(document.getElementById("content"));
    this.tables = new Map();
    this.known = false;
    this.online = true;
    this.broker = FOLLOWED;
    this.page = 0;
    this.heardMs = 0;
    this.source = null;
  }

  start() {
    this.listen();
    setInterval(() => this.turnPage(), TURN_MS);
    setInterval(() => {
      if (performance.now() - this.heardMs > QUIET_MS) this.lost();
    }, AGAIN_MS);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.listen());
    window.addEventListener("resize", () => this.show());
  }

  listen() {
    this.source?.close();
    this.heardMs = performance.now();
    this.source = new EventSource("/api/club/stream");
    this.source.addEventListener("broker", ({ data }) => {
      this.broker = JSON.parse(data); // shown with the tables, which follow at once
    });
    this.source.addEventListener("all", ({ data }) => this.heard(JSON.parse(data), true));
    this.source.addEventListener("some", ({ data }) => this.heard(JSON.parse(data), false));
    this.source.addEventListener("error", () => {
      this.online = false;
      this.show();
    });
  }

  lost() {
    this.online = false;
    this.show();
    this.listen();
  }

  heard(tables, all) {
    if (all) this.tables.clear();
    for (const table of tables) {
      if (table.gone) this.tables.delete(table.table);
      else this.tables.set(table.table, table);
    }
    this.heardMs = performance.now();
    this.known = true;
    this.online = true;
    this.show();
  }

  turnPage() {
    this.page += 1;
    this.show();
  }

  /** The tables to show now, in their order: as many as the screen holds. */
  screenful() {
    const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
    const all = [...this.tables.values()].sort((a, b) => collator.compare(a.name, b.name) || collator.compare(a.table, b.table));
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const fits = (length, size) => Math.max(1, Math.floor(length / (size * rem)));
    const narrow = window.innerWidth < 60 * 16; // a phone scrolls
    const count = narrow ? all.length : fits(window.innerWidth, TILE.width_rem) * fits(window.innerHeight - 5 * rem, TILE.height_rem);
    const pages = Math.max(1, Math.ceil(all.length / Math.max(1, count)));
    const page = this.page % pages;
    return { tables: all.slice(page * count, (page + 1) * count), page, pages };
  }

  show() {
    const { tables, page, pages } = this.screenful();
    const followed = this.broker === FOLLOWED;
    const lost = this.online && !followed;
    const none = this.known && followed && !tables.length;
    this.regions.show([
      ["head", [page, pages], () => h("header", { class: "top" },
        h("h1", {}, t("club.wall")),
        pages > 1 && h("span", { class: "fine" }, t("club.page", { page: page + 1, pages })),
        h("a", { href: "/season" }, t("club.to_season")))],
      ["offline", this.online, () => (this.online ? null : h("p", { class: "banner warn", role: "status" }, t("club.offline")))],
      ["broker", lost && this.broker, () => (lost ? h("p", { class: "banner warn", role: "status" }, t(`club.broker.${this.broker}`)) : null)],
      ["none", none, () => (none ? h("p", { class: "hint" }, t("club.none")) : null)],
      ...tables.map((table) => [`table ${table.table}`, [table, followed], () => tile(table, followed)]),
    ]);
  }
}

/** A table; where the broker is away, it is not the table of which that is said. */
function tile({ name, online, problem, state }, followed) {
  const game = state?.game ?? null;
  return h("article", { class: `tile${online ? "" : " away"}${state?.phase === "over" ? " over" : ""}`, "aria-label": name },
    h("h2", {}, name,
      followed && !online && h("span", { class: "mark" }, t("club.away")),
      online && problem && h("span", { class: "mark warn" }, t("club.problem"))),
    h("p", { class: "doing" }, doing(state, game)),
    game && h("ol", { class: "seats" }, game.players.map((player, seat) => seatRow(game, player, seat))),
    game?.dice && h("div", { class: "lying" }, diceRow(game.dice, game.colours)));
}

/** What goes on at a table, in a line. */
function doing(state, game) {
  if (!game) return t("club.lobby");
  if (state.phase === "over") {
    const names = (game.winners ?? []).map((seat) => game.players[seat].name);
    return t("over.won", { n: names.length, names: list(names) });
  }
  const name = game.players[game.seat]?.name ?? "";
  return t(`club.phase.${state.phase}`, { name, number: game.throw_number, action: game.action ? t(`action.${game.action}`) : "" });
}

function seatRow(game, player, seat) {
  const now = game.seat === seat;
  const won = game.winners?.includes(seat);
  return h("li", { class: `seat${now ? " now" : ""}${won ? " won" : ""}`, "aria-current": now ? "true" : null },
    h("span", { class: "name" }, won && h("span", { "aria-hidden": "true" }, "★ "), player.name),
    h("span", { class: "count" }, t("cards", { n: player.cards })),
    h("span", { class: "points" }, player.points === null ? t("points.hidden") : t("points", { n: player.points })));
}

try {
  await loadWords("club/");
  document.title = t("club.wall");
  new Wall().start();
} catch (error) {
  document.getElementById("content").textContent = String(error);
}
