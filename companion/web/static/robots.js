// Robots as players, where the table offers them (a simulated one does): which kinds there are, and who is one.
import { t } from "./words.js";

/** The kinds of robots that may sit at this table; none at a real one. */
export function robotKinds() {
  return (document.documentElement.dataset.robots ?? "").split(" ").filter(Boolean);
}

/** A name for one more robot beside those who sit there. */
export function robotName(players) {
  const taken = new Set(players.map((name) => name.trim().toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = t("robot.name", { number });
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** Tells the table which of these players are robots, by `robots` (name to kind); all others are people. */
export async function seatRobots(players, robots) {
  if (!robotKinds().length) return true;
  const answers = players.map((player) =>
    fetch("/demo/robots", { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ player, kind: robots[player] ?? null }) }));
  try {
    return (await Promise.all(answers)).every((answer) => answer.ok);
  } catch {
    return false;
  }
}
