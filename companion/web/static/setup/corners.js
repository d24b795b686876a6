// The zones over the camera's picture: corners that are dragged, or moved by the arrow keys.
import { h, s } from "../dom.js";
import { t } from "../words.js";

const STEP_PX = 2;
const FAR_PX = 16; // with Shift
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const CORNERS = ["nw", "ne", "se", "sw"];

/** What a zone is where nobody has said so yet, as parts of the picture: [left, top, right, bottom]. */
const USUAL = {
  track: [0.3, 0.38, 0.75, 0.78],
  reserve: [0.3, 0.84, 0.75, 0.96],
  holder0: [0.3, 0.08, 0.44, 0.34],
  holder1: [0.455, 0.08, 0.595, 0.34],
  holder2: [0.61, 0.08, 0.75, 0.34],
};

export class Corners {
  constructor(onmove) {
    this.onmove = onmove;
    this.size = [4, 3];
    this.quads = {}; // zone → four corners, in pixels of the picture
    this.overlay = s("svg", { class: "corners", role: "group", "aria-label": t("setup.corners") });
    this.dragged = null;
    this.overlay.addEventListener("pointermove", (event) => this.drag(event));
    this.overlay.addEventListener("pointerup", () => { this.dragged = null; });
    this.overlay.addEventListener("pointercancel", () => { this.dragged = null; });
  }

  /** Takes the zones of a `zones.json`; its pixels are of its own size. */
  take(zones, size) {
    this.size = size;
    this.quads = {};
    if (zones) {
      const scale = [size[0] / zones.size[0], size[1] / zones.size[1]];
      const fitted = (quad) => quad.map(([x, y]) => [x * scale[0], y * scale[1]]);
      this.quads.track = fitted(zones.track);
      if (zones.reserve) this.quads.reserve = fitted(zones.reserve);
      (zones.holders ?? []).forEach((quad, index) => { this.quads[`holder${index}`] = fitted(quad); });
    } else {
      for (const zone of Object.keys(USUAL)) this.add(zone);
    }
    this.draw();
  }

  has(zone) {
    return zone in this.quads;
  }

  /** Puts zones where they usually are, or takes them away. */
  set(zones, wanted) {
    for (const zone of zones) {
      if (!wanted) delete this.quads[zone];
      else if (!this.has(zone)) this.add(zone);
    }
    this.draw();
  }

  /** Where the track is known the others lie as usual beside it, however the camera sees it. */
  add(zone) {
    const [left, top, right, bottom] = USUAL[zone];
    const corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
    const [width, height] = this.size;
    const place = this.quads.track ? besideTrack(this.quads.track) : ([x, y]) => [x * width, y * height];
    this.quads[zone] = corners.map(place).map(([x, y]) => [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))]);
  }

  /** Lets the next corner be the north-west one, for a camera that is mounted turned. */
  turn() {
    for (const quad of Object.values(this.quads)) quad.push(quad.shift());
    this.draw();
  }

  /** As in `zones.json`, with the true sizes. */
  zones(sizes) {
    const listed = (zone) => this.quads[zone].map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);
    const holders = Object.keys(this.quads).filter((zone) => zone.startsWith("holder")).sort();
    return {
      track: listed("track"), track_mm: sizes.track_mm, die_mm: sizes.die_mm,
      ...(this.has("reserve") ? { reserve: listed("reserve"), reserve_mm: sizes.reserve_mm } : {}),
      ...(holders.length ? { holders: holders.map(listed) } : {}),
    };
  }

  draw() {
    const [width, height] = this.size;
    const focus = document.activeElement?.getAttribute?.("data-corner");
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const reach = width * 0.022;
    this.overlay.replaceChildren(
      ...Object.entries(this.quads).map(([zone, quad]) => s("polygon", { class: `zone ${zone}`, points: quad.map(String).join(" ") })),
      ...Object.entries(this.quads).flatMap(([zone, quad]) => quad.map((corner, index) => this.handle(zone, corner, index, reach))));
    if (focus) this.overlay.querySelector(`[data-corner="${focus}"]`)?.focus({ preventScroll: true });
  }

  handle(zone, [x, y], index, reach) {
    const label = t("setup.corner", { zone: t(`setup.zone.${zone}`), corner: t(`setup.corner.${CORNERS[index]}`) });
    return s("g", { class: `handle ${zone}${index === 0 ? " first" : ""}`, tabindex: 0, role: "button", "aria-label": label, "data-corner": `${zone}-${index}`,
      onpointerdown: (event) => {
        this.dragged = [zone, index];
        this.overlay.setPointerCapture(event.pointerId);
        event.preventDefault();
      },
      onkeydown: (event) => {
        const way = KEYS[event.key];
        if (!way) return;
        event.preventDefault();
        const far = event.shiftKey ? FAR_PX : STEP_PX;
        this.move(zone, index, [x + way[0] * far, y + way[1] * far]);
      } },
    s("circle", { class: "reach", cx: x, cy: y, r: reach }),
    s("circle", { class: "dot", cx: x, cy: y, r: reach * 0.38 }));
  }

  drag(event) {
    if (!this.dragged) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.overlay.getScreenCTM().inverse());
    this.move(...this.dragged, [point.x, point.y]);
  }

  move(zone, index, [x, y]) {
    const [width, height] = this.size;
    this.quads[zone][index] = [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
    this.draw();
    this.onmove?.();
  }
}

/** Gives what puts a place of the usual picture where it belongs for this track: the perspective that takes the usual track there. */
function besideTrack([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [left, top, right, bottom] = USUAL.track;
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const turn = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / turn;
  const k = (dx1 * dy3 - dx3 * dy1) / turn;
  return ([x, y]) => {
    const [u, v] = [(x - left) / (right - left), (y - top) / (bottom - top)];
    const depth = g * u + k * v + 1;
    return [((x1 - x0 + g * x1) * u + (x3 - x0 + k * x3) * v + x0) / depth, ((y1 - y0 + g * y1) * u + (y3 - y0 + k * y3) * v + y0) / depth];
  };
}

/** The picture with something drawn over it. */
export function framed(image, ...over) {
  return h("div", { class: "frame" }, image, over);
}
