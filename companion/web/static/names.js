// The names of those who play here, kept on this phone only.

const KEY = "next.names";
const KEPT = 30;

/** The players of the last game, all names known, most recent first, and which names are robots' (name to kind). */
export function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const names = (list) => (Array.isArray(list) ? list.filter((name) => typeof name === "string") : []);
    return { lineup: names(kept.lineup), all: names(kept.all), robots: { ...kept.robots } };
  } catch {
    return { lineup: [], all: [], robots: {} }; // storage switched off or spoilt: names are typed again
  }
}

/** Keeps the players of a game that begins. */
export function remember(players, robots) {
  const people = players.filter((name) => !robots[name]);
  const all = [...new Set([...people, ...recall().all])].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify({ lineup: players, all, robots }));
  } catch {
    // Storage switched off: nothing is kept, and nothing else is lost.
  }
}
