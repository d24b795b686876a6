// What can go wrong at a real table, to be tried: lamp, camera, hand, dice.
import { button, h } from "../dom.js";
import { t } from "./words.js";

const LAMPS = ["normal", "dim", "off", "bright", "warm", "cold"];
const CAMERAS = ["still", "nudged", "bumped", "unplugged"];
const DEEDS = ["lean", "lose", "cheat", "tidy"];

/** The panel; `post(path, body)` hands a wish to the demo. */
export function mischiefPanel(post) {
  const choice = (name, words, values) =>
    h("label", { class: "field" }, t(`mischief.${name}`),
      h("select", { "data-mischief": name, onchange: (event) => post("mischief", { [name]: event.target.value }) },
        values.map((value) => h("option", { value }, t(`${words}.${value}`)))));
  return h("details", { class: "drawer", name: "drawer" },
    h("summary", { class: "button" }, t("mischief")),
    h("div", { class: "drawer-body" },
      h("p", { class: "fine" }, t("mischief.is")),
      h("div", { class: "mischief" },
        choice("lamp", "lamp", LAMPS),
        choice("camera", "camera", CAMERAS),
        h("label", { class: "check" },
          h("input", { type: "checkbox", "data-mischief": "hand", onchange: (event) => post("mischief", { hand: event.target.checked }) }),
          t("mischief.hand")),
        DEEDS.map((deed) => button(t(`mischief.${deed}`), () => post("mischief", { do: deed }), { look: "small" })))));
}

/** Brings the panel's fields to what is true now. */
export function showMischief(panel, state) {
  for (const field of panel.querySelectorAll("[data-mischief]")) {
    const value = state.mischief[field.getAttribute("data-mischief")];
    if (field.type === "checkbox") field.checked = value;
    else if (document.activeElement !== field) field.value = value;
  }
}
