// Makes elements. Text only ever becomes text, so that a name can never become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Makes an HTML element; attributes that are null or false are left out, `onclick` and the like are listeners. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Makes a button: `primary`, `quiet`, `tile` … are looks; a `focus` name lets a redraw give the focus back. */
export function button(label, onclick, { look = "", focus = null, ...attributes } = {}) {
  return h("button", { type: "button", class: `button ${look}`, onclick, "data-focus": focus, ...attributes }, label);
}

/**
 * Draws regions of a page anew only when what they show has changed.
 * The focus, and the scroll position of the page, stay where they were.
 */
export class Regions {
  constructor(root) {
    this.root = root;
    this.drawn = new Map();
  }

  /** `parts` is a list of [name, what it shows (compared as JSON), draw function giving an element or null]. */
  show(parts) {
    const names = new Set(parts.map(([name]) => name));
    for (const [name, old] of this.drawn) {
      if (!names.has(name)) {
        old.element.remove();
        this.drawn.delete(name);
      }
    }
    let before = null;
    for (const [name, shows, draw] of parts) {
      const key = JSON.stringify(shows);
      const old = this.drawn.get(name);
      let element = old?.element;
      if (!old || old.key !== key) {
        const focus = focusName();
        element = draw() ?? document.createComment(name);
        if (old) old.element.replaceWith(element);
        this.drawn.set(name, { key, element });
        giveFocus(focus, this.root);
      }
      const next = before ? before.nextSibling : this.root.firstChild;
      if (element !== next) this.root.insertBefore(element, next);
      before = element;
    }
  }
}

/** The focus name of the element that has the focus, or null. */
export function focusName() {
  return document.activeElement?.getAttribute?.("data-focus") ?? null;
}

/** Gives the focus back to the element of that name, if it went away with a redraw. */
export function giveFocus(name, root) {
  if (!name || focusName() === name) return;
  root.querySelector(`[data-focus="${CSS.escape(name)}"]`)?.focus({ preventScroll: true });
}
