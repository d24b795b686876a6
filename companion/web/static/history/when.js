// Dates and names as the page's language writes them.
import { shownLanguage, list, t } from "../words.js";

/** "29 Nov 2025, 20:15" in the reader's own time. */
export function dateAndTime(iso) {
  return new Intl.DateTimeFormat(shownLanguage(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

/** Who won, or that the game was left. */
export function outcome({ status, winners, players }) {
  if (status !== "finished" || !winners) return t("history.left");
  return t("over.won", { n: winners.length, names: list(winners.map((seat) => players[seat])) });
}
