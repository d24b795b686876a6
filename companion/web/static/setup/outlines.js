// A picture that was taken, with the dice found in it outlined and labelled.
import { h, s } from "../dom.js";
import { t } from "../words.js";
import { framed } from "./corners.js";

/** `size` is that of the camera's pictures, `quads` the dice's top faces in them, `labels` what is written at each. */
export function taken(still, size, quads, labels, key = "setup.still") {
  return framed(h("img", { class: "camera", alt: t(key), src: `/api/setup/still/${still}.jpg` }), outlines(size, quads, labels));
}

function outlines([width, height], quads, labels) {
  const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);
  return s("svg", { class: "corners", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, quads.map((quad, index) => {
    const [x, y] = middle(quad);
    return [s("polygon", { class: "die-top", points: quad.map(String).join(" ") }),
      s("text", { x, y: y - width * 0.025, "text-anchor": "middle", "font-size": width * 0.028 }, labels[index])];
  }).flat());
}
