// The camera's picture with the dice outlined; a tap on a die chooses it.
import { h, s } from "./dom.js";
import { colourLetter } from "./colours.js";
import { dieName } from "./dice.js";
import { t } from "./words.js";

const REACH = 0.035; // half the side of a die's tap target, as a part of the picture's width

/** `picture` is {id, size: [width, height]}; dice without a place in it are left out. */
export function outlined(picture, dice, chosen, choose) {
  const [width, height] = picture.size;
  const reach = REACH * width;
  const seen = dice.map((die, index) => ({ die, index })).filter(({ die }) => die.seen?.centre_px);
  return h("div", { class: "picture" },
    h("img", { src: `/api/picture/${encodeURIComponent(picture.id)}.jpg`, alt: t("picture.alt"), width, height }),
    seen.length > 0 &&
      s("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("picture.dice") },
        seen.map(({ die, index }) => {
          const [x, y] = die.seen.centre_px;
          return s("g", { class: `outline${index === chosen ? " chosen" : ""}`, onclick: () => choose(index), role: "button", "aria-label": dieName(die) },
            s("rect", { class: "reach", x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach }),
            die.seen.top_px && s("polygon", { points: die.seen.top_px.map((corner) => corner.join()).join(" ") }),
            s("text", { x, y: y - 0.7 * reach, "text-anchor": "middle", "font-size": 0.7 * reach },
              die.colour === null ? "?" : colourLetter(die.colour)));
        })));
}
