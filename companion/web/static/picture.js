// The camera's picture with the dice outlined; a tap on a die chooses it.
import { h, s } from "./dom.js";
import { colourLetter } from "./colours.js";
import { dieName } from "./dice.js";
import { t } from "./words.js";

const REACH = 0.035; // half the side of a die's tap target, as a part of the picture's width
const MARGIN = 0.07; // what is shown around the outermost dice, likewise

/** `picture` is {id, size: [width, height]}; dice without a place in it are left out. */
export function outlined(picture, dice, chosen, choose) {
  const [width, height] = picture.size;
  const reach = REACH * width;
  const seen = dice.map((die, index) => ({ die, index })).filter(({ die }) => die.seen?.centre_px);
  const part = cut(seen.map(({ die }) => die.seen.centre_px), width, height);
  return h("div", { class: "picture" },
    s("svg", { viewBox: part.join(" "), role: "group", "aria-label": t("picture.alt") },
      s("image", { href: `/api/picture/${encodeURIComponent(picture.id)}.jpg`, width, height }),
      seen.map(({ die, index }) => outline(die, index, index === chosen, reach, () => choose(index)))));
}

function outline(die, index, chosen, reach, onclick) {
  const [x, y] = die.seen.centre_px;
  return s("g", { class: `outline${chosen ? " chosen" : ""}`, role: "button", tabindex: 0, "aria-label": dieName(die), "aria-pressed": String(chosen),
      "data-focus": `outline-${index}`, onclick, onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onclick();
      } },
    s("rect", { class: "reach", x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach }),
    die.seen.top_px && s("polygon", { points: die.seen.top_px.map((corner) => corner.join()).join(" ") }),
    s("text", { x, y: y - 0.75 * reach, "text-anchor": "middle", "font-size": 0.75 * reach },
      die.colour === null ? "?" : colourLetter(die.colour)));
}

/** The part of the picture with all dice in it: [x, y, width, height]; all of it where there are none. */
function cut(centres, width, height) {
  if (!centres.length) return [0, 0, width, height];
  const margin = MARGIN * width;
  const span = (values, end) => [Math.max(0, Math.min(...values) - margin), Math.min(end, Math.max(...values) + margin)];
  const [left, right] = span(centres.map(([x]) => x), width);
  const [top, bottom] = span(centres.map(([, y]) => y), height);
  return [left, top, right - left, bottom - top];
}
