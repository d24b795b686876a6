// What the coach says: the best move in words, taking now against throwing again, and each card's chance.
import { h } from "./dom.js";
import { colourName } from "./colours.js";
import { decimal, percent, t } from "./words.js";

/** The coach's advice, or null where it is off or has nothing to judge. */
export function coachPanel(app) {
  const { on, odds } = app.coach;
  if (!on || !odds) return null;
  const { game } = app.snapshot;
  return h("section", { class: "coach", "aria-label": t("coach.label") },
    h("p", { class: "strong" }, h("span", { class: "coach-mark", "aria-hidden": "true" }, "◆"), " ", advice(odds, game)),
    compared(odds, game).map((line) => h("p", { class: "fine" }, line)));
}

/** What each die is to do by the best way to throw: "keep", "turn" or null; all null where the card is to be taken. */
export function diceAdvice(app) {
  const { odds } = app.coach;
  const { keep, change } = odds?.best ?? {};
  if (!keep) return () => null;
  return (index) => (change?.die === index ? "turn" : keep.includes(index) ? "keep" : null);
}

/** The chance of the card in a holder, now against thrown again. */
export function chanceLine(app, holder) {
  const { odds } = app.coach;
  const { card, standing, light } = app.snapshot.game.holders[holder];
  if (!odds || !card || standing === "lost") return null;
  const { throws_left: left } = app.snapshot.game;
  if (light) return t(left ? "coach.sure_or_lost" : "coach.sure");
  return odds.again || left ? t("coach.chance", { chance: percent(odds.best.chance[holder]) }) : null;
}

function advice({ best, all_six: allSix }, game) {
  if (best.take !== null) {
    const place = { holder: t(`holder.${best.take}`) };
    if (!best.change) return t("coach.take", place);
    return t("coach.take_change", { ...place, ...turned(best.change, game) });
  }
  if (!best.keep) return t("coach.pass");
  if (!best.keep.length) return t(allSix ? "coach.leave" : game.dice ? "coach.all_again" : "coach.first");
  const counts = { n: 6 - best.keep.length };
  if (allSix) return t("coach.inherit", counts);
  return best.change ? t("coach.turn", { ...counts, ...turned(best.change, game) }) : t("coach.keep", counts);
}

function turned({ die, colour }, game) {
  const { body, colour: from } = game.dice[die];
  return { body: t(`body.${body}`), from: colourName(from), to: colourName(colour) };
}

/** The choices side by side: what taking now brings, and what throwing does on average. */
function compared({ best, again, all_six: allSix, inherit }, game) {
  const lines = [];
  const lit = game.holders.filter(({ light }) => light).map(({ card }) => card.points);
  if (lit.length) lines.push(t("coach.now", { points: t("points", { n: Math.max(...lit) }) }));
  if (again) lines.push(t("coach.again", worth(again)));
  else if (!game.dice) lines.push(t("coach.start", worth(best)));
  if (allSix) {
    lines.push(t("coach.if_all_six", worth(allSix)));
    lines.push(t("coach.if_inherited", { points: decimal(inherit.points) }));
  }
  return lines;
}

function worth({ points, any }) {
  return { points: decimal(points), any: percent(any) };
}
