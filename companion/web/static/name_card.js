// Naming the card that lies in a holder: those met before at this table first, else built from its parts.
import { button, h } from "./dom.js";
import { ACTIONS, SHAPES, cardFace, cardName, shapeOf } from "./cards.js";
import { lookPicture } from "./card_seen.js";
import { cardChoice } from "./card_sheet.js";
import { anyColour, colourName, symbol } from "./colours.js";
import { fetchJson } from "./connection.js";
import { t } from "./words.js";

const FIRST_SHOWN = 12;
const MOST_POINTS = 12;
const DICE = 6;

/**
 * Opens the sheet for a holder; where its card is known already, naming it is a correction. What the camera makes of a card
 * that it has not met is filled in, to be looked over.
 */
export function openNameCard(app, holder) {
  const naming = new Naming(app, holder);
  app.sheets.open(naming);
  naming.load();
}

class Naming {
  constructor(app, holder) {
    this.app = app;
    this.holder = holder;
    this.known = null;
    this.shape = null; // only known cards of this shape are offered
    this.all = false;
    this.building = false;
    this.groups = [[3, null]];
    this.points = 1;
    this.saidPoints = false; // until somebody says so, a shape is worth what it usually is
    this.action = null;
    const question = this.question(app.snapshot);
    if (question?.why === "new" && question.guess) Object.assign(this, { building: true, saidPoints: true, ...question.guess });
  }

  question({ game }) {
    return game?.holders[this.holder].question ?? null;
  }

  async load() {
    const told = await fetchJson("/api/cards");
    this.known = told?.cards ?? [];
    this.app.sheets.draw();
  }

  title() {
    return t("name.title", { holder: t(`holder.${this.holder}`) });
  }

  fits(snapshot) {
    return Boolean(snapshot.game) && snapshot.phase !== "over" && snapshot.game.holders[this.holder].standing !== "empty";
  }

  body(snapshot, sheet) {
    const { game } = snapshot;
    const question = this.question(snapshot);
    return [
      question?.look && h("div", { class: "row top" }, lookPicture(question.look, this.holder),
        h("p", {}, t(this.building && question.guess ? "name.check_guess" : "name.learns"))),
      ...(this.building ? this.builder(game, sheet) : this.choices(game, sheet)),
    ];
  }

  send(card, sheet) {
    return sheet.send({ type: "name_card", holder: this.holder, card });
  }

  set(sheet, changes) {
    Object.assign(this, changes);
    sheet.draw();
  }

  turnTo(sheet, changes) {
    Object.assign(this, changes);
    sheet.turnPage();
  }

  choices(game, sheet) {
    const fitting = (this.known ?? []).filter((card) => !this.shape || shapeOf(card) === this.shape);
    const shown = this.all || this.shape ? fitting : fitting.slice(0, FIRST_SHOWN);
    return [
      h("div", { class: "chips", role: "group", "aria-label": t("name.shape") },
        SHAPES.map(([key, sizes]) =>
          this.shapeChip(key, sizes, this.shape === key, () => this.set(sheet, { shape: this.shape === key ? null : key })))),
      this.known === null
        ? h("p", { class: "fine" }, t("loading"))
        : h("div", { class: "card-grid" },
            shown.map((card, index) => cardChoice(card, game.colours, () => this.send(card, sheet), { focus: `known-${index}` }))),
      shown.length < fitting.length && button(t("name.all", { n: fitting.length }), () => this.set(sheet, { all: true }), { focus: "all" }),
      button(t("name.build"), () => this.turnTo(sheet, { building: true, ...this.withWorth(this.groupsOfShape()) }), { look: "wide", focus: "build" }),
    ];
  }

  /** These groups, and what most known cards like them are worth: with as many groups of any colour, else of their shape. */
  withWorth(groups) {
    if (this.saidPoints) return { groups };
    const alike = (kind) => (this.known ?? []).filter((card) => kind(card.groups) === kind(groups)).map(({ points }) => points);
    const exactly = alike((all) => all.map(([size, colour]) => `${size}${colour === null}`).sort().join());
    const worth = exactly.length ? exactly : alike((all) => shapeOf({ groups: all }));
    const times = (points) => worth.filter((other) => other === points).length;
    return { groups, points: worth.reduce((best, points) => (times(points) > times(best) ? points : best), worth[0] ?? this.points) };
  }

