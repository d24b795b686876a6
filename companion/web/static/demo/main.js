// The demo's page: the table's picture with its dice, LEDs and button; beside it the scoreboard as on a phone.
import { symbol } from "../colours.js";
import { Connection } from "../connection.js";
import { button, h } from "../dom.js";
import { Bulbs } from "./leds.js";
import { hintFor } from "./hint.js";
import { mischiefPanel, showMischief } from "./mischief.js";
import { Pairing } from "../pairing.js";
import { PictureView } from "./picture.js";
import { robotsPanel, showRobots } from "./robots.js";
import { RoundButton } from "./round_button.js";
import { loadWords, t } from "./words.js";

const LOOK_MS = 2000; // another page may move the dice of this table too

class Demo {
  constructor() {
    this.state = null;
    this.snapshot = null;
    this.online = true;
    this.newest = 0;
    this.picture = new PictureView((die) => this.dieChosen(die));
    this.bulbs = new Bulbs(this.picture.overlay);
    this.round = new RoundButton((heldMs) => this.press(heldMs));
    this.hint = h("p", { class: "demo-hint", role: "status", "aria-live": "polite" });
    this.throwRest = button(t("throw.all"), () => this.post("throw", { everything: this.rest === 0 }), { look: "primary big" });
    this.throwAll = button(t("throw.all"), () => this.post("throw", { everything: true }), { look: "big", hidden: true });
    this.change = h("div", { class: "change", role: "group", "aria-label": t("change.ask"), hidden: true });
    this.mischief = mischiefPanel((path, body) => this.post(path, body));
    this.robots = robotsPanel((path, body) => this.post(path, body));
    this.pairing = new Pairing(() => {});
    this.connection = new Connection((snapshot, online) => {
      this.snapshot = snapshot;
      this.online = online;
      this.look();
      this.draw();
    });
  }

  start() {
    document.title = t("title");
    document.getElementById("demo-table").append(
      this.picture.element,
      this.bulbs.element,
      this.hint,
      this.change,
      h("div", { class: "controls" },
        h("div", { class: "throws-column" }, this.throwRest, this.throwAll),
        this.round.element),
      this.robots,
      this.mischief,
    );
    document.getElementById("score").append(h("iframe", { src: "/", title: t("score.frame") }));
    this.tabs();
    this.connection.start();
    setInterval(() => document.visibilityState === "visible" && this.look(), LOOK_MS);
  }

  tabs() {
    const show = (name) => {
      document.body.dataset.tab = name;
      for (const tab of nav.children) tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
    };
    const nav = document.getElementById("tabs");
    for (const name of ["table", "score"]) nav.append(button(t(`tab.${name}`), () => show(name), { look: "tab", "data-tab": name }));
    show("table");
  }

  /** The first press lets this browser play, unless another one is asking just then. */
  async press(heldMs) {
    const { you, asking } = this.state?.pairing ?? {};
    if (you === "viewer" && !asking) await this.pairing.ask("POST", "/api/pairing", { name: t("pair.browser") });
    await this.post("button", { held_ms: heldMs });
    if (you !== "paired") this.pairing.news?.postMessage("changed"); // the scoreboard beside looks anew
  }

  async look() {
    await this.ask(() => fetch("/demo/state", { cache: "no-store" }));
  }

  async post(path, body) {
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    await this.ask(() => fetch(`/demo/${path}`, request));
    this.connection.refresh();
  }

  /** Asks, and takes the answer unless a later question was answered before. */
  async ask(question) {
    const number = ++this.newest;
    try {
      const answer = await question();
      if (!answer.ok) return;
      const state = await answer.json();
      if (number >= (this.answered ?? 0)) {
        this.answered = number;
        this.state = state;
        this.draw();
      }
    } catch {
      // The line to the table says when nothing answers.
    }
  }

  dieChosen(die) {
    const mayTurn = this.snapshot?.game?.change_open && die.zone === "track";
    if (!mayTurn) {
      this.post("die", { index: die.index });
      return;
    }
    const choose = (body) => {
      this.change.hidden = true;
      if (body) this.post("die", { index: die.index, ...body });
    };
    const others = this.state.colours.filter((colour) => colour !== die.colour);
    this.change.replaceChildren(
      h("p", {}, t("change.ask")),
      h("div", { class: "row" },
        button(t("change.keep"), () => choose({}), { look: "primary" }),
        others.map((colour, place) =>
          button(symbol(colour, this.state.colours), () => choose({ colour }),
            { look: "round", "aria-label": t(`colour.${colour}`), title: t(`colour.${colour}`), focus: `turn-${place}` })),
        button(t("change.cancel"), () => choose(null), { look: "quiet" })),
    );
    this.change.hidden = false;
    this.change.querySelector("button").focus();
  }

  draw() {
    if (!this.state) return;
    const { state, snapshot } = this;
    const game = snapshot?.game ?? null;
    if (!game?.change_open) this.change.hidden = true;
    this.picture.show(state);
    this.bulbs.show(state.leds);
    this.round.limits(state.button);
    this.hint.textContent = this.online ? hintFor(snapshot, state) : t("hint.offline");
    showMischief(this.mischief, state);
    showRobots(this.robots, game, state.robots);
    this.drawThrow(state, snapshot, game);
  }

  drawThrow(state, snapshot, game) {
    const fresh = snapshot?.phase === "throw" && !game.inherited;
    const lying = state.dice.filter((die) => die.zone !== "reserve").length;
    this.rest = fresh || lying === 6 ? 0 : lying;
    const nothing = !fresh && lying === 0;
    const mayRead = state.unread && ["throw", "decide"].includes(snapshot?.phase);
    this.round.want(mayRead || state.pairing.you !== "paired" || state.pairing.asking !== null);
    this.throwRest.classList.toggle("primary", !mayRead);
    const label = nothing ? t("throw.none") : this.rest === 0 ? t("throw.all") : t("throw", { n: this.rest });
    if (this.throwRest.textContent !== label) this.throwRest.textContent = label;
    this.throwRest.disabled = nothing;
    this.throwAll.hidden = this.rest === 0 || !game?.inherited;
  }
}

await loadWords();
new Demo().start();
