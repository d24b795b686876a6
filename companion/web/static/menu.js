// All the rest: the button's gestures for those who are not near it, throws by hand, language, leaving the game.
import { button, h } from "./dom.js";
import { openEnterThrow } from "./enter_throw.js";
import { houseLinks } from "./house.js";
import { openCorrect } from "./mend.js";
import { join, openPhones } from "./pairing.js";
import { voiceSwitches } from "./voice.js";
import { shownLanguage, t } from "./words.js";

/** Opens the menu. */
export function openMenu(app) {
  app.sheets.open({ title: () => t("menu.title"), fits: () => true, body: (snapshot, sheet) => [
    snapshot.game && playing(app, snapshot, sheet),
    h("h3", {}, t("menu.button")),
    h("p", { class: "fine" }, t("menu.button_is")),
    h("div", { class: "row" },
      ["press", "hold", "long_hold"].map((type) => button(t(`menu.${type}`), () => sheet.send({ type }), { focus: type }))),
    h("h3", {}, t("coach.label")),
    h("p", { class: "fine" }, t("coach.is")),
    h("button", { type: "button", class: `button wide${app.coach.on ? " chosen" : ""}`, role: "switch", "aria-checked": String(app.coach.on),
      "data-focus": "coach", onclick: () => {
        app.coach.set(!app.coach.on);
        sheet.draw();
      } }, t("coach.switch"), " – ", t(app.coach.on ? "coach.on" : "coach.off")),
    voiceSwitches(app.voice, () => sheet.draw()),
    h("h3", {}, t("menu.language")),
    h("div", { class: "row" }, languages().map((language) =>
      h("a", { class: `button${language === shownLanguage() ? " chosen" : ""}`, href: `/?lang=${language}`, lang: language,
        "aria-current": language === shownLanguage() ? "true" : null }, t(`language.${language}`)))),
    pairing(app),
    houseLinks(),
    snapshot.game && snapshot.phase !== "over" && [
      h("h3", {}, t("menu.leave")),
      button(t("do.abandon"), () => confirmLeave(app), { look: "wide", focus: "abandon" }),
    ],
  ] });
}

function playing(app, { game, phase }, sheet) {
  if (phase === "over") return null;
  return [
    h("h3", {}, t("menu.dice")),
    phase !== "action" && button(t("do.enter_throw"), () => {
      sheet.close();
      openEnterThrow(app);
    }, { look: "wide", focus: "by-hand" }),
    game.dice && phase !== "doubt" && button(t("mend.correct"), () => {
      sheet.close();
      openCorrect(app);
    }, { look: "wide", focus: "correct" }),
  ];
}

/** For those who may act, the list of phones that may; for those who look on, the way to join. */
function pairing(app) {
  if (!app.pairing.state?.needed) return null;
  if (app.pairing.looksOn) return button(t("join.do"), () => join(app), { look: "wide", focus: "join" });
  return button(t("phones.title"), () => openPhones(app), { look: "wide", focus: "phones" });
}

function confirmLeave(app) {
  app.sheets.open({
    title: () => t("menu.leave"),
    fits: (snapshot) => Boolean(snapshot.game),
    body: (_, sheet) => [
      h("p", {}, t("menu.leave_is")),
      button(t("do.abandon_yes"), () => sheet.send({ type: "abandon_game" }), { look: "primary wide", focus: "leave" }),
      button(t("do.go_on"), () => sheet.close(), { look: "wide", focus: "go-on" }),
    ],
  });
}
function languages() {
  return document.documentElement.dataset.languages.split(" ");
}
