// The coach on this phone: asks for the exact odds of the position shown where it is switched on here, for nobody else.
import { fetchJson } from "./connection.js";

const KEY = "next.coach";

export class Coach {
  constructor(onanswer) {
    this.onanswer = onanswer;
    this.on = kept();
    this.odds = null; // what /api/odds told of the position shown, or null
    this.position = null;
    this.asking = false;
    this.snapshot = null;
  }

  /** Switches the coach on or off, on this phone only. */
  set(on) {
    this.on = on;
    keep(on);
    this.follow(this.snapshot);
    this.onanswer();
  }

  /** Takes note of what the table shows; asks where there is something new to judge. */
  follow(snapshot) {
    this.snapshot = snapshot;
    const position = this.on ? positionOf(snapshot) : null;
    if (position !== this.position) this.odds = null;
    this.position = position;
    if (position && !this.odds) this.ask();
  }

  async ask() {
    if (this.asking) return;
    this.asking = true;
    const told = await fetchJson("/api/odds");
    this.asking = false;
    if (!told || !this.position || this.odds) return;
    const { revision } = this.snapshot;
    if (told.revision === revision) {
      this.odds = told;
      this.onanswer();
    } else if (told.revision < revision) {
      this.ask(); // the table moved on while the answer was under way
    } // else a newer snapshot is on its way, and asks again
  }
}

/** What the odds depend on, as text; null where there is nothing to judge. */
function positionOf(snapshot) {
  const game = snapshot?.game;
  if (!game || !["throw", "decide"].includes(snapshot.phase)) return null;
  if (game.holders.some(({ standing }) => standing === "unknown")) return null;
  return JSON.stringify([game.id, game.seat, game.throw_number, game.dice, game.inherited,
    game.holders.map(({ card, standing }) => [card, standing])]);
}

function kept() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage switched off: the coach is on until the page is closed
  }
}

function keep(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Storage switched off: nothing is kept, and nothing else is lost.
  }
}
