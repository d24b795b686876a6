// What can go wrong at a real table, to be tried: lamp, camera, hand, dice.
import { button, h } from "../dom.js";
import { t } from "./words.js";

const LAMPS = ["normal", "dim", "off", "bright", "warm", "cold"];
const CAMERAS = ["still", "nudged", "bumped", "unplugged"];
const isFlat = (die) => die.zone === "track" && !die.leans;
/** What can be done to the dice, and to which of them. */
const DEEDS = {
  lean: isFlat,
  lose: isFlat,
  cheat: (die) => die.zone === "reserve",
  tidy: (die) => die.leans || die.zone === "tower",
};

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
        Object.keys(DEEDS).map((deed) => [
          button(t(`mischief.${deed}`), () => post("mischief", { do: deed }), { look: "small", "data-deed": deed }),
          deed === "cheat" && h("p", { class: "fine", "data-none-kept": "" }, t("mischief.none_kept"))]))));
}

/** Brings the panel's fields to what is true now; what no die is there for can not be done. */
export function showMischief(panel, state) {
  for (const deed of panel.querySelectorAll("[data-deed]")) deed.disabled = !state.dice.some(DEEDS[deed.getAttribute("data-deed")]);
  panel.querySelector("[data-none-kept]").hidden = state.dice.some(DEEDS.cheat);
  for (const field of panel.querySelectorAll("[data-mischief]")) {
    const value = state.mischief[field.getAttribute("data-mischief")];
    if (field.type === "checkbox") field.checked = value;
    else if (document.activeElement !== field) field.value = value;
  }
}
