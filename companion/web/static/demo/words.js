// The demo's own words, beside those of the scoreboard.
import { loadWords as loadScoreboard } from "../words.js";

let words = {};
let plural = new Intl.PluralRules("en");

/** Loads the demo's catalogue in the page's language, and the scoreboard's, in which the table's news are told. */
export async function loadWords() {
  await loadScoreboard();
  const language = document.documentElement.lang || "en";
  const answer = await fetch(`/static/demo/words/${language}.json`);
  if (!answer.ok) throw new Error(`no catalogue for ${language}`);
  words = await answer.json();
  plural = new Intl.PluralRules(language);
}

/** The text for a key; {name} is replaced by params.name; params.n chooses between key.one and key.other. */
export function t(key, params = {}) {
  const counted = typeof params.n === "number" ? words[`${key}.${plural.select(params.n)}`] ?? words[`${key}.other`] : undefined;
  const text = words[key] ?? counted ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}
