// Six dice to be put right: tap one, say its colour, its body, whether it was kept.
import { button, h } from "./dom.js";
import { colourName, symbol } from "./colours.js";
import { dieButton } from "./dice.js";
import { outlined } from "./picture.js";
import { t } from "./words.js";

const NEED = { white: 4, black: 2 };
const BODIES = ["white", "black"];

export class DiceEditor {
  /**
   * `dice` are {body, colour or null, kept, seen or null}; `seen` is a die of a reading. `before` are the dice that lay
   * there, or null where none can be kept. `chosen` is the index of the die that is put right first, -1 none. `redraw` draws the
   * sheet anew.
   */
  constructor({ dice, colours, before, picture, redraw, chosen = 0, coloursOnly = false }) {
    this.dice = dice.map((die) => ({ ...die }));
    this.colours = colours;
    this.before = before;
    this.picture = picture;
    this.redraw = redraw;
    this.coloursOnly = coloursOnly; // bodies and kept dice are settled already
    this.chosen = Math.min(chosen, Math.max(0, dice.length - 1));
  }

  /** The dice as an intent wants them. */
  result() {
    return this.dice.map(({ body, colour, kept }) => ({ body, colour, kept: Boolean(kept) }));
  }

  /** What keeps these dice from being a throw, in words; null when nothing does. */
  trouble() {
    const count = (body) => this.dice.filter((die) => die.body === body).length;
    if (this.dice.length !== 6) return t("edit.six", { n: this.dice.length });
    if (count("white") !== NEED.white) return t("edit.bodies", { white: count("white"), black: count("black") });
    const unknown = this.dice.filter((die) => die.colour === null).length;
    if (unknown) return t("edit.unknown", { n: unknown });
    if (this.dice.every((die) => die.kept)) return t("edit.all_kept");
    return null;
  }

  /** Gives the chosen die a colour and goes on to the next one that has none. */
  setColour(colour) {
    this.dice[this.chosen].colour = colour;
    const next = this.dice.findIndex((die) => die.colour === null);
    if (next >= 0) this.chosen = next;
    this.redraw();
  }

  change(changes) {
    Object.assign(this.dice[this.chosen], changes);
    this.redraw();
  }

  choose(index) {
    this.chosen = index;
    this.redraw();
  }

  /** The editor's elements. */
  draw() {
    const die = this.dice[this.chosen];
    return [
      this.picture && outlined(this.picture, this.dice, this.chosen, (index) => this.choose(index)),
      h("div", { class: "dice edit", role: "group", "aria-label": t("dice.label") },
        this.dice.map((each, index) =>
          dieButton(each, this.colours, () => this.choose(index), { chosen: index === this.chosen, focus: `edit-${index}` }))),
      this.trouble() && h("p", { class: "strong", role: "status" }, this.trouble()),
      this.dice.length < 6 && button(t("edit.add"), () => this.add(), { look: "primary wide", focus: "add" }),
      die && this.panel(die),
    ];
  }

  panel(die) {
    return h("div", { class: "panel", role: "group", "aria-label": t("edit.die", { number: this.chosen + 1 }) },
      h("div", { class: "swatches", role: "group", "aria-label": t("edit.colour") },
        this.likely(die).map((colour) =>
          h("button", { type: "button", class: `swatch${colour === die.colour ? " chosen" : ""}`, "aria-pressed": String(colour === die.colour),
            "data-focus": `colour-${colour}`, onclick: () => this.setColour(colour) },
            symbol(colour, this.colours), h("span", {}, colourName(colour))))),
      !this.coloursOnly && h("div", { class: "row" },
        h("div", { class: "segments", role: "group", "aria-label": t("edit.body") },
          BODIES.map((body) =>
            button(t(`body.${body}`), () => this.change({ body }), { look: `segment${die.body === body ? " chosen" : ""}`,
              "aria-pressed": String(die.body === body), focus: `body-${body}` }))),
        this.before &&
          button(t(die.kept ? "edit.kept" : "edit.thrown"), () => this.change({ kept: !die.kept }), {
            look: `segment alone${die.kept ? " chosen" : ""}`, "aria-pressed": String(Boolean(die.kept)), "aria-label": t("edit.kept"), focus: "kept" }),
        this.dice.length > 6 || die.seen
          ? button(t("edit.remove"), () => this.remove(), { look: "quiet", focus: "remove" }) : null));
  }

  /** The colours to choose from: the reading's second guess first, then its first, then the others in order. */
  likely(die) {
    const first = [die.seen?.runner_up, die.seen?.colour].filter((colour) => colour && this.colours.includes(colour));
    return [...new Set([...first, ...this.colours])];
  }

  add() {
    const white = this.dice.filter((die) => die.body === "white").length;
    this.dice.push({ body: white < NEED.white ? "white" : "black", colour: null, kept: false, seen: null });
    this.choose(this.dice.length - 1);
  }

  remove() {
    this.dice.splice(this.chosen, 1);
    this.choose(Math.max(0, Math.min(this.chosen, this.dice.length - 1)));
  }
}
