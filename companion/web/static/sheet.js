// A sheet over the page for one task; it draws itself anew as its own state or the game changes.
import { button, focusName, giveFocus, h } from "./dom.js";
import { t } from "./words.js";

/**
 * Opens one sheet at a time. `task` is {title(), body(snapshot, sheet), fits(snapshot), closed()}; `fits` tells whether
 * the task still makes sense, else the sheet closes by itself; `closed`, if there, is told when it is gone.
 */
export class Sheets {
  constructor(app) {
    this.app = app;
    this.task = null;
    this.dialog = null;
  }

  open(task) {
    this.close();
    this.task = task;
    const dialog = h("dialog", { class: "sheet", "aria-labelledby": "sheet-title" });
    this.dialog = dialog;
    dialog.addEventListener("close", () => {
      if (this.dialog === dialog) this.closed(); // said late, when another sheet may be open already
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) this.close(); // the dim part around the sheet
    });
    document.body.append(dialog);
    this.draw();
    if (this.dialog.showModal) this.dialog.showModal();
    else this.dialog.setAttribute("open", "");
    // The heading takes the focus, so that a screen reader begins with what this is about.
    this.dialog.querySelector("#sheet-title")?.focus({ preventScroll: true });
  }

  close() {
    if (!this.dialog) return;
    if (this.dialog.close && this.dialog.open) this.dialog.close();
    this.closed();
  }

  closed() {
    const { dialog, task } = this;
    this.dialog = null;
    this.task = null;
    dialog?.remove();
    task?.closed?.();
  }

  /** Draws the open sheet anew, after its own state has changed. */
  draw() {
    if (!this.dialog) return;
    const snapshot = this.app.snapshot;
    if (!this.task.fits(snapshot)) {
      this.close();
      return;
    }
    const focus = focusName();
    const scroll = this.dialog.querySelector(".sheet-body")?.scrollTop ?? 0;
    this.drawnRevision = snapshot.revision;
    const body = h("div", { class: "sheet-body" }, this.task.body(snapshot, this));
    this.dialog.replaceChildren(
      h("header", { class: "sheet-head" },
        h("h2", { id: "sheet-title", tabindex: "-1" }, this.task.title(snapshot)),
        button("✕", () => this.close(), { look: "quiet round", "aria-label": t("close"), focus: "sheet-close" })),
      body);
    body.scrollTop = scroll;
    if (this.dialog.open) giveFocus(focus, this.dialog);
  }

  /** Draws the sheet's next page, from its top. */
  turnPage() {
    this.draw();
    this.dialog?.querySelector(".sheet-body")?.scrollTo(0, 0);
  }

  /** The game changed: what is chosen in the sheet stays, as far as it still fits. */
  changed() {
    if (this.dialog && this.drawnRevision !== this.app.snapshot.revision) this.draw();
  }

  /** Hands an intent to the table; the sheet closes when it is accepted, else stays as it is. */
  async send(intent) {
    const task = this.task;
    const outcome = await this.app.send(intent);
    if (outcome.accepted && this.task === task) this.close();
    return outcome;
  }
}
