// Ways to what is for the whole room: rules, the television's scoreboard, past games, and the address for more phones.
import { fetchJson } from "./connection.js";
import { h } from "./dom.js";
import { t } from "./words.js";

let urls = null; // under which addresses phones join, once asked

/** The links, past games among them where the table keeps them. */
export function houseLinks() {
  const { history, setup, service } = document.documentElement.dataset;
  const links = [["/rules", "menu.rules"], ["/display", "menu.display"], ...(history ? [[history, "menu.history"]] : []),
    ...(setup ? [[setup, "menu.setup"]] : []), ...(service ? [[service, "menu.service"]] : [])];
  return h("nav", { class: "house", "aria-label": t("menu.house") },
    links.map(([href, key]) => h("a", { class: "button", href }, t(key))));
}

/** Where other phones join: a code, and the address in letters; nothing where they can not reach this machine. */
export function joinAddress() {
  const place = h("aside", { class: "row join-address" });
  const fill = () => urls.length && place.append(
    h("img", { src: "/address.svg", alt: t("join.code"), width: 132, height: 132 }),
    h("p", { class: "grow" }, t("join.more"), urls.map((url) => h("b", {}, url.replace("http://", "").replace(/\/$/, "")))));
  if (urls) fill();
  else {
    fetchJson("/api/addresses").then((told) => {
      urls = told?.urls ?? [];
      fill();
    });
  }
  return place;
}
