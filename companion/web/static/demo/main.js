// The demo's page: the table's picture with its dice, LEDs and button; beside it the scoreboard as on a phone.
import { Connection } from "../connection.js";
import { button, h } from "../dom.js";
import { Bulbs } from "./leds.js";
import { asked, hintFor } from "./hint.js";
import { mischiefPanel, showMischief } from "./mischief.js";
import { Pairing } from "../pairing.js";
import { PictureView } from "./picture.js";
import { playersPanel, showPlayers } from "./players.js";
import { RoundButton } from "./round_button.js";
import { Turning } from "./turning.js";
import { Told } from "./told.js";
import { loadWords, t } from "./words.js";

const LOOK_MS = 2000; // another page may move the dice of this table too

class Demo {
  constructor() {
    this.state = null;
    this.snapshot = null;
    this.online = true;
    this.newest = 0;
    this.sent = Promise.resolve(); // one wish after the other, in the order of the taps
    this.throwing = false;
    this.turning = new Turning((body) => this.post("die", body));
    this.picture = new PictureView((die) => this.turning.tapped(die), () => this.shown());
    this.bulbs = new Bulbs(this.picture.overlay);
    this.told = new Told(this.picture.element);
    this.round = new RoundButton((heldMs) => this.press(heldMs));
    this.hint = h("p", { class: "demo-hint", role: "status", "aria-live": "polite" });
    this.throwRest = button(t("throw.all"), () => this.throwDice(this.rest === 0), { look: "primary big" });
    this.throwAll = button(t("throw.all"), () => this.throwDice(true), { look: "big", hidden: true });
    this.mischief = mischiefPanel((path, body) => this.post(path, body));
    this.players = playersPanel((path, body) => this.post(path, body));
    this.drawers = h("div", { class: "drawers" }, this.players, this.mischief);
    // What a drawer opens may lie below the screen; "toggle" does not bubble.
    this.drawers.addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }), true);
    this.pairing = new Pairing(() => {});
    this.connection = new Connection((snapshot, online) => {
      this.told.follow(this.snapshot, snapshot);
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
      this.turning.element,
      this.hint,
      h("div", { class: "controls" },
        h("div", { class: "throws-column" }, this.throwRest, this.throwAll),
        this.round.element,
        this.drawers),
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
    if (you === "viewer" && !asking) await this.pairing.change("POST", { name: t("pair.browser") });
    await this.post("button", { held_ms: heldMs });
    if (you !== "paired") this.pairing.news?.postMessage("changed"); // the scoreboard beside looks anew
  }

  async look() {
    await this.ask(() => fetch("/demo/state", { cache: "no-store" }));
  }

  post(path, body) {
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    this.sent = this.sent.then(async () => {
      await this.ask(() => fetch(`/demo/${path}`, request));
      this.connection.refresh();
    });
    return this.sent;
  }

  /** The dice fall until the picture shows how they lie. */
  async throwDice(everything) {
    this.throwing = true;
    this.picture.wait();
    this.draw();
    await this.post("throw", { everything });
    if (!this.picture.isComing) this.shown();
  }

  /** The picture is that of the newest state. */
  shown() {
    this.throwing = false;
    this.picture.element.classList.remove("waiting");
    this.draw();
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

  draw() {
    if (!this.state) return;
    const { state, snapshot } = this;
    const game = snapshot?.game ?? null;
    this.turning.show(state, game);
    this.picture.show(state);
    this.bulbs.show(state.leds);
    this.round.limits(state.button);
    this.hint.textContent = !this.online ? t("hint.offline") : this.throwing ? t("hint.throwing") : hintFor(snapshot, state);
    showMischief(this.mischief, state);
    showPlayers(this.players, game, state);
    this.drawThrow(state, snapshot, game);
  }

  drawThrow(state, snapshot, game) {
    const phase = snapshot?.phase;
    const fresh = phase === "throw" && !game.inherited;
    const lying = state.dice.filter((die) => die.zone !== "reserve").length;
    this.rest = fresh || lying === 6 ? 0 : lying;
    const nothing = !fresh && lying === 0;
    const may = mayThrow(snapshot, state);
    const mayRead = state.unread && ["throw", "decide"].includes(phase);
    // A lit card comes first, until dice are set aside for another throw.
    const mayTake = mayHold(snapshot, state) && !this.turning.isSettingAside;
    this.round.want(((mayRead || mayTake) && !this.throwing) || state.pairing.you !== "paired" || state.pairing.asking !== null);
    // Green is what comes next: not where a reading, a card to take, a name, an action or another player is waited for.
    const isNext = may && state.pairing.you === "paired" && !mayRead && !mayTake && (phase === "throw" || (phase === "decide" && this.rest > 0));
    this.throwRest.classList.toggle("primary", isNext);
    const label = nothing ? t("throw.none") : this.rest === 0 ? t("throw.all") : t("throw", { n: this.rest });
    if (this.throwRest.textContent !== label) this.throwRest.textContent = label;
    this.throwRest.disabled = nothing || !may || this.throwing;
    this.throwAll.hidden = this.rest === 0 || !game?.inherited;
    this.throwAll.disabled = !may || this.throwing;
  }
}

function isRobots({ game }, state) {
  return game?.players[game.seat]?.name in state.robots;
}

/** Whether holding the button takes a card, and nothing is asked on the scoreboard first. */
function mayHold(snapshot, state) {
  const { phase, game } = snapshot ?? {};
  if (phase !== "decide" || isRobots(snapshot, state) || game.may_pass || asked(game)) return false;
  return game.holders.some((holder) => holder.light !== null);
}

/** Whether somebody at the table could throw now without spoiling what is waited for. */
function mayThrow(snapshot, state) {
  const { phase, game } = snapshot ?? {};
  if (!snapshot || isRobots(snapshot, state)) return false;
  return ["throw", "doubt"].includes(phase) || (phase === "decide" && game.throws_left > 0);
}

await loadWords();
new Demo().start();
