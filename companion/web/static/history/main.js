// The pages of past games: which one is shown follows from the address behind its #.
import { h } from "../dom.js";
import { loadWords, t } from "../words.js";
import { showDice } from "./dice.js";
import { showGame } from "./game.js";
import { showGames } from "./games.js";
import { showPlayers } from "./players.js";

const TABS = [["games", "#"], ["players", "#players"], ["dice", "#dice"]];

class Pages {
  constructor() {
    this.head = document.getElementById("head");
    this.content = document.getElementById("content");
    this.visit = 0;
  }

  start() {
    document.title = `${t("history.title")} – ${t("title")}`;
    window.addEventListener("hashchange", () => this.show({ moved: true }));
    this.show({ moved: false });
  }

  /** Shows the page that the address names. A page that takes its time looks whether it is still wanted. */
  async show({ moved }) {
    const visit = ++this.visit;
    const place = { put: (...parts) => this.wanted(visit) && this.content.replaceChildren(...parts.flat(3).filter(Boolean)),
      isWanted: () => this.wanted(visit) };
    const [page, id] = location.hash.slice(1).split("=");
    this.drawHead(["players", "dice"].includes(page) ? page : "games");
    place.put(h("p", { class: "fine", role: "status" }, t("loading")));
    if (page === "players") await showPlayers(place);
    else if (page === "dice") await showDice(place);
    else if (page === "game" && id) await showGame(place, decodeURIComponent(id));
    else await showGames(place);
    if (moved && this.wanted(visit)) this.content.focus({ preventScroll: true });
  }

  wanted(visit) {
    return visit === this.visit;
  }

  drawHead(current) {
    this.head.replaceChildren(
      h("a", { class: "button quiet", href: "/" }, "← ", t("history.back")),
      h("h1", {}, t("history.title")),
      h("nav", { class: "chips", "aria-label": t("history.title") }, TABS.map(([name, href]) =>
        h("a", { class: `chip${name === current ? " chosen" : ""}`, href, "aria-current": name === current ? "page" : null }, t(`history.${name}`)))));
  }
}

try {
  await loadWords("history/");
  new Pages().start();
} catch (error) {
  document.getElementById("content").textContent = String(error);
}
