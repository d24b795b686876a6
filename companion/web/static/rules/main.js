// The rules in short, with a picture of each of the eight shapes.
import { ACTIONS, SHAPES } from "../cards.js";
import { face } from "../dice.js";
import { h } from "../dom.js";
import { loadWords, shownLanguage, t } from "../words.js";

const EXAMPLE = ["red", "blue", "green"]; // the colours of a shape's first, second and third group
const LIMITS = [["2", 10, 7], ["3", 8, 5], ["4–6", 6, 4]];

function dice(sizes) {
  return h("span", { class: "example", "aria-hidden": "true" }, sizes.map((size, group) =>
    h("span", { class: "group" }, Array.from({ length: size }, () => h("span", { class: "small-die" }, face("white", EXAMPLE[group]))))));
}

function shapes() {
  return h("ul", { class: "shapes" }, SHAPES.map(([name, sizes]) =>
    h("li", {}, dice(sizes), h("span", {}, h("b", {}, t(`shape.${name}`)), ` ${sizes.join(" + ")}`))));
}

function actions() {
  return h("dl", {}, ACTIONS.filter(Boolean).map((action) =>
    [h("dt", {}, t(`action.${action}`)), h("dd", {}, t(`action_is.${action}`))]));
}

function ends() {
  return h("table", {},
    h("thead", {}, h("tr", {}, ["players", "at", "from"].map((name) => h("th", { scope: "col" }, t(`rules.${name}`))))),
    h("tbody", {}, LIMITS.map(([players, at, from]) => h("tr", {}, h("th", { scope: "row" }, players), h("td", {}, String(at)), h("td", {}, String(from))))));
}

function part(name, count, ...more) {
  return h("section", {}, h("h2", {}, t(`rules.${name}`)),
    Array.from({ length: count }, (_, index) => h("p", {}, t(`rules.${name}.${index + 1}`))), more);
}

try {
  await loadWords("rules/");
  document.title = `${t("rules.title")} – ${t("title")}`;
  document.getElementById("content").append(
    h("a", { class: "button quiet", href: "/" }, "← ", t("rules.back")),
    h("h1", { lang: shownLanguage() }, t("rules.title")),
    part("aim", 1),
    part("turn", 4),
    part("cards", 2, shapes()),
    part("black", 2),
    part("failed", 1),
    part("actions", 1, actions()),
    part("end", 2, ends()));
} catch (error) {
  document.getElementById("content").textContent = String(error);
}
