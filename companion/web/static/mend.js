// Mending dice: a reading that waits, or the throw that was made; with the picture it was read from.
import { button, h } from "./dom.js";
import { doubtOf } from "./dice.js";
import { DiceEditor } from "./dice_editor.js";
import { colourName, symbol } from "./colours.js";
import { sentenceFor, t } from "./words.js";

/** Opens the reading that waits, with die `chosen` (else the one most in doubt) to be put right. */
export function openReading(app, chosen = null) {
  const { reading, game } = app.snapshot;
  const dice = reading?.dice?.length ? reading.dice : (app.snapshot.held ?? []);
  app.sheets.open(new Mending(app, {
    intent: "enter_throw",
    dice: dice.map((die) => ({ body: die.body, colour: die.colour, kept: die.kept, seen: die.centre_px ? die : null })),
    before: game.dice,
    picture: reading?.picture ? { id: reading.picture, size: reading.size } : null,
    chosen: chosen ?? mostInDoubt(dice),
    reasons: (reading?.problems ?? []).map((code) => sentenceFor("problem", code)),
    fits: (snapshot) => ["doubt", "card_needed"].includes(snapshot.phase) && pictureOf(snapshot) === pictureOf(app.snapshot),
  }));
}

/** Which die to look at first: the least sure of those in doubt, or of all; none where only dice lack. */
function mostInDoubt(dice) {
  const all = dice.map((_, index) => index);
  const doubted = all.filter((index) => doubtOf(dice[index]));
  if (dice.length < 6 && !doubted.length) return -1;
  const sureness = (index) => dice[index]?.confidence ?? 1;
  return (doubted.length ? doubted : all).reduce((worst, index) => (sureness(index) < sureness(worst) ? index : worst), doubted[0] ?? 0);
}

/** Opens the last throw to be corrected, with die `chosen` first. */
export function openCorrect(app, chosen = 0) {
  const { game } = app.snapshot;
  const dice = game.dice;
  const moment = JSON.stringify(dice);
  const { seen } = app.snapshot;
  app.sheets.open(new Mending(app, {
    intent: "correct_throw",
    dice: dice.map((die, index) => ({ ...die, seen: seen?.dice[index] ?? null })),
    before: game.throw_number > 1 || game.inherited || dice.some((die) => die.kept) ? dice : null,
    picture: seen ? { id: seen.picture, size: seen.size } : null,
    chosen,
    reasons: [],
    fits: (snapshot) => JSON.stringify(snapshot.game?.dice) === moment,
  }));
}

function pictureOf({ reading, held }) {
  return JSON.stringify([reading?.picture, reading?.dice, held]);
}

class Mending {
  constructor(app, { intent, dice, before, picture, chosen, reasons, fits }) {
    this.app = app;
    this.intent = intent;
    this.reasons = reasons;
    this.fits = fits;
    this.editor = new DiceEditor({ dice, colours: app.snapshot.game.colours, before, picture, chosen, redraw: () => app.sheets.draw() });
    this.was = JSON.stringify(this.editor.result());
  }

  title() {
    return t(this.intent === "correct_throw" ? "mend.correct" : "mend.reading");
  }

  body(_, sheet) {
    const { editor } = this;
    return [
      this.reasons.length > 0 && h("ul", { class: "reasons" }, this.reasons.map((reason) => h("li", {}, reason))),
      this.guess(sheet),
      editor.draw(),
      this.foot(sheet),
    ];
  }

  /** The button, below the reason why it is grey; that keeps its place, so that no colour moves away under a finger. */
  foot(sheet) {
    const correct = this.intent === "correct_throw";
    const idle = this.isIdle();
    return h("div", { class: "foot" },
      correct && h("p", { id: "mend-idle", class: idle ? null : "unseen" }, t("mend.idle")),
      button(t(correct ? "mend.save" : "enter.use"), () => this.send(sheet), {
        look: "primary wide", focus: "use", disabled: this.editor.trouble() !== null || idle,
        "aria-describedby": idle ? "mend-idle" : null }));
  }

  /** Whether there is nothing to correct: a reading that waits may be right as it is, the throw that was made stays so. */
  isIdle() {
    return this.intent === "correct_throw" && JSON.stringify(this.editor.result()) === this.was;
  }

  /**
   * The likely mend in one tap: the reading's second guess for the chosen die, if not just its lying is in doubt. A kept die
   * of a throw that was made lay there with its colour already, so in that throw alone it could not be another one.
   */
  guess(sheet) {
    const { editor } = this;
    const die = editor.dice[editor.chosen];
    const second = die?.seen?.runner_up;
    const lyingOnly = die?.seen && doubtOf(die.seen) === "leaning" && !die.seen.problems.includes("colour_unsure");
    const settled = this.intent === "correct_throw" && die?.kept;
    if (!second || lyingOnly || settled || die.colour === second || !editor.colours.includes(second) || editor.trouble() !== null) return null;
    return button([symbol(second, editor.colours), t("mend.guess", { was: colourName(die.colour), colour: colourName(second) })], () => {
      die.colour = second;
      this.send(sheet);
    }, { look: "wide guess", focus: "guess" });
  }

  send(sheet) {
    return sheet.send({ type: this.intent, dice: this.editor.result() });
  }
}
