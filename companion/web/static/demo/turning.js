// The black-dice change at the table: of the dice just set aside, the last one may be turned, and turned back.
import { symbol } from "../colours.js";
import { button, h, Regions } from "../dom.js";
import { t } from "./words.js";

export class Turning {
  /** `post(body)` moves or turns a die at the demo. */
  constructor(post) {
    this.post = post;
    this.element = h("div", { class: "change", role: "group", "aria-label": t("change.label"), hidden: true });
    this.regions = new Regions(this.element);
    this.moment = null; // the throw that the change belongs to
    this.aside = []; // dice set aside since then, the last one last
    this.turned = null; // {index, was}
  }

  /** Whether dice were set aside since the throw. */
  get isSettingAside() {
    return this.aside.length > 0;
  }

  /** A die is tapped: it goes to the reserve or comes back, and never keeps a colour there that it was not thrown with. */
  tapped(die) {
    this.aside = this.aside.filter((index) => index !== die.index);
    if (die.zone === "track") this.aside.push(die.index);
    if (this.turned?.index === die.index) this.turnBack();
    this.post({ index: die.index });
  }

  turn(die, colour) {
    this.turned = { index: die.index, was: die.colour };
    this.post({ index: die.index, colour });
  }

  turnBack() {
    const { index, was } = this.turned;
    this.turned = null;
    this.post({ index, colour: was });
  }

  /** Shows the choice while the table allows the change and a die is set aside; it takes the hint's place, so that nothing moves. */
  show(state, game) {
    const moment = game ? JSON.stringify([game.id, game.seat, game.throw_number, game.change_open]) : null;
    if (moment !== this.moment) Object.assign(this, { moment, aside: [], turned: null });
    const open = Boolean(game?.change_open);
    const last = this.turned?.index ?? this.aside.at(-1);
    const die = open && last !== undefined ? state.dice[last] : null;
    const there = die?.zone === "reserve" && !state.unread;
    this.element.hidden = !there;
    this.regions.show(there ? [["turn", [die.index, die.body, die.colour, this.turned], () => this.draw(die, state.colours)]] : []);
  }

  draw(die, colours) {
    const names = { body: t(`body.${die.body}`), colour: t(`colour.${die.colour}`) };
    if (this.turned) {
      return h("div", { class: "row" },
        h("p", {}, t("change.turned", { ...names, was: t(`colour.${this.turned.was}`) })),
        button(t("change.back"), () => this.turnBack(), { focus: "turn-back" }));
    }
    return h("div", { class: "row" },
      h("p", {}, t("change.ask", names)),
      colours.filter((colour) => colour !== die.colour).map((colour) =>
        button(symbol(colour, colours), () => this.turn(die, colour),
          { look: "round", "aria-label": t("change.to", { colour: t(`colour.${colour}`) }), title: t(`colour.${colour}`), focus: `turn-${colour}` })));
  }
}
