// Things an answer names, as chips that ask on, and choices as buttons that go on.

import { h } from "./dom.js";

/** @typedef {import("../types.js").Desk} Desk */

/**
 * @param {import("../types.js").Reference[]} references
 * @param {Desk} desk
 */
export function chips(references, desk) {
  if (references.length === 0) return null;
  const all = references.map((each) => h("li", {}, h("button", { type: "button", class: "chip" }, each.label)));
  void desk;
  return h("ul", { class: "chips" }, ...all);
}

/**
 * @param {import("../types.js").Choice[]} options
 * @param {Desk} desk
 */
export function choices(options, desk) {
  if (options.length === 0) return null;
  const all = options.map((each) => {
    const onclick = () => void desk.ask({ question: "", reference: each.token, label: each.label });
    return h("li", {}, h("button", { type: "button", class: "choice", onclick }, each.label));
  });
  return h("ul", { class: "choices" }, ...all);
}
