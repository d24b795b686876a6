// The season: standings with ratings, head to head, records, the last games, and files to take away.
import { Regions, h } from "../dom.js";
import { fetchJson } from "../connection.js";
import { list, loadWords, shownLanguage, t } from "../words.js";

const AGAIN_MS = 15_000;

class Season {
  constructor() {
    this.regions = new Regions(document.getElementById("content"));
    const asked = new URLSearchParams(location.search);
    this.season = asked.get("season");
    this.player = asked.get("player");
    this.data = null;
    this.duels = null;
    this.online = true;
    this.asked = 0;
    this.answered = 0;
  }

  async start() {
    await this.load();
    if (this.season === null && this.data?.seasons.length) await this.choose(this.data.seasons[0]);
    setInterval(() => document.visibilityState === "visible" && this.load(), AGAIN_MS);
  }

  async choose(season) {
    this.season = season;
    await this.load();
  }

  async open(player) {
    this.player = player;
    await this.load();
  }

  async load() {
    const { season, player } = this;
    const asked = ++this.asked;
    const query = season ? `?season=${encodeURIComponent(season)}` : "";
    const data = await fetchJson(`/api/club/season${query}`);
    const duels = player && await fetchJson(`/api/club/duels${query}${query ? "&" : "?"}player=${encodeURIComponent(player)}`);
    // Answers may overtake each other: one to another question, or older than the last, comes too late.
    if (asked < this.answered || season !== this.season || player !== this.player) return;
    this.answered = asked;
    this.online = data !== null;
    this.data = data ?? this.data;
    this.duels = duels || this.duels;
    this.show();
  }

  show() {
    const { data } = this;
    this.regions.show([
      ["head", 0, () => h("header", { class: "top" }, h("h1", {}, t("club.season")), h("a", { href: "/" }, t("club.to_wall")))],
      ["offline", this.online, () => (this.online ? null : h("p", { class: "banner warn", role: "status" }, t("club.offline")))],
      ...(data ? [
        ["choice", [data.seasons, this.season, data.games], () => this.choice()],
        ["standings", [data.standings], () => this.standings()],
        ["duels", this.duels, () => (this.duels?.duels.length ? duels(this.duels) : null)],
        ["records", data.records, () => (data.records.length ? records(data.records) : null)],
        ["newest", data.newest, () => (data.newest.length ? newest(data.newest) : null)],
        ["files", this.season, () => files(this.season)],
      ] : []),
    ]);
  }

  choice() {
    const chip = (season, label) => h("button", { type: "button", class: `chip${(this.season || "") === season ? " chosen" : ""}`,
      "aria-pressed": String((this.season || "") === season), "data-focus": `season ${season}`, onclick: () => this.choose(season) }, label);
    return h("nav", { class: "chips", "aria-label": t("club.choose") },
      this.data.seasons.map((season) => chip(season, season)), chip("", t("club.all_time")),
      h("span", { class: "fine" }, t("club.games", { n: this.data.games })));
  }

  standings() {
    const { standings } = this.data;
    if (!standings.length) return h("p", { class: "hint" }, t("club.no_games"));
    const columns = ["place", "player", "played", "wins", "score", "share", "points", "rating"];
    return h("section", { class: "panel" }, h("h2", {}, t("club.standings")),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("club.standings") }, h("table", {},
        h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col" }, t(`club.${column}`))))),
        h("tbody", {}, standings.map((one) => h("tr", {},
          h("td", {}, String(one.place)),
          h("th", { scope: "row" }, h("button", { type: "button", class: "name-button", "data-focus": `player ${one.name}`,
            title: t("club.duels_open"), onclick: () => this.open(one.name) }, one.name)),
          [one.games, figure(one.wins), figure(one.score), `${Math.round(100 * one.share)} %`, one.points].map((value) => h("td", {}, String(value))),
          h("td", {}, t("club.rating_is", { mu: figure(one.rating.mu, 1), sigma: figure(one.rating.sigma, 1) }))))))),
      h("p", { class: "fine" }, t("club.standings_is")));
  }
}

function figure(value, digits = 2) {
  return new Intl.NumberFormat(shownLanguage(), { maximumFractionDigits: digits }).format(value);
}

function when(text) {
  return new Intl.DateTimeFormat(shownLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
}

function duels({ player, duels: found }) {
  const columns = ["opponent", "played", "ahead", "behind", "ties"];
  return h("section", { class: "panel duels" }, h("h2", {}, t("club.duels", { name: player })),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("club.duels", { name: player }) }, h("table", {},
      h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col" }, t(`club.${column}`))))),
      h("tbody", {}, found.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name),
        [one.games, one.ahead, one.behind, one.ties].map((value) => h("td", {}, String(value)))))))));
}

function records(found) {
  return h("section", { class: "panel" }, h("h2", {}, t("club.records")),
    h("dl", { class: "records" }, found.map((one) => h("div", {},
      h("dt", {}, t(`club.record.${one.kind}`)),
      h("dd", {}, h("b", {}, figure(one.value)), ` ${list(one.names)} `,
        h("span", { class: "fine" }, t("club.at_table", { table: one.table_name, when: when(one.ended_at) })))))));
}

function newest(games) {
  return h("section", { class: "panel" }, h("h2", {}, t("club.newest")),
    h("ol", { class: "last-games" }, games.map((game) => h("li", {},
      h("span", { class: "fine" }, t("club.at_table", { table: game.table_name, when: when(game.ended_at) })),
      h("span", { class: "scores" }, game.players.map((player) =>
        h("span", { class: player.place === 1 ? "winner" : "" }, player.place === 1 && "★ ", `${player.name} ${player.points}`)))))));
}

function files(season) {
  const query = season ? `?season=${encodeURIComponent(season)}` : "";
  const link = (name, key, ask = query) => h("li", {}, h("a", { href: `/export/${name}${ask}`, download: "" }, t(`club.export.${key}`)));
  return h("section", { class: "panel" }, h("h2", {}, t("club.export")),
    h("ul", { class: "files" }, link("standings.csv", "standings"), link("games.csv", "games"), link("season.json", "season"), link("records.jsonl", "records", "")));
}

try {
  await loadWords("club/");
  document.title = t("club.season");
  new Season().start();
} catch (error) {
  document.getElementById("content").textContent = String(error);
}
