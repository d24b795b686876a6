// Whether this phone may act, and how it comes to: it asks, and someone presses the table's button.
import { button, h } from "./dom.js";
import { sentenceFor, t } from "./words.js";

const NAME_KEY = "next.phone";
const LOOK_MS = 1000; // how often a waiting phone looks whether the button was pressed
const ANSWER_MS = 8000;
const HEADERS = { "Content-Type": "application/json" };

export class Pairing {
  constructor(onchange) {
    this.onchange = onchange;
    this.state = null; // what /api/pairing told, or null before it did
    this.asked = 0;
    this.oldest = 0; // what was asked before this one says nothing new
    this.toldMs = 0;
    this.changes = Promise.resolve();
    this.news = window.BroadcastChannel ? new BroadcastChannel("companion-pairing") : null;
    if (this.news) this.news.onmessage = () => this.look();
    const wake = () => document.visibilityState === "visible" && this.look();
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("pageshow", wake);
  }

  /** Whether this phone is known to be one that only looks on. */
  get looksOn() {
    return this.state !== null && this.state.you !== "paired";
  }

  /** How many seconds the wish has left by what was told last. */
  get left() {
    return Math.max(0, Math.ceil(this.state.waiting.left_s - (Date.now() - this.toldMs) / 1000));
  }

  look() {
    return this.ask("GET", "/api/pairing");
  }

  /** Changes what stands at the door, as `ask`: one change after the other, in the order of the taps. */
  change(method, body = null) {
    this.changes = this.changes.then(() => this.ask(method, "/api/pairing", body));
    return this.changes;
  }

  /**
   * Asks the door; keeps what it tells, and gives null, or the refusal {code, sentence}. On a slow line answers may
   * overtake each other: what was looked up before the newest answer, or before a change, is passed over.
   */
  async ask(method, path, body = null) {
    const number = ++this.asked;
    try {
      const looked = method === "GET";
      const options = looked ? { cache: "no-store" } : { method, headers: HEADERS, body: body && JSON.stringify(body) };
      const answer = await fetch(path, { ...options, signal: AbortSignal.timeout?.(ANSWER_MS) });
      const told = await answer.json();
      if (!answer.ok) return told;
      if (looked && number < this.oldest) return null;
      this.oldest = looked ? number : this.asked + 1;
      this.toldMs = Date.now();
      const before = this.state;
      this.state = told;
      if (before?.you !== told.you) {
        this.onchange();
        if (before && (!looked || told.you === "paired")) this.news?.postMessage("changed");
      }
      return null;
    } catch {
      return { code: "offline", sentence: null };
    }
  }
}

/** A line for phones that look on, with the way to join. */
export function joinStrip(app) {
  if (!app.pairing.looksOn) return null;
  return h("section", { class: "banner strip" }, h("p", {}, t("join.looking_on")),
    button(t("join.do"), () => join(app), { look: "small", focus: "join" }));
}

/** Lets this phone join, if it has not; gives whether it may act. What lay open before comes back afterwards. */
export function join(app) {
  if (!app.pairing.looksOn) return Promise.resolve(true);
  return new Promise((settle) => {
    const before = app.sheets.task;
    app.sheets.open(new Joining(app, (joined) => {
      // A closing sheet is followed by the one below it, but not where another was opened in its place.
      queueMicrotask(() => {
        if (before && !app.sheets.task) app.sheets.open(before);
        settle(joined);
      });
    }));
  });
}

