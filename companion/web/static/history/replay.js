// A past game step by step: the table as it was, and what had just happened; moved by buttons, slider or the list.
import { fetchJson } from "../connection.js";
import { button, h } from "../dom.js";
import { cardBack, cardFace } from "../cards.js";
import { diceRow } from "../dice.js";
import { sentence } from "../said.js";
import { t } from "../words.js";

export class Replay {
  constructor(path, game) {
    this.path = path;
    this.moves = game.moves;
    this.players = game.players;
    this.step = 0;
    this.board = h("div", { class: "then" });
    this.said = h("p", { class: "strong", role: "status", "aria-live": "polite" });
    this.count = h("span", { class: "fine" });
    this.slider = h("input", { type: "range", min: 0, max: this.moves.length - 1, value: 0, "aria-label": t("replay.step"),
      oninput: () => this.go(Number(this.slider.value)) });
    this.list = h("ol", { class: "moves" }, this.moves.map((move, step) => h("li", {},
      h("button", { type: "button", class: "move", onclick: () => this.go(step) }, told(move.facts)))));
    this.element = h("section", { class: "panel", "aria-label": t("replay.title") },
      h("h3", {}, t("replay.title")),
      this.said,
      this.board,
      h("div", { class: "row steps" },
        button("|◀", () => this.go(0), { look: "round", "aria-label": t("replay.start") }),
        button("◀", () => this.go(this.step - 1), { look: "round", "aria-label": t("replay.back") }),
        this.slider,
        button("▶", () => this.go(this.step + 1), { look: "round primary", "aria-label": t("replay.on") }),
        button("▶|", () => this.go(this.moves.length - 1), { look: "round", "aria-label": t("replay.end") })),
      this.count,
      h("details", {}, h("summary", {}, t("replay.all")), this.list));
  }

  start() {
    return this.go(this.moves.length - 1);
  }

  async go(step) {
    this.step = Math.max(0, Math.min(this.moves.length - 1, step));
    this.slider.value = this.step;
    this.said.textContent = told(this.moves[this.step].facts);
    this.count.textContent = t("replay.count", { step: this.step + 1, steps: this.moves.length });
    this.list.querySelectorAll("[aria-current]").forEach((old) => old.removeAttribute("aria-current"));
    this.list.children[this.step].firstChild.setAttribute("aria-current", "step");
    const wanted = this.step;
    const moment = await fetchJson(`${this.path}/steps/${wanted}`);
    if (wanted !== this.step) return; // moved on meanwhile
    if (moment) this.board.replaceChildren(...drawn(moment.game).filter(Boolean));
    else this.board.replaceChildren(h("p", { class: "banner warn" }, t("history.offline")));
  }
}

function told(facts) {
  return facts.filter(({ key }) => key !== "turn_began" || facts.length === 1).map(sentence).join(" ");
}

function drawn(game) {
  return [
    game.dice ? diceRow(game.dice, game.colours) : !game.winners && h("p", { class: "fine" }, t("throw.none")),
    h("div", { class: "holders" }, game.holders.map(({ card, standing, pile }, holder) =>
      h("article", { class: `holder ${standing}`, "aria-label": t(`holder.${holder}`) },
        card ? cardFace(card, game.colours) : cardBack(standing === "empty" ? "–" : "?"),
        standing !== "no_throw" && h("p", { class: "standing" }, h("span", { class: "lamp", "aria-hidden": "true" }), t(`standing.${standing}`)),
        h("p", { class: "pile" }, t("pile", { n: pile }))))),
    h("ul", { class: "scores" }, game.players.map(({ name, cards, points }, seat) =>
      h("li", { class: seat === game.seat ? "winner" : "" }, `${name}: ${t("points", { n: points })}, ${t("cards", { n: cards })}`))),
  ];
}
