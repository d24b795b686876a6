// The table's one button: pressed, held, or held very long, with a ring that shows how long.
import { h, s } from "../dom.js";
import { t } from "./words.js";

const SHORTEST_MS = 50; // a click may be shorter than any finger's tap
const AROUND = 2 * Math.PI * 45;

export class RoundButton {
  constructor(onrelease) {
    this.onrelease = onrelease;
    this.hold = { hold_ms: 800, long_hold_ms: 3000 };
    this.ring = s("circle", { class: "ring", cx: 50, cy: 50, r: 45, "stroke-dasharray": `0 ${AROUND}` });
    this.mark = s("line", { class: "ring-mark", x1: 50, y1: 1, x2: 50, y2: 10 });
    this.cap = h("button", { type: "button", class: "round-button", "aria-label": t("button"), "aria-describedby": "round-help" },
      s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" },
        s("circle", { class: "ring-bed", cx: 50, cy: 50, r: 45 }), this.ring, this.mark,
        s("circle", { class: "cap", cx: 50, cy: 50, r: 35 })));
    this.words = h("p", { class: "round-words", id: "round-help" }, t("button.help"));
    this.element = h("div", { class: "push" }, this.cap, this.words);
    this.since = null;
    this.listen();
  }

  /** Whether a press is what comes next. */
  want(wanted) {
    this.cap.classList.toggle("wanted", wanted);
  }

  limits(button) {
    this.hold = button;
    const angle = (button.hold_ms / button.long_hold_ms) * 360;
    this.mark.setAttribute("transform", `rotate(${angle.toFixed(1)} 50 50)`);
  }

  listen() {
    const isKey = (event) => event.key === " " || event.key === "Enter";
    this.cap.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.cap.setPointerCapture(event.pointerId);
      this.down(event);
    });
    this.cap.addEventListener("pointerup", (event) => this.up(event));
    this.cap.addEventListener("pointercancel", () => this.forget());
    this.cap.addEventListener("contextmenu", (event) => event.preventDefault());
    this.cap.addEventListener("keydown", (event) => {
      if (!isKey(event)) return;
      event.preventDefault();
      if (!event.repeat) this.down(event);
    });
    this.cap.addEventListener("keyup", (event) => isKey(event) && this.up(event));
    this.cap.addEventListener("blur", () => this.forget());
    // A click without pointer or key comes from assistive technology: it is a press.
    this.cap.addEventListener("click", (event) => {
      if (event.detail === 0 && event.pointerType === "") this.onrelease(SHORTEST_MS);
    });
  }

  /** How long it was held is told by the events' own times: a busy page learns of them late. */
  down({ timeStamp }) {
    this.since = timeStamp;
    this.cap.classList.add("down");
    this.turn();
  }

  up({ timeStamp }) {
    if (this.since === null) return;
    const heldMs = Math.round(timeStamp - this.since);
    this.forget();
    this.onrelease(Math.min(Math.max(heldMs, SHORTEST_MS), 60_000));
  }

  forget() {
    this.since = null;
    this.cap.classList.remove("down", "held", "long");
    this.ring.setAttribute("stroke-dasharray", `0 ${AROUND}`);
    this.words.textContent = t("button.help");
  }

  turn() {
    if (this.since === null) return;
    const heldMs = performance.now() - this.since;
    const share = Math.min(1, heldMs / this.hold.long_hold_ms);
    const long = heldMs >= this.hold.long_hold_ms;
    const held = heldMs >= this.hold.hold_ms;
    this.ring.setAttribute("stroke-dasharray", `${(share * AROUND).toFixed(1)} ${AROUND}`);
    this.cap.classList.toggle("held", held && !long);
    this.cap.classList.toggle("long", long);
    this.words.textContent = t(long ? "button.long" : held ? "button.hold" : "button.press");
    requestAnimationFrame(() => this.turn());
  }
}
