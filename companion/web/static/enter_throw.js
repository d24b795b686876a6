// A whole throw typed by hand: which dice were kept, and what the others show.
import { button, h } from "./dom.js";
import { DiceEditor } from "./dice_editor.js";
import { dieButton } from "./dice.js";
import { t } from "./words.js";

const BODIES = ["white", "white", "white", "white", "black", "black"];

/** Opens the sheet for the next throw. */
export function openEnterThrow(app) {
  app.sheets.open(new Entering(app));
}

class Entering {
  constructor(app) {
    const { game } = app.snapshot;
    this.app = app;
    this.moment = momentOf(app.snapshot);
    // Dice can be kept where some lie there, but not before throws that begin anew.
    this.before = game.dice && (game.throw_number > 0 || game.inherited) ? game.dice : null;
    this.kept = new Set(this.before ? [...this.before.keys()].filter((index) => game.throw_number > 0 && this.before[index].kept) : []);
    this.editor = null;
    if (!this.before) this.begin(game);
  }

  title() {
    return t("enter.title");
  }

  fits(snapshot) {
    return Boolean(snapshot.game) && momentOf(snapshot) === this.moment && !["over", "action"].includes(snapshot.phase);
  }

  begin(game) {
    const dice = this.before
      ? this.before.map((die, index) => (this.kept.has(index) ? { ...die, kept: true } : { body: die.body, colour: null, kept: false }))
      : BODIES.map((body) => ({ body, colour: null, kept: false }));
    const first = dice.findIndex((die) => die.colour === null);
    this.editor = new DiceEditor({ dice, colours: game.colours, before: this.before, picture: null,
      redraw: () => this.app.sheets.draw(), chosen: Math.max(0, first), coloursOnly: true });
  }

  body({ game }, sheet) {
    if (!this.editor) return this.chooseKept(game, sheet);
    return [
      h("p", {}, t("enter.colours")),
      this.editor.draw(),
      button(t("enter.use"), () => sheet.send({ type: "enter_throw", dice: this.editor.result() }), {
        look: "primary wide", focus: "use", disabled: this.editor.trouble() !== null }),
      this.before && button(t("name.back"), () => {
        this.editor = null;
        sheet.draw();
      }, { look: "quiet wide", focus: "back" }),
    ];
  }

  chooseKept(game, sheet) {
    const toggle = (index) => {
      if (this.kept.has(index)) this.kept.delete(index);
      else this.kept.add(index);
      sheet.draw();
    };
    return [
      h("p", {}, t(game.inherited ? "enter.which_inherited" : "enter.which_kept")),
      h("div", { class: "dice edit", role: "group", "aria-label": t("dice.label") },
        this.before.map((die, index) =>
          dieButton({ ...die, kept: this.kept.has(index) }, game.colours, () => toggle(index), { chosen: this.kept.has(index), focus: `keep-${index}` }))),
      button(t("enter.thrown", { n: 6 - this.kept.size }), () => {
        this.begin(game);
        sheet.draw();
      }, { look: "primary wide", focus: "next", disabled: this.kept.size === 6 }),
    ];
  }
}

function momentOf({ game }) {
  return game ? JSON.stringify([game.id, game.seat, game.throw_number, game.dice]) : "";
}
