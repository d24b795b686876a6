// What can go wrong at a real table, to be tried: lamp, camera, hand, dice; and who names the cards.
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
  return h("div", { class: "extras" },
    h("label", { class: "check" },
      h("input", { type: "checkbox", "data-dealer": true, onchange: (event) => post("dealer", { names_cards: event.target.checked }) }),
      t("dealer")),
    h("p", { class: "fine" }, t("dealer.help")),
    h("details", {},
      h("summary", {}, t("mischief")),
      h("div", { class: "mischief" },
        choice("lamp", "lamp", LAMPS),
        choice("camera", "camera", CAMERAS),
        h("label", { class: "check" },
          h("input", { type: "checkbox", "data-mischief": "hand", onchange: (event) => post("mischief", { hand: event.target.checked }) }),
          t("mischief.hand")),
        DEEDS.map((deed) => button(t(`mischief.${deed}`), () => post("mischief", { do: deed }), { look: "small" })))),
    h("p", { class: "fine" }, t("about")));
}

/** Brings the panel's fields to what is true now. */
export function showMischief(panel, state) {
  for (const field of panel.querySelectorAll("[data-mischief]")) {
    const value = state.mischief[field.getAttribute("data-mischief")];
    if (field.type === "checkbox") field.checked = value;
    else if (document.activeElement !== field) field.value = value;
  }
  panel.querySelector("[data-dealer]").checked = state.names_cards;
}
