// All words on the page come from a catalogue; this finds them and puts names and numbers in.

let words = {};
let language = "en";
let plural = new Intl.PluralRules("en");

/** Loads the catalogue of the page's language, and those of `folders` beside it. */
export async function loadWords(...folders) {
  language = document.documentElement.lang || "en";
  const found = await Promise.all(["", ...folders].map(async (folder) => {
    const answer = await fetch(`/static/${folder}words/${language}.json`);
    if (!answer.ok) throw new Error(`no catalogue for ${language}`);
    return answer.json();
  }));
  words = Object.assign({}, ...found);
  plural = new Intl.PluralRules(language);
}

/** The language shown, such as "fr". */
export function shownLanguage() {
  return language;
}

/** Whether the catalogue knows this key (itself or its counted forms). */
export function known(key) {
  return key in words || `${key}.other` in words;
}

/** The text for a key. {name} is replaced by params.name; with params.n the counted form key.one / key.other is taken. */
export function t(key, params = {}) {
  let text = words[key];
  if (text === undefined && typeof params.n === "number") {
    text = words[`${key}.${plural.select(params.n)}`] ?? words[`${key}.other`];
  }
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

/** A list in words: "Ana, Ben and Chloe". */
export function list(items) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(items);
}

/** A probability from 0 to 1: "47 %"; small ones with a digit more. */
export function percent(chance) {
  if (chance > 0 && chance < 0.001) return `< ${percent(0.001)}`;
  if (chance < 1 && chance > 0.995) return `> ${percent(0.99)}`;
  const digits = chance > 0 && chance < 0.0995 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits }).format(chance);
}

/** A number with one or two decimals, as the language writes it. */
export function decimal(number, digits = 2) {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: digits }).format(number);
}

/** The sentence for a stable code in a family such as "refusal"; else the sentence given with it. */
export function sentenceFor(family, code, sentence) {
  const key = `${family}.${code}`;
  return known(key) ? t(key) : (sentence ?? code);
}
