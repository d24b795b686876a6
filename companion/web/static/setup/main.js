// The set-up wizard: where things lie, the empty table, six colours, names confirmed, a trial, and the profile is kept.
import { colourName } from "../colours.js";
import { button, h } from "../dom.js";
import { known, list, loadWords, sentenceFor, t } from "../words.js";
import { Corners, framed } from "./corners.js";
import { taken } from "./outlines.js";

const LIVE_MS = 1200;
const STEPS = ["zones", "empty", "colours", "done"];
const HOLDERS = ["holder0", "holder1", "holder2"];
const SIZES = { track_mm: [220, 150], reserve_mm: [220, 45], die_mm: 16 };

class Wizard {
  constructor() {
    this.content = document.getElementById("content");
    this.state = null;
    this.step = "zones"; // the one shown; earlier ones can be gone back to
    this.refused = null;
    this.busy = false;
    this.resumed = false; // begun before this page was opened, perhaps by another device
    this.names = null;
    this.marked = false; // the track's corners come from the printed markers
    this.sizes = structuredClone(SIZES);
    this.live = h("img", { alt: t("setup.live"), class: "camera" });
    this.live.addEventListener("load", () => this.sized());
    this.corners = new Corners();
    this.hands = document.documentElement.dataset.hands ?? null;
  }

  async start() {
    document.title = `${t("setup.title")} – ${t("title")}`;
    const answer = await this.ask("GET", "/api/setup");
    if (answer) {
      this.step = this.state.step;
      this.resumed = this.step !== STEPS[0] && !this.state.kept;
    }
    this.draw();
    setInterval(() => this.look(), LIVE_MS);
    this.look();
  }

