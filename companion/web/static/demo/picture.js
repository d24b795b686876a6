// The camera's picture, with the dice as places to tap: a tap chooses the nearest die.
import { h, s } from "../dom.js";
import { DiePlace } from "./die_place.js";
import { t } from "./words.js";

const REACH_PX = 26; // on the screen, so that fingers meet small dice too

export class PictureView {
  /** `onchoose` is given the die that is tapped, `onshown` told when the newest picture is there. */
  constructor(onchoose, onshown) {
    this.onchoose = onchoose;
    this.onshown = onshown;
    this.image = h("img", { class: "camera", alt: t("picture") });
    this.dice = s("g", {});
    this.places = []; // one for each die, by its index
    this.overlay = s("svg", { class: "overlay", role: "group", "aria-label": t("picture"), onclick: (event) => this.tapped(event) }, this.dice);
    this.element = h("div", { class: "view" }, this.image, this.overlay);
    this.wanted = 0; // the version asked for
    this.there = 0; // the version shown
    this.lay = []; // the dice as the shown picture has them
  }

  /** Whether a picture is on its way. */
  get isComing() {
    return this.wanted !== this.there;
  }

  /** Something is about to change: the picture says at once that it is an old one. */
  wait() {
    this.element.classList.add("waiting");
  }

  show(state) {
    this.state = state;
    this.overlay.setAttribute("viewBox", `0 0 ${state.size[0]} ${state.size[1]}`);
    if (state.version === this.wanted) return;
    this.wanted = state.version;
    this.wait();
    this.drawDice();
    const next = new Image();
    next.src = state.picture;
    const put = () => {
      if (state.version !== this.wanted) return; // a newer one is on its way
      this.image.src = next.src;
      this.there = state.version;
      this.lay = state.dice;
      this.drawDice();
      this.onshown();
    };
    next.decode().then(put, put);
  }

  /** Outlines the dice; those that the picture does not show yet where they lie now are seen to come. */
  drawDice() {
    const { dice } = this.state;
    while (this.places.length > dice.length) this.places.pop().element.remove();
    for (const die of dice.slice(this.places.length)) {
      const place = new DiePlace(die.index, () => this.choose(this.state.dice[die.index]));
      this.places.push(place);
      this.dice.append(place.element);
    }
    this.places.forEach((place, index) => place.show(dice[index], this.lay.length > 0 && !isSame(dice[index], this.lay[index])));
  }

  choose(die) {
    this.places[die.index].tap();
    this.onchoose(die);
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
    if (nearest) this.choose(nearest);
  }
}

function isSame(one, other) {
  return other && one.colour === other.colour && Math.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1]) < 1;
}
