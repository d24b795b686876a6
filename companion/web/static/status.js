// The top of the scoreboard: whose turn, which throw, and what the table waits for, in plain words.
import { button, h } from "./dom.js";
import { openAction } from "./action.js";
import { openEnterThrow } from "./enter_throw.js";
import { openReading } from "./mend.js";
import { openNameCard } from "./name_card.js";
import { colourName } from "./colours.js";
import { list, sentenceFor, t } from "./words.js";

/** Whose turn it is, and the three throws as lights. */
export function turn(game, phase) {
  if (phase === "over") return null;
  const name = game.players[game.seat].name;
  const made = game.throw_number;
  return h("header", { class: "turn" },
    h("h1", {}, h("span", { class: "who" }, name), " ", h("span", { class: "what" }, t("turn"))),
    h("p", { class: "throws" },
      h("span", { class: "pips", "aria-hidden": "true" },
        [1, 2, 3].map((number) => h("span", { class: `pip${number < made ? " made" : ""}${number === made ? " now" : ""}` }))),
      made ? t("throw.number", { number: made }) : t("throw.none")));
}

/** What the table waits for, with what can be done about it. */
export function waiting(app) {
  const { snapshot } = app;
  const { phase, game } = snapshot;
  if (phase === "over") return over(app);
  if (phase === "reading") {
    return h("section", { class: "banner busy", role: "status" },
      h("span", { class: "spinner", "aria-hidden": "true" }), h("p", {}, t("hint.reading")),
      button(t("do.stop_reading"), () => app.send({ type: "dismiss_reading" }), { look: "small" }));
  }
  if (phase === "doubt") return doubt(app);
  if (phase === "card_needed") return cardNeeded(app);
  if (phase === "action") {
    const { owed } = game;
    return h("section", { class: "banner ask", role: "status" },
      h("p", {}, t(`hint.${owed.action}`, { name: game.players[game.seat].name })),
      button(t(`do.${owed.drawn_from !== null ? "give" : owed.action}`), () => openAction(app), { look: "primary", focus: "action" }));
  }
  return h("p", { class: "hint", role: "status" }, hint(game, phase, snapshot.health));
}

/** What the table waits for, in a line. */
export function hint(game, phase, health) {
  if (phase === "throw") {
    const how = health?.camera?.state === "absent" ? "hint.then_enter" : "hint.then_press";
    return `${t(game.inherited ? "hint.inherit" : "hint.throw")} ${t(how)}`;
  }
  const lit = game.holders.filter((holder) => holder.light).length;
  const change = game.change_open ? `${t("hint.change")} ` : "";
  if (game.may_pass) return t("hint.take_or_pass");
  if (game.throws_left === 0) return change + t("hint.must_take", { n: lit });
  if (lit) return change + t("hint.take_or_throw", { n: lit });
  return change + t("hint.throw_again", { n: game.throws_left });
}

function over(app) {
  const { game } = app.snapshot;
  const names = (game.winners ?? []).map((seat) => game.players[seat].name);
  return h("section", { class: "banner won", role: "status" },
    h("h1", {}, t("over.won", { n: names.length, names: list(names) })),
    h("p", {}, t(`over.${game.ending}`)),
    h("div", { class: "row" },
      button(t("do.rematch"), () => app.send(rematch(game)), { look: "primary", focus: "rematch" }),
      button(t("do.new_game"), () => app.send({ type: "abandon_game" }), { focus: "new-game" })));
}

function rematch(game) {
  return { type: "start_game", players: game.players.map(({ name }) => name), first: null, hidden: game.hidden };
}

/** A reading that is not sure, or that the rules refuse: why, and the ways out. */
function doubt(app) {
  const { reading } = app.snapshot;
  const why = reading?.why ?? "untrusted";
  const problems = reading?.problems ?? [];
  const reasons = problems.map((code) => sentenceFor("problem", code));
  const differing = reading?.differing ?? [];
  return h("section", { class: "banner doubt", role: "status" },
    h("h2", {}, t("doubt.title")),
    reasons.length
      ? h("ul", {}, reasons.map((reason) => h("li", {}, reason)))
      : !differing.length && h("p", {}, sentenceFor("why", why, reading?.sentence)),
    differing.map(differs),
    differing.length > 0 && h("p", { class: "fine" }, t("doubt.kept_fine")),
    h("div", { class: "row" },
      reading && truths(app, reading),
      reading?.dice?.length
        ? button(t(why === "kept_unknown" ? "do.say_kept" : "do.mend"), () => openReading(app), { look: reading.mends?.length && why !== "kept_unknown" ? "" : "primary", focus: "mend" })
        : button(t("do.enter_throw"), () => openEnterThrow(app), { look: "primary", focus: "enter" }),
      button(t("do.read_again"), () => app.send({ type: "press" }), { focus: "again" }),
      button(t("do.dismiss"), () => app.send({ type: "dismiss_reading" }), { look: "quiet", focus: "dismiss" })));
}

/** A kept die shows another colour than before. */
function differs({ body, was, now }) {
  const params = { body: t(`body.${body}`), was: list(was.map(colourName)), now: colourName(now) };
  return h("p", {}, t(was.length ? "doubt.differs" : "doubt.differs_none", params));
}

/** The truths that would settle a doubt, each in one tap: these dice now, or other dice in an earlier throw. */
function truths(app, { why, mends, differing }) {
  if (why === "kept_unknown") return [];
  const before = differing.map(({ was }) => list(was.map(colourName)));
  const now = differing.map((die) => colourName(die.now));
  return (mends ?? []).map(({ index, dice }) => {
    if (index !== null) {
      return button(t("do.it_was", { colour: list(now) }), () => app.send({ type: "correct_event", index, dice }), { look: "primary", focus: "was" });
    }
    const label = why === "all_dice_needed" ? t("do.all_thrown") : t("do.it_is_still", { colour: list(before) });
    return button(label, () => app.send({ type: "enter_throw", dice }), { look: "primary", focus: "still" });
  });
}

/** That a throw waits for the names of the new cards. */
export function nameFirst(game) {
  return t("hint.card_needed", { n: game.holders.filter(({ standing }) => standing === "unknown").length });
}

function cardNeeded(app) {
  const { game } = app.snapshot;
  const missing = game.holders.map((holder, index) => [holder, index]).filter(([holder]) => holder.standing === "unknown" && !holder.question);
  return h("section", { class: "banner ask", role: "status" },
    h("p", {}, nameFirst(game)),
    missing.length > 0 && h("div", { class: "row" },
      missing.map(([, index]) =>
        button(t("do.name_card", { holder: t(`holder.${index}`) }), () => openNameCard(app, index), {
          look: "primary", focus: `name-${index}`,
        }))));
}
