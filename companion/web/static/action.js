// A won card's action: choose the player, draw (by hand or by the companion), and choose what to give.
import { button, h } from "./dom.js";
import { sameCard } from "./cards.js";
import { cardChoice } from "./card_sheet.js";
import { drawnBy, handOf } from "./hand.js";
import { t } from "./words.js";

/** Opens the action that the player to move owes. */
export function openAction(app) {
  const step = new ActionTask(app);
  app.sheets.open(step);
  step.load();
}

class ActionTask {
  constructor(app) {
    this.app = app;
    this.other = null; // the seat drawn from
    this.drawn = null; // the card drawn, by hand or by the companion
    this.naming = false;
    this.theirs = null;
    this.own = null;
    this.owed = JSON.stringify(app.snapshot.game.owed?.seats);
  }

  title({ game }) {
    return t(`action.${game.owed.action}`);
  }

  fits(snapshot) {
    const owed = snapshot.game?.owed;
    // After one exchange of a super exchange the next begins from the start.
    if (owed && JSON.stringify(owed.seats) !== this.owed) return false;
    return Boolean(owed);
  }

  async load() {
    const { owed } = this.app.snapshot.game;
    if (owed.drawn_from !== null) this.other = owed.drawn_from;
    else if (owed.seats.length === 1 || owed.action === "super_exchange") this.other = owed.seats[0];
    if (owed.action !== "theft") await this.fetchOwn();
    this.app.sheets.draw();
  }

  async fetchOwn() {
    const { seat, owed } = this.app.snapshot.game;
    this.own = await handOf(this.app, seat);
    if (owed?.drawn_from !== null) this.drawn = await drawnBy(this.app, seat);
  }

  body({ game }, sheet) {
    const { owed } = game;
    if (owed.drawn_from !== null) this.other = owed.drawn_from;
    if (this.other === null) return this.chooseOther(game, sheet);
    if (owed.drawn_from === null && this.drawn === null) {
      return this.naming ? this.nameDrawn(game, sheet) : this.chooseDraw(game, sheet);
    }
    return this.chooseGift(game, sheet);
  }

  chooseOther(game, sheet) {
    return [
      h("p", {}, t("act.whom")),
      game.owed.seats.map((seat) =>
        button([h("b", {}, game.players[seat].name), " ", h("small", {}, t("cards", { n: game.players[seat].cards }))], () => {
          this.other = seat;
          sheet.draw();
        }, { look: "wide", focus: `whom-${seat}` })),
    ];
  }

  chooseDraw(game, sheet) {
    const name = game.players[this.other].name;
    return [
      h("p", {}, t("act.draw", { name })),
      button(t("act.companion"), () => this.draw(sheet), { look: "primary wide", focus: "companion" }),
      button(t("act.by_hand"), async () => {
        this.naming = true;
        this.theirs = await handOf(this.app, this.other);
        sheet.draw();
      }, { look: "wide", focus: "by-hand" }),
      game.owed.seats.length > 1 && game.owed.action !== "super_exchange" &&
        button(t("act.someone_else"), () => {
          this.other = null;
          sheet.draw();
        }, { look: "quiet wide", focus: "other" }),
    ];
  }

  async draw(sheet) {
    const theft = this.app.snapshot.game.owed.action === "theft";
    const intent = { type: "draw", other: this.other };
    if (theft) return sheet.send(intent);
    // An exchange goes on in this sheet: what was drawn is shown, then something is given.
    const outcome = await this.app.send(intent);
    if (outcome.accepted) {
      await this.fetchOwn();
      sheet.draw();
    }
    return outcome;
  }

  nameDrawn(game, sheet) {
    return [
      h("p", {}, t("act.which", { name: game.players[this.other].name })),
      this.theirs === null ? h("p", { class: "fine" }, t("loading")) : grid(this.theirs, game, (card) => this.named(game, sheet, card)),
      button(t("name.back"), () => {
        this.naming = false;
        sheet.draw();
      }, { look: "quiet wide", focus: "back" }),
    ];
  }

  async named(game, sheet, card) {
    if (game.owed.action === "theft") return sheet.send({ type: "steal", victim: this.other, card });
    this.drawn = card;
    sheet.draw();
    return null;
  }

  chooseGift(game, sheet) {
    const name = game.players[this.other].name;
    const { drawn } = this;
    return [
      drawn && h("div", { class: "row top" }, h("div", { class: "card-grid one" }, cardChoice(drawn, game.colours, null)), h("p", {}, t("act.drawn", { name }))),
      h("p", { class: "strong" }, t("act.give", { name })),
      this.own === null || drawn === null
        ? h("p", { class: "fine" }, t("loading"))
        : grid(this.own, game, (card) => sheet.send({ type: "exchange", other: this.other, received: drawn, given: card })),
    ];
  }
}

/** Each different card once, with how many there are. */
function grid(cards, game, choose) {
  const kinds = [];
  for (const card of cards) {
    const kind = kinds.find((other) => sameCard(other.card, card));
    if (kind) kind.count += 1;
    else kinds.push({ card, count: 1 });
  }
  return h("div", { class: "card-grid" },
    kinds.map(({ card, count }, index) =>
      cardChoice(card, game.colours, () => choose(card), { focus: `choice-${index}`, count })));
}
