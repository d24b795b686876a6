// What the button took back, or why it did nothing, for a moment on the picture: eyes are there, and on a phone the
// scoreboard that tells it is behind a tab.
import { h } from "../dom.js";
import { fresh, sentence } from "../said.js";

const SHOWN_MS = 6000;
const OF_THE_BUTTON = ["undone", "not_now"];

export class Told {
  /** The line lies on `picture`, an element. */
  constructor(picture) {
    // Screen readers are told by the scoreboard.
    this.line = h("p", { class: "told", "aria-hidden": "true", hidden: true });
    this.timer = null;
    picture.append(this.line);
  }

  follow(before, after) {
    if (!after) return;
    const news = fresh(before, after).filter(({ key }) => OF_THE_BUTTON.includes(key));
    if (!news.length) return;
    this.line.textContent = news.map(sentence).join(" ");
    this.line.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.line.hidden = true), SHOWN_MS);
  }
}
