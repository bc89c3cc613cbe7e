// Makes elements out of values: text is always text, and nothing that was given becomes markup.

/** @typedef {string | Node | null | false | (() => string)} Child   a function says it anew when the language changes */

/** @type {WeakMap<Node, (() => void)[]>} what words each thing anew */
const WORDINGS = new WeakMap();

/**
 * An element. Properties that begin with `on` are listeners, `data`/`aria` ones and the rest are attributes; false and
 * null leave one out. An attribute or a child that is a function is asked again by `reword`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void) | (() => string)>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function" && name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (typeof value === "function") keepWorded(element, () => element.setAttribute(name, /** @type {() => string} */ (value)()));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (typeof child === "function") element.append(wordedText(child));
    else if (child !== null && child !== false) element.append(child);
  }
  return element;
}

/** @param {() => string} say */
function wordedText(say) {
  const text = document.createTextNode("");
  keepWorded(text, () => (text.data = say()));
  return text;
}

/**
 * @param {Node} node
 * @param {() => void} word
 */
function keepWorded(node, word) {
  WORDINGS.set(node, [...(WORDINGS.get(node) ?? []), word]);
  word();
}

/**
 * Says anew, in the language of now, whatever was given as a function under this.
 * @param {Node} root
 */
export function reword(root) {
  const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = /** @type {Node | null} */ (root); node !== null; node = nodes.nextNode()) {
    for (const word of WORDINGS.get(node) ?? []) word();
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** Paths on a grid of 24, drawn for this panel. */
const ICONS = {
  ask: "M4 5h16v11H10l-5 4v-4H4z M8.5 9.5h7 M8.5 12.5h4",
  down: "M6 9.5l6 6 6-6",
  close: "M6 6l12 12 M18 6L6 18",
  send: "M12 19V5 M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  list: "M5 7h14 M5 12h14 M5 17h9",
  back: "M11 6l-6 6 6 6 M5 12h14",
  plus: "M12 5v14 M5 12h14",
  bin: "M5 7h14 M10 7V5h4v2 M7 7l1 12h8l1-12",
};

/**
 * @param {keyof typeof ICONS} name
 * @param {string} [more]   a class of its own
 * @returns {SVGSVGElement} hidden from those who listen: what it stands in has a name
 */
export function icon(name, more = "") {
  const drawing = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", "aria-hidden": "true", class: `icon ${more}`.trim() })) {
    drawing.setAttribute(key, value);
  }
  path.setAttribute("d", ICONS[name]);
  drawing.append(path);
  return drawing;
}

/**
 * A button with an icon and a name.
 * @param {keyof typeof ICONS} name
 * @param {string | (() => string)} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, string | number | boolean | null>} [more]
 */
export function iconButton(name, label, onclick, more = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...more }, icon(name));
}
