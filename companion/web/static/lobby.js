// Before a game: who plays, in which order round the table, who begins, and whether scores are open.
import { button, h } from "./dom.js";
import { troubles } from "./board.js";
import { houseLinks, joinAddress } from "./house.js";
import { recall, remember } from "./names.js";
import { robotKinds, robotName, seatRobots } from "./robots.js";
import { t } from "./words.js";

const FEWEST = 2;
const MOST = 6;
const form = { players: null, first: null, hidden: false, all: [], robots: {}, version: 0 };

/** The regions of the lobby. */
export function lobby(app) {
  if (!form.players) {
    const { lineup, all, robots } = recall();
    form.robots = robotKinds().length ? robots : {};
    const players = lineup.filter((name) => !robots[name] || form.robots[name]);
    form.players = players.length >= FEWEST ? players.slice(0, MOST) : ["", ""];
    form.all = all;
  }
  return [
    ["health", app.snapshot.health, () => troubles(app.snapshot.health)],
    ["lobby", form.version, () => draw(app)],
  ];
}

function set(app, changes) {
  Object.assign(form, changes);
  form.version += 1;
  app.changed(app.snapshot, app.online);
}

/** Typing redraws nothing but the name among those who may begin: a redraw would take the field away from the finger. */
function typed(seat, name) {
  form.players[seat] = name;
  const chip = document.querySelector(`[data-focus="first-${seat}"]`);
  if (chip) chip.textContent = name.trim() || t("lobby.name", { number: seat + 1 });
}

function draw(app) {
  const put = (seat, name) => form.players.map((old, other) => (other === seat ? name : old));
  const unused = form.all.filter((name) => !form.players.includes(name)).slice(0, 12);
  const names = form.players.map((name) => name.trim());
  return h("section", { class: "lobby" },
    h("h1", {}, t("title"), h("small", {}, t("lobby.subtitle"))),
    h("fieldset", {}, h("legend", {}, t("lobby.players")),
      h("ol", {}, form.players.map((name, seat) =>
        h("li", { class: "seat" },
          form.robots[name] && h("span", { class: "robot" }, t(`robot.${form.robots[name]}`)),
          h("input", { type: "text", readonly: Boolean(form.robots[name]), value: name, maxlength: 24, autocomplete: "off", autocapitalize: "words", spellcheck: "false",
            "aria-label": t("lobby.name", { number: seat + 1 }), placeholder: t("lobby.placeholder"), "data-focus": `name-${seat}`,
            oninput: (event) => typed(seat, event.target.value) }),
          button("↑", () => set(app, { players: swapped(seat, seat - 1), first: null }), { look: "quiet round", disabled: seat === 0,
            "aria-label": t("lobby.up", { name: name || seat + 1 }), focus: `up-${seat}` }),
          form.players.length > FEWEST &&
            button("✕", () => set(app, { players: form.players.filter((_, other) => other !== seat), first: null }), { look: "quiet round",
              "aria-label": t("lobby.remove", { name: name || seat + 1 }), focus: `remove-${seat}` })))),
      unused.length > 0 && h("div", { class: "chips", role: "group", "aria-label": t("lobby.known") },
        unused.map((name) => h("button", { type: "button", class: "chip", onclick: () => set(app, { players: seated(name, put) }) }, `+ ${name}`))),
      form.players.length < MOST && button(t("lobby.add"), () => set(app, { players: [...form.players, ""] }), { look: "quiet", focus: "add" }),
      robotKinds().length > 0 && h("div", { class: "chips", role: "group", "aria-label": t("lobby.robots") },
        robotKinds().map((kind) => h("button", { type: "button", class: "chip", "data-focus": `robot-${kind}`,
          onclick: () => addRobot(app, kind, put) }, `+ ${t(`robot.${kind}`)}`))),
      h("p", { class: "fine" }, t("lobby.order"))),
    h("fieldset", {}, h("legend", {}, t("lobby.first")),
      h("div", { class: "chips" },
        choice(t("lobby.random"), form.first === null, () => set(app, { first: null }), "first-random"),
        names.map((name, seat) => choice(name || t("lobby.name", { number: seat + 1 }), form.first === seat, () => set(app, { first: seat }), `first-${seat}`)))),
    h("fieldset", {}, h("legend", {}, t("lobby.scores")),
      h("div", { class: "chips" },
        choice(t("lobby.open"), !form.hidden, () => set(app, { hidden: false }), "open"),
        choice(t("lobby.hidden"), form.hidden, () => set(app, { hidden: true }), "hidden"))),
    button(t("lobby.start"), () => start(app), { look: "primary wide big", focus: "start" }),
    houseLinks(),
    joinAddress());
}

function choice(label, chosen, onclick, focus) {
  return h("button", { type: "button", class: `chip${chosen ? " chosen" : ""}`, "aria-pressed": String(chosen), onclick, "data-focus": focus }, label);
}

function swapped(a, b) {
  const players = [...form.players];
  [players[a], players[b]] = [players[b], players[a]];
  return players;
}

/** A known name takes the first empty seat, else a new one. */
function seated(name, put) {
  const empty = form.players.findIndex((other) => !other.trim());
  if (empty >= 0) return put(empty, name);
  return form.players.length < MOST ? [...form.players, name] : form.players;
}

function addRobot(app, kind, put) {
  const name = robotName(form.players);
  set(app, { players: seated(name, put), robots: { ...form.robots, [name]: kind } });
}

function trouble(names) {
  if (names.some((name) => !name)) return t("lobby.need_names");
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) return t("lobby.same_names");
  return null;
}

async function start(app) {
  const players = form.players.map((name) => name.trim());
  const missing = trouble(players);
  if (missing) {
    app.notice(missing);
    const empty = players.findIndex((name) => !name);
    document.querySelector(`[data-focus="name-${Math.max(0, empty)}"]`)?.focus();
    return null;
  }
  const robots = Object.fromEntries(Object.entries(form.robots).filter(([name]) => players.includes(name)));
  if (!(await seatRobots(players, robots))) return app.notice(t("refusal.offline"));
  const outcome = await app.send({ type: "start_game", players, first: form.first, hidden: form.hidden });
  if (!outcome.accepted) return null;
  remember(players, robots);
  form.players = null;
  return null;
}