  groupsOfShape() {
    const sizes = SHAPES.find(([key]) => key === this.shape)?.[1] ?? [3];
    return sizes.map((size) => [size, null]);
  }

  setPoints(sheet, points) {
    this.set(sheet, { points, saidPoints: true });
  }

  shapeChip(key, sizes, chosen, onclick) {
    return h("button", { type: "button", class: `chip${chosen ? " chosen" : ""}`, onclick, "aria-pressed": String(chosen),
      "data-focus": `shape-${key}` },
      h("span", { class: "dots", "aria-hidden": "true" }, sizes.join("+")), t(`shape.${key}`));
  }

  builder(game, sheet) {
    const card = { groups: this.groups, points: this.points, action: this.action };
    const sizes = this.groups.map(([size]) => size).join();
    const total = this.groups.reduce((sum, [size]) => sum + size, 0);
    return [
      h("div", { class: "chips", role: "group", "aria-label": t("name.shape") },
        SHAPES.map(([key, shape]) =>
          this.shapeChip(key, shape, shape.join() === sizes, () => this.set(sheet, this.withWorth(shape.map((size) => [size, null])))))),
      this.groups.map((group, index) => this.groupRow(game, sheet, group, index)),
      total < DICE && button(t("name.add_group"), () => this.set(sheet, { groups: [...this.groups, [1, null]] }), { look: "quiet", focus: "add-group" }),
      h("div", { class: "row" }, h("span", { class: "strong" }, t("name.points")),
        button("−", () => this.setPoints(sheet, Math.max(0, this.points - 1)), { look: "round", "aria-label": t("name.fewer"), focus: "fewer" }),
        h("output", { class: "big", "aria-live": "polite" }, String(this.points)),
        button("+", () => this.setPoints(sheet, Math.min(MOST_POINTS, this.points + 1)), { look: "round", "aria-label": t("name.more"), focus: "more" })),
      h("div", { class: "chips", role: "group", "aria-label": t("name.action") },
        ACTIONS.map((action) =>
          h("button", { type: "button", class: `chip${this.action === action ? " chosen" : ""}`, "aria-pressed": String(this.action === action),
            "data-focus": `action-${action}`, onclick: () => this.set(sheet, { action }) }, t(`action.${action ?? "none"}`)))),
      h("div", { class: "row top" }, cardFace(card, game.colours), h("p", {}, cardName(card))),
      button(t("name.this"), () => this.send(card, sheet), { look: "primary wide", focus: "this" }),
      button(t("name.back"), () => this.turnTo(sheet, { building: false }), { look: "quiet wide", focus: "back" }),
    ];
  }

  groupRow(game, sheet, [size, colour], index) {
    const put = (group) => this.set(sheet, this.withWorth(this.groups.map((old, place) => (place === index ? group : old))));
    const others = this.groups.reduce((sum, [other], place) => sum + (place === index ? 0 : other), 0);
    return h("div", { class: "group-row", role: "group", "aria-label": t("name.group", { count: size }) },
      h("div", { class: "row" },
        button("−", () => put([size - 1, colour]), { look: "round", "aria-label": t("name.fewer_dice"), focus: `smaller-${index}`, disabled: size <= 1 }),
        h("output", { class: "big" }, String(size)),
        button("+", () => put([size + 1, colour]), { look: "round", "aria-label": t("name.more_dice"), focus: `larger-${index}`, disabled: others + size >= DICE }),
        this.groups.length > 1 && button("✕", () => this.set(sheet, { groups: this.groups.filter((_, place) => place !== index) }),
          { look: "quiet round", "aria-label": t("name.remove_group"), focus: `remove-${index}` })),
      h("div", { class: "swatches" },
        [null, ...game.colours].map((choice) =>
          h("button", { type: "button", class: `swatch${choice === colour ? " chosen" : ""}`, onclick: () => put([size, choice]),
            "aria-pressed": String(choice === colour), "data-focus": `group-${index}-${choice}`,
            "aria-label": choice === null ? t("name.any_colour") : colourName(choice) },
            choice === null ? anyColour() : symbol(choice, game.colours)))));
  }
}
