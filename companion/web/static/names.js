// The names of those who play here, kept on this phone only.

const KEY = "next.names";
const KEPT = 30;

/** The players of the last game, and all names known, most recent first. */
export function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const names = (list) => (Array.isArray(list) ? list.filter((name) => typeof name === "string") : []);
    return { lineup: names(kept.lineup), all: names(kept.all) };
  } catch {
    return { lineup: [], all: [] }; // storage switched off or spoilt: names are typed again
  }
}

/** Keeps the players of a game that begins. */
export function remember(players) {
  const all = [...new Set([...players, ...recall().all])].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify({ lineup: players, all }));
  } catch {
    // Storage switched off: nothing is kept, and nothing else is lost.
  }
}
