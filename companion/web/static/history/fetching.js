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

/** Fetches JSON, as often as the answer says to come back later and the page is looked at; null where that fails. */
export async function askPatiently(place, path) {
  try {
    while (place.isWanted()) {
      const answer = await fetch(path, { cache: "no-store" });
      if (answer.ok) return await answer.json();
      const laterS = Number(answer.headers.get("Retry-After"));
      if (answer.status !== 503 || !laterS) return null;
      await new Promise((resolve) => setTimeout(resolve, laterS * 1000));
    }
  } catch {
    // As where the answer is no: the page does without.
  }
  return null;
}

function trouble(text) {
  return h("p", { class: "banner warn", role: "alert" }, text);
}
