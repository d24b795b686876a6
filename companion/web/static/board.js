// The scoreboard of a game under way, as regions that are drawn anew only when they change.
import { cardsSeen } from "./card_seen.js";
import { coachPanel, diceAdvice } from "./coach_panel.js";
import { button, h } from "./dom.js";
import { dieButton, doubtOf } from "./dice.js";
import { openEnterThrow } from "./enter_throw.js";
import { holders } from "./holders.js";
import { openCorrect, openReading } from "./mend.js";
import { players } from "./players.js";
import { sentence } from "./said.js";
import { turn, waiting } from "./status.js";
import { known, t } from "./words.js";

/** The regions [name, what they show, draw] for the snapshot that `app` holds. */
export function board(app) {
  const { snapshot } = app;
  const { game, phase, reading, held, health, marker } = snapshot;
  return [
    ["turn", [game.players, game.seat, game.throw_number, phase === "over"], () => turn(game, phase)],
    ["health", [health, phase, reading?.sentence], () => troubles(health, phase === "doubt" ? reading?.sentence : null)],
    ["waiting", [phase, game, reading, health], () => waiting(app)],
    ["seen", [phase, game.holders, snapshot.cards, game.colours], () => cardsSeen(app)],
    ["dice", [phase, game.dice, game.inherited, game.colours, reading, held, game.throw_number, game.throws_left, app.coach.odds?.best], () => dice(app)],
    ["holders", [phase, game.holders, game.colours, marker, app.coach.odds], () => holders(app)],
    ["pass", [phase, game.may_pass, marker], () => pass(app)],
    // Below what can be taken: advice may not push the cards out of sight.
    ["coach", [app.coach.on, app.coach.odds], () => coachPanel(app)],
  ];
}

/** The regions beside it: the players, and what happened. */
export function people(app) {
  const { game, phase, said } = app.snapshot;
  return [
    ["players", [phase, game.players, game.hands, game.seat, game.winners, game.may_end, game.limits], () => players(app)],
    ["said", said, () => happened(said)],
  ];
}

/** What is wrong with the devices, if anything; a sentence that is `told` elsewhere on the page is not told again. */
export function troubles(health, told = null) {
  const bad = Object.entries(health ?? {}).filter(([, part]) => part && !["ok", "absent"].includes(part.state));
  if (!bad.length) return null;
  return h("section", { class: "banner warn", role: "status" },
    bad.map(([name, part]) => h("p", {}, ...trouble(`health.${name}.${part.state}`, part.sentence, name, told))));
}

/** The page's own words with the device's sentence in small; where there are none, the sentence alone. */
function trouble(key, said, name, told) {
  if (!known(key)) return [said || name];
  return [`${t(key)} `, said && said !== told && h("small", {}, said)];
}

function dice(app) {
  const { game, reading, held, phase } = app.snapshot;
  const waits = phase === "doubt" || phase === "card_needed";
  const shown = (waits && (reading?.dice?.length ? reading.dice : held)) || game.dice;
  if (!shown) {
    if (phase !== "throw" && phase !== "doubt") return null;
    return h("section", { class: "dice-area empty" },
      h("ul", { class: "dice", "aria-hidden": "true" }, Array.from({ length: 6 }, () => h("li", { class: "die place" }))),
      byHand(app, true));
  }
  const fromReading = shown !== game.dice;
  const doubtful = fromReading && phase === "doubt";
  const old = game.inherited && !fromReading;
  const advised = fromReading ? () => null : diceAdvice(app);
  const tap = (index) => (fromReading ? openReading(app, index) : openCorrect(app, index));
  return h("section", { class: `dice-area${old ? " inherited" : ""}${doubtful ? " unsure" : ""}`,
      "aria-label": t(old ? "dice.inherited" : fromReading ? "dice.read" : "dice.label") },
    h("div", { class: "dice" }, shown.map((die, index) => dieButton(die, game.colours, () => tap(index), {
      focus: `die-${index}`, advice: advised(index), doubt: doubtful ? doubtOf(die) : null }))),
    h("p", { class: "row fine" },
      h("span", {}, t(old ? "dice.inherited" : "dice.tap")),
      byHand(app, phase === "throw" || phase === "doubt" || (phase === "decide" && game.throws_left > 0))));
}

/** Without a camera the bar's own button does this, and the doubt's own where nothing was read. */
function byHand(app, fits) {
  const { phase, reading } = app.snapshot;
  if (!fits || (phase === "doubt" && !reading?.dice?.length) || app.snapshot.health?.camera?.state === "absent") return null;
  return button(t("do.enter_throw"), () => openEnterThrow(app), { look: "quiet small", focus: "by-hand" });
}

function pass(app) {
  const { game, phase, marker } = app.snapshot;
  if (!game.may_pass || phase !== "decide") return null;
  return button(t("do.pass"), () => app.send({ type: "pass" }), { look: `wide${marker === "pass" ? " marked" : ""}`, focus: "pass" });
}

function happened(said) {
  if (!said?.length) return null;
  // Whose turn it is stands at the top already.
  const told = said.filter(({ key }) => key !== "turn_began");
  const newest = (told.length ? told : said).slice(-5).reverse();
  return h("section", { class: "said", "aria-label": t("said.label") },
    h("h2", {}, t("said.label")),
    h("ol", {}, newest.map((fact, index) => h("li", { class: index ? "" : "newest" }, sentence(fact)))));
}