class Joining {
  constructor(app, settle) {
    this.app = app;
    this.settle = settle;
    this.refused = null;
    this.name = rememberedName();
    this.shown = null; // how this phone stands, as the sheet shows it
    this.unheard = false; // the table did not answer last time
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  title() {
    return t("join.title");
  }

  fits() {
    return true;
  }

  closed() {
    clearInterval(this.timer);
    const { pairing } = this.app;
    if (pairing.state?.you === "waiting") pairing.change("DELETE");
    this.settle(pairing.state?.you === "paired");
  }

  /** A press lets this phone in, its time runs out, or it is let in from another window or while it slept. */
  async look() {
    if (this.shown === "waiting") this.unheard = (await this.app.pairing.look()) !== null;
    this.told();
  }

  told() {
    const { pairing, sheets } = this.app;
    if (sheets.task !== this) return;
    if (!pairing.looksOn) {
      sheets.close();
      this.app.notice(t("join.done"));
    } else if (pairing.state.you !== this.shown) {
      sheets.draw();
    } else if (this.shown === "waiting") {
      this.countdown();
    }
  }

  countdown() {
    const place = document.getElementById("join-left");
    if (place) place.textContent = t("join.left", { n: this.app.pairing.left });
    const offline = document.getElementById("join-offline");
    if (offline) offline.hidden = !this.unheard;
  }

  async ask() {
    keepName(this.name);
    const { pairing, sheets } = this.app;
    this.refused = await pairing.change("POST", { name: this.name });
    // Given up while the wish was on its way: the next press is a throw, and lets nobody in.
    if (sheets.task !== this && pairing.state?.you === "waiting") await pairing.change("DELETE");
    this.shown = null;
    this.told();
  }

  body(_, sheet) {
    const { state } = this.app.pairing;
    this.shown = state.you;
    if (state.you === "waiting") {
      return [
        h("p", { class: "strong big-text", role: "status" }, t("join.press")),
        h("p", { class: "fine" }, t("join.known_as", { name: state.waiting.name }), " ", h("span", { id: "join-left", "aria-hidden": "true" },
          t("join.left", { n: this.app.pairing.left }))),
        h("p", { class: "banner warn", id: "join-offline", role: "status", hidden: !this.unheard }, t("offline")),
        button(t("join.never_mind"), () => sheet.close(), { look: "wide", focus: "never-mind" }),
      ];
    }
    const why = this.refused ? sentenceFor("refusal", this.refused.code, this.refused.sentence) : state.sentence;
    return [
      h("p", {}, t("join.is")),
      why && h("p", { class: "banner warn", role: "alert" }, why, this.refused?.code === "pairing_busy" && h("small", {}, this.refused.sentence)),
      h("label", { class: "field-row" }, h("span", {}, t("join.name")),
        h("input", { type: "text", value: this.name, maxlength: 40, autocomplete: "off", "data-focus": "phone-name",
          oninput: (event) => { this.name = event.target.value; } })),
      button(t("join.ask"), () => this.ask(), { look: "primary wide", focus: "ask" }),
    ];
  }
}

/** Opens the list of phones that may act, from which any can be removed. */
export function openPhones(app) {
  let phones = null;
  let gone = null; // the one that is about to be removed
  const load = async (method, path, sheet) => {
    try {
      const answer = await fetch(path, { method, headers: HEADERS, cache: "no-store" });
      const told = await answer.json();
      if (answer.ok) ({ phones } = told);
      else app.notice(sentenceFor("refusal", told.code, told.sentence));
    } catch {
      app.notice(t("refusal.offline"));
    }
    sheet.draw();
  };
  app.sheets.open({
    title: () => t("phones.title"),
    fits: () => true,
    body: (_, sheet) => [
      h("p", { class: "fine" }, t("phones.is")),
      h("ul", { class: "phones" }, (phones ?? []).map((phone) =>
        h("li", { class: "row" },
          h("span", { class: "grow" }, h("span", { class: "strong" }, phone.name), phone.you && ` – ${t("phones.you")}`,
            h("br"), h("small", {}, t("phones.since", { date: new Date(phone.paired_at).toLocaleDateString(document.documentElement.lang) }))),
          gone === phone.id
            ? button(t("phones.remove_yes"), async () => {
              await load("DELETE", `/api/phones/${phone.id}`, sheet);
              app.pairing.look();
            }, { look: "primary", focus: "remove-yes" })
            : button(t("phones.remove"), () => {
              gone = phone.id;
              sheet.draw();
            }, { "aria-label": t("phones.remove_this", { name: phone.name }), focus: `remove-${phone.id}` })))),
    ],
  });
  load("GET", "/api/phones", app.sheets);
}

function rememberedName() {
  try {
    const kept = localStorage.getItem(NAME_KEY);
    if (kept) return kept;
  } catch {
    // Storage switched off: the name is typed again.
  }
  const kind = /iPhone|iPad|Android/.exec(navigator.userAgent)?.[0];
  return kind ?? t("join.some_device");
}

function keepName(name) {
  try {
    localStorage.setItem(NAME_KEY, name);
  } catch {
    // Storage switched off: nothing is kept, and nothing else is lost.
  }
}
