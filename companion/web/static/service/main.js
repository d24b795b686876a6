// The service page's two buttons: look again, and light each LED in turn.

document.getElementById("again").addEventListener("click", () => location.reload());

document.getElementById("leds")?.addEventListener("click", async () => {
  const said = document.getElementById("answer");
  try {
    const answer = await fetch("/api/service/leds", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: "{}",
    });
    const { code, sentence } = answer.ok ? {} : await answer.json();
    said.textContent = answer.ok ? said.dataset.lit : code === "no_leds" ? said.dataset.none : sentence;
  } catch {
    said.textContent = said.dataset.offline;
  }
});
