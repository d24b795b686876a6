// What happened, in words: the table gives facts as a key and parameters, the catalogue the sentence.
import { cardName } from "./cards.js";
import { colourName } from "./colours.js";
import { known, list, sentenceFor, t } from "./words.js";

const HIDDEN = ["card", "received", "given"]; // null while scores are hidden

/** Turns the values of a fact into words: cards, colours, dice and lists become text. */
function inWords(fact) {
  const params = {};
  for (const [name, value] of Object.entries(fact)) {
    if (name === "key" || value === undefined) continue;
    if (value === null) {
      if (HIDDEN.includes(name)) params[name] = t("a_card");
      continue;
    }
    if (typeof value === "object" && !Array.isArray(value) && value.groups) params[name] = cardName(value);
    else if (Array.isArray(value)) params[name] = list(value.map((item) => part(item)));
    else if (name === "holder") params[name] = t(`holder.${value}`);
    else params[name] = part(value, name);
  }
  if (fact.dice) params.colours = coloursOf(fact.dice);
  if (Array.isArray(fact.winners)) params.n = fact.winners.length;
  return params;
}

/** Dice in a few words: "3 red, 1 blue and 2 green". */
function coloursOf(dice) {
  const counts = new Map();
  for (const { colour } of dice) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return list([...counts].map(([colour, n]) => t("die.count", { n, colour: colourName(colour) })));
}

function part(value, name = "") {
  if (value && typeof value === "object") {
    if (value.groups) return cardName(value);
    if (value.key) return shortly(value);
    return "";
  }
  if (typeof value === "string" && (name === "colour" || known(`colour.${value}`))) return colourName(value);
  if (typeof value === "string" && known(`${name}.${value}`)) return t(`${name}.${value}`);
  return String(value);
}

const PLAIN = ["undone", "redone"]; // say by themselves that they mend something

/** A fact as a sentence. */
export function sentence(fact) {
  if (fact.key === "not_now") return sentenceFor("refusal", fact.code, fact.sentence);
  const text = t(`said.${fact.key}`, inWords(fact));
  return fact.correction && !PLAIN.includes(fact.key) ? t("said.as_correction", { text }) : text;
}

/** What undo takes back, or redo brings, in a few words. */
export function shortly(fact) {
  const key = known(`short.${fact.key}`) ? `short.${fact.key}` : "short.something";
  return t(key, inWords(fact));
}

/** The facts that are new between two snapshots; none at first. */
export function fresh(before, after) {
  const seen = (before ?? after).said?.at(-1)?.revision ?? 0;
  return (after.said ?? []).filter((fact) => fact.revision > seen);
}

/** What is new between two snapshots, in sentences. Screen readers are told, once. */
export function announce(before, after) {
  const news = fresh(before, after).map(sentence);
  if (news.length) document.getElementById("news").textContent = news.join(" ");
  return news;
}
