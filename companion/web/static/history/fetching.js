// Asks the API of past games; what goes wrong is told in place of what was asked for.
import { h } from "../dom.js";
import { t } from "../words.js";

/** Fetches JSON; where that fails, puts the reason on the page and gives null. */
export async function ask(place, path) {
  try {
    const answer = await fetch(path, { cache: "no-store" });
    if (answer.ok) return await answer.json();
    place.put(trouble(answer.status === 404 ? t("history.gone") : (await answer.json()).sentence));
  } catch {
    place.put(trouble(t("history.offline")));
  }
  return null;
}

function trouble(text) {
  return h("p", { class: "banner warn", role: "alert" }, text);
}
