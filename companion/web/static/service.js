// The service page's two buttons: look again, and light each LED in turn.

document.getElementById("again").addEventListener("click", () => location.reload());

document.getElementById("leds")?.addEventListener("click", async () => {
  const said = document.getElementById("answer");
  try {
    const answer = await fetch("/api/service/leds", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: "{}",
    });
    said.textContent = answer.ok
      ? "Left, middle, right: one that stays dark has a wire loose, or is the wrong way round."
      : (await answer.json()).sentence;
  } catch {
    said.textContent = "The companion does not answer; is it still running?";
  }
});
