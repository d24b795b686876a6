// The line to the table: holds the newest snapshot, hears of newer ones, and hands over what people ask.
// The stream only says that there is something newer; the truth is always fetched.

const QUIET_MS = 25_000; // the table says something at least every 10 s; after this the line is dead
const POLL_MS = 2_500; // how often to ask while no stream is open
const CHECK_MS = 2_000;

export class Connection {
  constructor(onchange) {
    this.onchange = onchange; // called with (snapshot or null, online)
    this.snapshot = null;
    this.online = true;
    this.stream = null;
    this.heardMs = 0;
    this.askedMs = 0;
    this.fetching = null;
    this.again = false;
    this.fresh = true; // the next answer counts whatever its revision: the table may have been started anew
  }

  /** Fetches the snapshot and keeps it new until the page goes away. */
  start() {
    const wake = () => {
      if (document.visibilityState === "visible") this.wake();
    };
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("pageshow", wake);
    window.addEventListener("online", wake);
    window.addEventListener("pagehide", () => this.closeStream());
    setInterval(() => this.check(), CHECK_MS);
    this.wake();
  }

  wake() {
    this.fresh = true;
    this.refresh();
    this.openStream();
  }

  check() {
    if (document.visibilityState !== "visible") return;
    const now = Date.now();
    const alive = this.stream?.readyState === 1 && now - this.heardMs < QUIET_MS;
    if (alive) return;
    if (!this.stream || this.stream.readyState === 2 || now - this.heardMs > QUIET_MS) this.openStream();
    if (now - this.askedMs >= POLL_MS) this.refresh();
  }

  openStream() {
    this.closeStream();
    if (!window.EventSource) return;
    this.heardMs = Date.now();
    const stream = new EventSource("/api/stream");
    this.stream = stream;
    stream.addEventListener("open", () => {
      this.heardMs = Date.now();
      this.fresh = true;
      this.refresh();
    });
    stream.addEventListener("revision", (event) => {
      this.heardMs = Date.now();
      if (!this.online || Number(event.data) !== this.snapshot?.revision) this.refresh();
    });
  }

  closeStream() {
    this.stream?.close();
    this.stream = null;
  }

  /** Asks for the snapshot; asked again meanwhile, it asks once more after. */
  refresh() {
    if (this.fetching) {
      this.again = true;
      return this.fetching;
    }
    this.askedMs = Date.now();
    this.fetching = this.fetchSnapshot().finally(() => {
      this.fetching = null;
      if (this.again) {
        this.again = false;
        this.refresh();
      }
    });
    return this.fetching;
  }

  async fetchSnapshot() {
    const fresh = this.fresh;
    const headers = this.snapshot && !fresh ? { "If-None-Match": `"${this.snapshot.revision}"` } : {};
    try {
      const answer = await fetch("/api/snapshot", { headers, cache: "no-store", signal: AbortSignal.timeout?.(8000) });
      if (answer.status === 304) {
        this.tell(true);
      } else if (answer.ok) {
        const snapshot = await answer.json();
        if (fresh) this.fresh = false;
        if (fresh || this.isNewer(snapshot)) this.snapshot = snapshot;
        this.tell(true);
      } else {
        this.tell(false);
      }
    } catch {
      this.fresh = true; // whatever was unreachable may have been started anew
      this.tell(false);
    }
  }

  /**
   * Hands an intent to the table, with the revision that the phone showed.
   * Gives {accepted, code, sentence}; the code "offline" where the table did not answer.
   */
  async submit(intent, revision) {
    const body = JSON.stringify({ revision, intent });
    try {
      const answer = await fetch("/api/intents", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        signal: AbortSignal.timeout?.(15000),
      });
      const told = await answer.json();
      if (told.snapshot && this.isNewer(told.snapshot)) this.snapshot = told.snapshot;
      this.tell(true);
      return { accepted: told.accepted === true, code: told.code ?? null, sentence: told.sentence ?? null };
    } catch {
      this.fresh = true;
      this.refresh();
      return { accepted: false, code: "offline", sentence: null };
    }
  }

  isNewer(snapshot) {
    return !this.snapshot || snapshot.revision >= this.snapshot.revision;
  }

  tell(online) {
    this.online = online;
    this.onchange(this.snapshot, online);
  }
}

/** Fetches JSON from the API, or null where that fails. */
export async function fetchJson(path) {
  try {
    const answer = await fetch(path, { cache: "no-store" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
