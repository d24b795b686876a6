// Starts the page: words, the line to the table, and what is drawn from each snapshot.
import { bar } from "./bar.js";
import { board, people } from "./board.js";
import { Coach } from "./coach.js";
import { Connection } from "./connection.js";
import { Regions, h } from "./dom.js";
import { lobby } from "./lobby.js";
import { Pairing, join, joinStrip } from "./pairing.js";
import { announce } from "./said.js";
import { Sheets } from "./sheet.js";
import { Voice } from "./voice.js";
import { loadWords, sentenceFor, t } from "./words.js";

class App {
  constructor() {
    this.play = new Regions(document.getElementById("play"));
    this.people = new Regions(document.getElementById("people"));
    this.bar = new Regions(document.getElementById("bar"));
    this.sheets = new Sheets(this);
    this.coach = new Coach(() => this.changed(this.snapshot, this.online));
    this.voice = new Voice();
    this.pairing = new Pairing(() => this.changed(this.snapshot, this.online));
    this.connection = new Connection((snapshot, online) => this.changed(snapshot, online));
    this.snapshot = null;
    this.online = true;
  }

  start() {
    this.connection.start();
    this.pairing.look();
  }

  changed(snapshot, online) {
    const before = this.snapshot;
    this.snapshot = snapshot;
    this.online = online;
    this.coach.follow(snapshot);
    document.title = snapshot?.game ? title(snapshot.game) : t("title");
    this.play.show([
      ["offline", online, () => (online ? null : h("p", { class: "banner warn", role: "status" }, t("offline")))],
      ...(snapshot ? [["join", this.pairing.looksOn, () => joinStrip(this)], ...(snapshot.game ? board(this) : lobby(this))] : []),
    ]);
    this.people.show(snapshot?.game ? people(this) : []);
    this.bar.show(snapshot ? bar(this) : []);
    if (snapshot) {
      this.voice.follow(before, snapshot, announce(before, snapshot));
      this.sheets.changed();
    }
  }

  /** Hands an intent to the table and tells the person when it was refused, and why. */
  async send(intent) {
    // What was asked for belongs to what was shown then, also when the phone has to join first.
    const seen = this.snapshot?.revision ?? 0;
    if (!(await join(this))) return { accepted: false, code: "not_paired", sentence: null };
    const outcome = await this.connection.submit(intent, seen);
    if (outcome.code === "not_paired") {
      await this.pairing.look(); // removed meanwhile
      return this.pairing.looksOn ? this.send(intent) : outcome;
    }
    if (outcome.accepted) this.notice(null);
    else this.notice(sentenceFor("refusal", outcome.code, outcome.sentence));
    return outcome;
  }

  /** Shows a notice until it is closed, the next one comes, or a while has passed. */
  notice(text) {
    clearTimeout(this.noticeTimer);
    // A modal sheet covers the page: the notice goes where it can be seen.
    const place = document.querySelector("dialog[open] .sheet-head") ?? document.getElementById("notices");
    document.querySelectorAll(".notice").forEach((old) => old.remove());
    if (text === null) return;
    const close = () => notice.remove();
    const notice = h("p", { class: "notice", role: "alert", onclick: close }, text);
    place.append(notice);
    this.noticeTimer = setTimeout(close, 9000);
  }
}

function title(game) {
  if (game.seat === null) return t("title");
  return t("title.turn", { name: game.players[game.seat].name });
}

try {
  await loadWords();
  new App().start();
} catch (error) {
  document.getElementById("play").textContent = String(error);
}
