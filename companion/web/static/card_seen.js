// What the camera asks about the cards: the card's own picture, what it may be, and one tap to say so.
import { cardChoice } from "./card_sheet.js";
import { button, h } from "./dom.js";
import { openNameCard } from "./name_card.js";
import { t } from "./words.js";

/** The questions about the three holders, and how cards without a name will be seen; null where nothing is to be told. */
export function cardsSeen(app) {
  const { game, cards, phase } = app.snapshot;
  if (!cards || phase === "over") return null;
  const asked = game.holders.map((holder, index) => holder.question && ask(app, game, holder, index)).filter(Boolean);
  const how = looking(app, game, cards);
  return asked.length || how ? h("section", { class: "seen", "aria-label": t("seen.label") }, asked, how) : null;
}

/** The picture of a card in its holder, as the camera saw it. */
export function lookPicture(look, holder) {
  return look && h("img", { class: "look", src: `/api/looks/${look}.jpg`, width: 252, height: 352,
    alt: t("seen.picture", { holder: t(`holder.${holder}`) }) });
}

function ask(app, game, { card, question }, index) {
  const { why, look } = question;
  const holder = t(`holder.${index}`);
  const say = (choice) => app.send({ type: "name_card", holder: index, card: choice });
  // What it was named stays a choice where it looks otherwise.
  const choices = why === "differs" ? [...question.cards, card] : question.cards;
  return h("article", { class: "banner ask", role: "status" },
    h("div", { class: "beside" },
      lookPicture(look, index),
      h("div", {},
        h("p", {}, t(`seen.${why}`, { holder })),
        choices.length > 0 && h("div", { class: "card-grid", role: "group", "aria-label": t("seen.which") },
          choices.map((choice, place) => cardChoice(choice, game.colours, () => say(choice), { focus: `seen-${index}-${place}` }))),
        button(t(why === "new" ? "do.say_card" : "do.say_other", { holder }), () => openNameCard(app, index),
          { look: why === "new" ? "primary" : "", focus: `say-${index}` }))));
}

function looking(app, game, { glances, watched }) {
  const open = game.holders.map((holder, index) => (holder.standing === "unknown" && !holder.question ? index : -1)).filter((index) => index >= 0);
  if (!open.length) return null;
  if (open.some((index) => watched.includes(index))) return h("p", { class: "fine", role: "status" }, t("seen.watching"));
  return h("p", { class: "row fine" }, h("span", {}, t("seen.with_press")),
    glances && button(t("do.look_at_cards"), () => app.send({ type: "look_at_cards" }), { look: "quiet small", focus: "look-at-cards" }));
}