  /** Asks for a step; takes the state it answers with, or the refusal. */
  async ask(method, path, body = {}) {
    const options = method === "GET" ? { cache: "no-store" } : { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    this.refused = null;
    try {
      const answer = await fetch(path, options);
      const told = await answer.json();
      if (answer.ok || told.state) this.took(answer.ok ? told : told.state);
      if (!answer.ok) this.refused = told;
      return answer.ok;
    } catch {
      this.refused = { code: "offline", sentence: null };
      return false;
    }
  }

  took(state) {
    const zones = this.state?.zones;
    this.state = state;
    this.names = state.dice.map(({ name }) => name);
    if (state.zones && JSON.stringify(zones) !== JSON.stringify(state.zones)) {
      this.sizes = { ...this.sizes, track_mm: state.zones.track_mm, die_mm: state.zones.die_mm,
        reserve_mm: state.zones.reserve_mm ?? this.sizes.reserve_mm };
      this.placed = false;
      this.sized();
    }
  }

  async act(step, body = {}) {
    if (this.busy) return;
    this.busy = true;
    this.draw();
    const done = await this.ask("POST", `/api/setup/${step}`, body);
    this.busy = false;
    if (done) {
      this.step = this.state.step;
      this.resumed = false;
    }
    this.marked = done && step === "markers";
    if (this.marked) {
      // They tell of the track alone: the rest is put where it usually lies beside it, to be looked over.
      this.step = "zones";
      this.corners.set(["reserve", ...HOLDERS], true);
    }
    this.draw();
    this.content.querySelector("h2")?.focus({ preventScroll: true });
  }

  /** The table begins anew for this: wait until it is there again. */
  async release() {
    this.busy = true;
    this.draw();
    await this.ask("POST", "/api/setup/release");
    for (let tries = 0; this.state.locked && tries < 30; tries += 1) {
      await new Promise((later) => { setTimeout(later, 1000); });
      await this.ask("GET", "/api/setup");
    }
    this.busy = false;
    this.refused = null;
    this.draw();
  }

  look() {
    const wanted = this.step !== "done" && document.visibilityState === "visible" && !this.busy && this.state;
    if (wanted && !this.loading) {
      this.loading = true;
      const next = new Image();
      next.onload = () => {
        this.loading = false;
        this.live.src = next.src;
      };
      next.onerror = () => { this.loading = false; };
      next.src = `/api/setup/live.jpg?${Date.now()}`;
    }
  }

  /** The picture's size is known once there is one; only then zones can be drawn. */
  sized() {
    const size = [this.live.naturalWidth, this.live.naturalHeight];
    if (!size[0] || this.placed) return;
    this.placed = true;
    this.corners.take(this.state?.zones, size);
    if (this.step === "zones") this.draw();
  }

  draw() {
    if (this.refused?.code === "not_paired") {
      this.content.replaceChildren(this.head(), h("p", { class: "banner ask" }, t("setup.not_paired")), h("a", { class: "button primary", href: "/" }, t("setup.back")));
      return;
    }
    this.content.replaceChildren(...[this.head(), this.progress(), this.resumed && this.begunBefore(), ...this.page()].filter(Boolean));
  }

  begunBefore() {
    return h("div", { class: "banner ask stack", role: "status" }, h("p", {}, t("setup.resumed")), this.anew("wide"));
  }

  anew(look) {
    return button(t("setup.anew"), () => this.act("begin"), { look, disabled: this.busy });
  }

  head() {
    return h("header", { class: "row" }, h("a", { class: "button quiet", href: "/" }, "← ", t("setup.back")), h("h1", {}, t("setup.title")));
  }

  progress() {
    const reached = STEPS.indexOf(this.state?.step ?? "zones");
    return h("ol", { class: "progress" }, STEPS.map((step, index) =>
      h("li", { class: index < reached ? "reached" : "", "aria-current": step === this.step ? "step" : null },
        index <= reached
          ? h("button", { type: "button", class: `chip${step === this.step ? " chosen" : ""}`, onclick: () => this.go(step) }, t(`setup.step.${step}`))
          : h("span", { class: "chip later" }, t(`setup.step.${step}`)))));
  }

  go(step) {
    this.step = step;
    this.refused = null;
    this.draw();
  }

  page() {
    const trouble = this.refused && h("p", { class: "banner warn", role: "alert" }, this.reason());
    const title = h("h2", { tabindex: "-1" }, t(`setup.step.${this.step}`));
    if (this.step === "zones") return [title, h("p", {}, t("setup.zones.is")), trouble, this.zonesPage()];
    if (this.step === "done") return [title, trouble, this.donePage()];
    const { dice, still, zones, found, step } = this.state;
    // Only the names were unclear: they are told on the picture that was taken.
    const unnamed = this.step === "colours" && step === "colours" && dice.length > 0;
    return [title, h("p", {}, t(`setup.${this.step}.is`)), this.handsFor(this.step === "empty" ? "clear" : "six"), trouble,
      unnamed && h("section", { class: "stack panel" }, h("p", { class: "strong" }, t("setup.name_them")),
        taken(still, zones.size, dice.map((die) => die.top_px), numbers(dice)), this.naming(), this.learnButton()),
      this.refused && !unnamed && still !== null && this.step === "colours" &&
        taken(still, zones.size, found, numbers(found), "setup.taken"),
      framed(this.live),
      button(t(this.busy ? "setup.working" : "setup.take"), () => this.act(this.step), { look: `${unnamed ? "" : "primary "}wide big`, disabled: this.busy })];
  }

  /** Why a step was refused, in the page's words where it has some. */
  reason() {
    const { code, sentence } = this.refused;
    const key = `setup.refused.${code}`;
    return known(key) ? t(key, { n: this.state?.found?.length ?? 0 }) : (sentence ?? code);
  }

  /** Which die is which, to be said or put right. */
  naming() {
    const { dice, names } = this.state;
    return h("div", { class: "names" }, dice.map((die, index) => h("label", {}, t(die.body ? "setup.die" : "setup.die_only", { number: index + 1, body: die.body && t(`body.${die.body}`) }),
      h("select", { onchange: (event) => {
        this.names[index] = event.target.value;
        this.draw();
      } },
      this.names[index] === null && h("option", { value: "", selected: true, disabled: true }, t("setup.unnamed")),
      names.map((name) => h("option", { value: name, selected: name === this.names[index] }, colourName(name)))))));
  }

  learnButton() {
    return button(t("setup.learn"), () => this.act("names", { names: this.names }), { look: "primary wide", disabled: this.busy || this.names.includes(null) });
  }

  zonesPage() {
    const number = (name, index = null) =>
      h("input", { type: "number", min: 5, max: 999, step: 0.1, value: index === null ? this.sizes[name] : this.sizes[name][index],
        "aria-label": t(`setup.${name}${index === null ? "" : `.${index}`}`),
        oninput: (event) => {
          const value = Number(event.target.value);
          if (index === null) this.sizes[name] = value;
          else this.sizes[name][index] = value;
        } });
    const size = (name) => h("p", { class: "size" }, t(`setup.${name}`), " ", h("span", { class: "numbers" }, number(name, 0), " × ", number(name, 1), " mm"));
    const choice = (zones, label) => {
      const on = this.corners.has(zones[0]);
      return h("button", { type: "button", class: `chip${on ? " chosen" : ""}`, "aria-pressed": String(on), onclick: () => {
        this.corners.set(zones, !on);
        this.draw();
      } }, t(label));
    };
    return h("div", { class: "stack" },
      this.marked && h("p", { class: "banner won", role: "status" }, t("setup.marked")),
      framed(this.live, this.corners.overlay),
      h("p", { class: "fine" }, t("setup.drag")),
      h("div", { class: "chips" }, choice(["reserve"], "setup.with_reserve"), choice(HOLDERS, "setup.with_holders"),
        h("button", { type: "button", class: "chip", onclick: () => this.corners.turn() }, t("setup.turn"))),
      h("div", { class: "sizes" }, size("track_mm"), this.corners.has("reserve") && size("reserve_mm"),
        h("p", { class: "size" }, t("setup.die_mm"), " ", h("span", { class: "numbers" }, number("die_mm"), " mm"))),
      button(t(this.busy ? "setup.working" : "setup.use_zones"), () => this.act("zones", { zones: this.corners.zones(this.sizes) }),
        { look: "primary wide big", disabled: this.busy || !this.placed }),
      this.state?.locked && h("div", { class: "panel" }, h("p", {}, t("setup.locked")),
        button(t("setup.release"), () => this.release(), { look: "wide", disabled: this.busy })),
      button(t("setup.markers"), () => this.act("markers", { track_mm: this.sizes.track_mm }), { look: "wide", disabled: this.busy }),
      h("p", { class: "fine" }, t("setup.markers.is")));
  }

  donePage() {
    const { dice, margins, trial, still, kept } = this.state;
    const changed = this.names.some((name, index) => name !== dice[index].name);
    return h("div", { class: "stack" },
      h("p", {}, t(trial ? "setup.trial.is" : "setup.done.is")),
      trial
        ? taken(still, this.state.zones.size, trial.dice.map((die) => die.top_px), trial.dice.map((die) => colourName(die.colour)))
        : taken(still, this.state.zones.size, dice.map((die) => die.top_px), numbers(dice)),
      trial && this.trialSaid(trial),
      !trial && h("fieldset", {}, h("legend", {}, t("setup.names")), this.naming()),
      changed && this.learnButton(),
      !trial && h("section", {}, h("h3", {}, t("setup.margins")), h("ul", { class: "margins" }, margins.map(margin))),
      h("div", { class: "house" },
        button(t(trial ? "setup.try_again" : "setup.try"), () => this.act("try"), { disabled: this.busy || changed }),
        this.handsFor("throw"),
        button(t("setup.keep"), () => this.act("keep"), { look: "primary", disabled: this.busy || changed })),
      kept && h("p", { class: "banner won", role: "status" }, t("setup.kept")),
      kept && h("a", { class: "button primary wide", href: "/" }, t("setup.back")),
      !this.resumed && this.anew("quiet wide"));
  }

  trialSaid({ dice, problems, trusted }) {
    const seen = list(dice.map((die) => t("setup.seen", { body: t(`body.${die.body}`), colour: colourName(die.colour) })));
    return h("div", { class: `banner ${trusted ? "won" : "doubt"}`, role: "status" },
      h("p", { class: "strong" }, t(trusted ? "setup.trial.sure" : "setup.trial.unsure")),
      dice.length > 0 && h("p", {}, seen),
      problems.map((code) => h("p", {}, sentenceFor("problem", code))));
  }

  /** At a simulated table its dice are moved from here. */
  handsFor(deed) {
    if (!this.hands) return null;
    return button(t(`setup.hands.${deed}`), async () => {
      const body = deed === "throw" ? { everything: true } : { do: deed };
      await fetch(deed === "throw" ? this.hands.replace("setup", "throw") : this.hands, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      this.look();
    }, { look: "wide" });
  }
}

function numbers(dice) {
  return dice.map((_, index) => `${index + 1}`);
}

/** How surely a colour is told from the one it is most like, in plain words. */
function margin({ colour, nearest, sureness }) {
  return h("li", { class: sureness }, t(`setup.margin.${sureness}`, { colour: colourName(colour), nearest: colourName(nearest) }));
}

try {
  await loadWords("setup/");
  new Wizard().start();
} catch (error) {
  document.getElementById("content").textContent = String(error);
}
