// The three LEDs, lit and dark in time: over the picture where they sit, and below it with their meaning.
import { h, s } from "../dom.js";
import { t } from "./words.js";

export class Bulbs {
  constructor(overlay) {
    this.lamps = [0, 1, 2].map((holder) => new Bulb(holder, overlay));
    this.element = h("ul", { class: "bulbs" }, this.lamps.map((lamp) => lamp.element));
  }

  show(leds) {
    leds.forEach((led, holder) => this.lamps[holder].show(led));
  }
}

class Bulb {
  constructor(holder, overlay) {
    this.holder = holder;
    this.dot = s("circle", { class: "bulb-dot", r: 13 });
    this.glow = s("circle", { class: "bulb-glow", r: 34 });
    overlay.append(s("g", { class: "bulb-place", "aria-hidden": "true" }, this.glow, this.dot));
    this.light = h("span", { class: "bulb", "aria-hidden": "true" });
    this.words = h("span", {});
    this.element = h("li", {}, this.light, this.words);
    this.timer = null;
    this.key = "";
  }

  show(led) {
    for (const circle of [this.dot, this.glow]) {
      circle.setAttribute("cx", led.place[0]);
      circle.setAttribute("cy", led.place[1]);
    }
    const began = performance.now() - led.age_ms;
    // The same pattern goes on in step; a pattern begun anew is begun anew.
    const same = this.led?.pattern === led.pattern && Math.abs(began - this.began) < 400;
    if (same) return;
    this.led = led;
    this.began = began;
    this.words.textContent = t("led", { holder: this.holder + 1, state: t(`led.${led.pattern}`) });
    this.element.dataset.pattern = led.pattern;
    this.step();
  }

  step() {
    clearTimeout(this.timer);
    const [lit, forMs] = this.now();
    for (const part of [this.light, this.dot, this.glow]) part.classList.toggle("lit", lit);
    if (forMs !== null) this.timer = setTimeout(() => this.step(), forMs + 4);
  }

  /** Whether it is lit now, and for how many milliseconds; null: from now on. */
  now() {
    const { steps, repeats } = this.led;
    const length = steps.reduce((sum, [ms]) => sum + ms, 0);
    const since = Math.max(0, performance.now() - this.began);
    if (!repeats && since >= length) return [false, null];
    let within = since % length;
    for (const [ms, lit] of steps) {
      if (within < ms) return [lit, steps.length === 1 ? null : ms - within];
      within -= ms;
    }
    return [false, null];
  }
}
