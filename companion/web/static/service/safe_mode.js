// Looks every few seconds whether the settings are mended, and then goes on to the table.

const LOOK_MS = 5000;

setInterval(async () => {
  try {
    const answer = await fetch("/", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // It is just starting again.
  }
}, LOOK_MS);
