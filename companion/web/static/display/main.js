// The scoreboard for a television: large, only to look at; every phone in the room is told where to join.
import { cardBack, cardFace } from "../cards.js";
import { Connection, fetchJson } from "../connection.js";
import { diceRow } from "../dice.js";
import { Regions, h } from "../dom.js";
import { sentence } from "../said.js";
import { hint, nameFirst, turn } from "../status.js";
import { list, loadWords, t } from "../words.js";

class Display {
  constructor() {
    this.regions = new Regions(document.getElementById("content"));
    this.urls = [];
    this.connection = new Connection((snapshot, online) => this.show(snapshot, online));
  }

  async start() {
    this.connection.start();
    this.urls = (await fetchJson("/api/addresses"))?.urls ?? [];
    this.show(this.connection.snapshot, this.connection.online);
  }

  show(snapshot, online) {
    const game = snapshot?.game ?? null;
    document.documentElement.dataset.game = game ? "on" : "off";
    this.regions.show([
      ["offline", online, () => (online ? null : h("p", { class: "banner warn", role: "status" }, t("offline")))],
      ...(snapshot ? (game ? this.board(snapshot, game) : [["lobby", this.urls, () => this.lobby()]]) : []),
    ]);
  }

  board(snapshot, game) {
    const { phase, reading, held, said } = snapshot;
    const waits = phase === "doubt" || phase === "card_needed";
    const dice = (waits && (reading?.dice?.length ? reading.dice : held)) || game.dice;
    return [
      ["turn", [game.players, game.seat, game.throw_number, phase === "over", game.winners], () => head(game, phase)],
      ["waiting", [phase, game, snapshot.health], () => h("p", { class: `waiting ${phase}`, role: "status" }, waitingFor(snapshot))],
      ["dice", [dice, waits, game.colours], () => h("div", { class: `lying${waits ? " unsure" : ""}` }, dice && diceRow(dice, game.colours))],
      ["holders", [phase, game.holders, game.colours], () => cards(game)],
      ["players", [phase, game.players, game.seat, game.winners, game.limits], () => standings(game, phase)],
      ["said", said, () => h("p", { class: "last" }, newest(said))],
      ["urls", this.urls, () => this.address("corner")],
    ];
  }

  lobby() {
    return h("section", { class: "welcome" },
      h("h1", {}, t("title")),
      h("p", {}, t("display.nobody")),
      this.address("large"));
  }

  /** Where phones join, as a code and in letters; nothing where phones can not reach this machine. */
  address(look) {
    if (!this.urls.length) return null;
    return h("aside", { class: `address ${look}` },
      h("img", { src: "/address.svg", alt: t("display.code"), width: 200, height: 200 }),
      h("p", {}, t("display.join"), this.urls.map((url) => h("span", {}, url.replace("http://", "").replace(/\/$/, "")))));
  }
}

/** All that happened at the last revision, in words. */
function newest(said) {
  return said.filter(({ revision }) => revision === said.at(-1).revision).map(sentence).join(" ");
}

function head(game, phase) {
  if (phase !== "over") return turn(game, phase);
  const names = (game.winners ?? []).map((seat) => game.players[seat].name);
  return h("header", { class: "turn won" }, h("h1", {}, t("over.won", { n: names.length, names: list(names) })));
}

function waitingFor({ phase, game, health }) {
  if (phase === "over") return t(`over.${game.ending}`);
  if (phase === "reading") return t("hint.reading");
  if (phase === "card_needed") return nameFirst(game);
  if (phase === "doubt") return t("display.doubt");
  if (phase === "action") return t(`hint.${game.owed.action}`, { name: game.players[game.seat].name });
  return hint(game, phase, health);
}

function cards(game) {
  return h("section", { class: "holders", "aria-label": t("holders.label") },
    game.holders.map(({ card, standing, pile }, holder) =>
      h("article", { class: `holder ${standing}`, "aria-label": t(`holder.${holder}`) },
        card ? cardFace(card, game.colours) : cardBack(standing === "empty" ? "–" : "?"),
        h("p", { class: "standing" }, h("span", { class: "lamp", "aria-hidden": "true" }), t(`standing.${standing}`)),
        h("p", { class: "pile" }, t("pile", { n: pile })))));
}

function standings(game, phase) {
  const { automatic, by_choice: byChoice } = game.limits;
  const left = Math.max(0, automatic - Math.max(...game.players.map(({ cards: held }) => held)));
  return h("section", { class: "standings", "aria-label": t("players.label") },
    h("ol", {}, game.players.map((player, seat) => {
      const now = phase !== "over" && game.seat === seat;
      const won = game.winners?.includes(seat);
      return h("li", { class: `player${now ? " now" : ""}${won ? " won" : ""}`, "aria-current": now ? "true" : null },
        h("span", { class: "name" }, won && h("span", { "aria-hidden": "true" }, "★ "), player.name),
        h("span", { class: "points" }, player.points === null ? t("points.hidden") : t("points", { n: player.points })),
        h("span", { class: "slots", "aria-hidden": "true" },
          Array.from({ length: automatic }, (_, place) =>
            h("span", { class: `slot${place < player.cards ? " filled" : ""}${place === byChoice - 1 ? " choice" : ""}` }))),
        h("span", { class: "count" }, t("cards", { n: player.cards })));
    })),
    phase !== "over" && h("p", { class: "near" }, t("ending.cards", { n: left, choice: byChoice })));
}

try {
  await loadWords("display/");
  document.title = t("display.title");
  new Display().start();
} catch (error) {
  document.getElementById("content").textContent = String(error);
}
