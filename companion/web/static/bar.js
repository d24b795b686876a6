// The bar at the bottom, always in reach: undo, the button, and all the rest.
import { button, h } from "./dom.js";
import { openEnterThrow } from "./enter_throw.js";
import { openMenu } from "./menu.js";
import { shortly } from "./said.js";
import { t } from "./words.js";

/** The regions of the bar. */
export function bar(app) {
  const { undo, redo, phase, game, health } = app.snapshot;
  const noCamera = health?.camera?.state === "absent";
  return [
    ["undo", undo, () => undo && button([h("span", { class: "arrow", "aria-hidden": "true" }, "↶"),
      h("span", {}, t("do.undo"), h("small", {}, shortly(undo)))], () => app.send({ type: "undo" }), { look: "bar-button", focus: "undo" })],
    ["redo", redo, () => redo && button([h("span", { class: "arrow", "aria-hidden": "true" }, "↷"),
      h("span", {}, t("do.redo"), h("small", {}, shortly(redo)))], () => app.send({ type: "redo" }), { look: "bar-button", focus: "redo" })],
    ["press", [phase, Boolean(game), noCamera], () => press(app, phase, game, noCamera)],
    ["menu", 0, () => button([h("span", { "aria-hidden": "true" }, "☰"), h("span", { class: "visually-hidden" }, t("menu.title"))],
      () => openMenu(app), { look: "bar-button round", focus: "menu" })],
  ];
}

function press(app, phase, game, noCamera) {
  if (!game || !["throw", "decide"].includes(phase)) return null;
  if (noCamera) return button(t("do.by_hand"), () => openEnterThrow(app), { look: "primary press", focus: "press" });
  return button(t("do.press"), () => app.send({ type: "press" }), { look: "primary press", focus: "press" });
}
