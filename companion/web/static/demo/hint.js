// One line that says what to do next, from what the table waits for and what lies there.
import { t } from "./words.js";

/** The sentence for a snapshot and the demo's state. */
export function hintFor(snapshot, state) {
  if (!snapshot) return "";
  const { you, asking } = state.pairing;
  if (asking !== null) return t("hint.asking", { name: asking });
  if (you !== "paired") return t("hint.pair");
  const game = snapshot.game;
  const name = game && game.seat !== null ? game.players[game.seat].name : "";
  if (name in state.robots && ["throw", "decide", "action", "doubt"].includes(snapshot.phase)) return t("hint.robot", { name });
  switch (snapshot.phase) {
    case "throw":
      if (state.unread) return t("hint.unread");
      if (asked(game)) return t("hint.card_asked", { name });
      return t(game.inherited ? "hint.inherit" : "hint.throw", { name });
    case "decide":
      return state.unread ? t("hint.unread") : decide(game);
    case "doubt":
      return t(state.unread ? "hint.unread" : "hint.doubt");
    case "over":
      return over(game);
    default:
      return t(`hint.${snapshot.phase}`);
  }
}

/** Whether a card lies there whose name the scoreboard asks for. */
export function asked(game) {
  return game.holders.some(({ standing, question }) => standing === "unknown" && question);
}

function decide(game) {
  if (asked(game)) return t("hint.card_needed");
  const lit = game.holders.filter((holder) => holder.light !== null);
  if (game.throws_left === 0) {
    if (game.may_pass) return t("hint.may_pass");
    return t(lit.length > 1 ? "hint.several" : "hint.must_take");
  }
  if (lit.length > 1) return t("hint.several");
  if (lit.length === 1) return t(lit[0].light === "yes" ? "hint.take_or_throw" : "hint.change_or_throw");
  return t(game.change_open ? "hint.again_change" : "hint.again");
}

function over(game) {
  const winners = (game.winners ?? []).map((seat) => game.players[seat].name);
  const names = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(winners);
  return t("hint.over", { n: winners.length, names });
}
