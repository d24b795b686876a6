// The camera's picture, with the dice as places to tap: a tap chooses the nearest die.
import { h, s } from "../dom.js";
import { t } from "./words.js";

const REACH_PX = 26; // on the screen, so that fingers meet small dice too

export class PictureView {
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.image = h("img", { class: "camera", alt: t("picture") });
    this.dice = s("g", {});
    this.overlay = s("svg", { class: "overlay", role: "group", "aria-label": t("picture"), onclick: (event) => this.tapped(event) }, this.dice);
    this.element = h("div", { class: "view" }, this.image, this.overlay);
    this.version = 0;
    this.wanted = 0;
  }

  show(state) {
    this.state = state;
    this.overlay.setAttribute("viewBox", `0 0 ${state.size[0]} ${state.size[1]}`);
    if (state.version === this.wanted) return;
    this.wanted = state.version;
    this.element.classList.add("waiting");
    const next = new Image();
    next.src = state.picture;
    const put = () => {
      if (state.version !== this.wanted) return; // a newer one is on its way
      this.image.src = next.src;
      this.element.classList.remove("waiting");
      this.drawDice();
    };
    next.decode().then(put, put);
  }

  drawDice() {
    const focused = document.activeElement?.getAttribute?.("data-die");
    this.dice.replaceChildren(...this.state.dice.map((die) => this.die(die)));
    if (focused) this.dice.querySelector(`[data-die="${focused}"]`)?.focus({ preventScroll: true });
  }

  die(die) {
    const place = t("die", { body: t(`body.${die.body}`), colour: t(`colour.${die.colour}`), zone: t(`zone.${die.zone}`) });
    const label = `${place}: ${t(die.zone === "track" ? "die.aside" : "die.back")}`;
    const shape = die.top
      ? s("polygon", { points: die.top.map((corner) => corner.join(",")).join(" ") })
      : s("circle", { cx: die.centre[0], cy: die.centre[1], r: 26 });
    return s("g", {
      class: `die-place ${die.zone}`, role: "button", tabindex: 0, "aria-label": label, "data-die": String(die.index),
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.onchoose(die);
      },
    }, s("title", {}, label), shape, die.top ? null : s("text", { x: die.centre[0], y: die.centre[1] + 12, "text-anchor": "middle" }, "?"));
  }

  tapped(event) {
    const scale = this.state.size[0] / this.overlay.getBoundingClientRect().width;
    const matrix = this.overlay.getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    let nearest = null;
    let reach = Math.max(REACH_PX * scale, 34);
    for (const die of this.state.dice) {
      const distance = Math.hypot(die.centre[0] - point.x, die.centre[1] - point.y);
      if (distance < reach) [nearest, reach] = [die, distance];
    }
    if (nearest) this.onchoose(nearest);
  }
}
