// One die in the picture as a place to tap. The element lasts while the die moves: a tap that is begun on one
// element and ended on another, drawn anew in between, would not count.
import { s } from "../dom.js";
import { t } from "./words.js";

const HIDDEN_RADIUS = 26; // in pixels of the picture, for a die that is out of sight

export class DiePlace {
  /** `onchoose` is told when the die is chosen by key. */
  constructor(index, onchoose) {
    this.title = s("title", {});
    this.outline = s("polygon", {});
    this.circle = s("circle", { r: HIDDEN_RADIUS });
    this.mark = s("text", { "text-anchor": "middle" }, "?");
    this.element = s("g", {
      role: "button", tabindex: 0, "data-die": String(index),
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onchoose();
      },
    }, this.title, this.outline, this.circle, this.mark);
  }

  /** `isComing` where the picture does not show yet how the die lies now. */
  show(die, isComing) {
    const place = t("die", { body: t(`body.${die.body}`), colour: t(`colour.${die.colour}`), zone: t(`zone.${die.zone}`) });
    const label = `${place}: ${t(die.zone === "track" ? "die.aside" : "die.back")}`;
    const [x, y] = die.centre;
    this.title.textContent = label;
    set(this.element, { class: `die-place ${die.zone}${isComing ? " coming" : ""}`, "aria-label": label });
    set(this.outline, { points: (die.top ?? []).map((corner) => corner.join(",")).join(" ") });
    set(this.circle, { cx: x, cy: y, visibility: die.top ? "hidden" : "visible" });
    set(this.mark, { x, y: y + 12, visibility: die.top ? "hidden" : "visible" });
  }

  /** The tap shows on the die before anything else does. */
  tap() {
    this.element.classList.add("tapped");
  }
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}
