// Things an answer names, as chips that ask on, and choices as buttons that go on.

import { AssistProblem } from "../assist-client.js";
import { h } from "./dom.js";

/** @typedef {import("../types.js").Desk} Desk */

/**
 * A click asks on about one: the next question goes with it. A second click takes it away.
 * @param {import("../types.js").Reference[]} references
 * @param {Desk} desk
 */
export function chips(references, desk) {
  if (references.length === 0) return null;
  const all = references.map((each) => h("li", {}, chip(each, desk)));
  return h("ul", { class: "chips", "aria-label": () => desk.words()("chips.label") }, ...all);
}

/**
 * @param {import("../types.js").Reference} reference
 * @param {Desk} desk
 */
function chip({ label, token }, desk) {
  let chosen = false;
  const element = h("button", { type: "button", class: "chip", "aria-pressed": "false", onclick: toggle }, label);
  const about = { label, token, show, end: () => element.closest("li")?.remove() };

  function toggle() {
    desk.about(chosen ? null : about);
  }

  function show(/** @type {boolean} */ now) {
    chosen = now;
    element.setAttribute("aria-pressed", String(now));
  }

  return element;
}

/**
 * One is chosen once: all wait while it is looked up, and stay so unless that failed.
 * @param {import("../types.js").Choice[]} options
 * @param {Desk} desk
 */
export function choices(options, desk) {
  if (options.length === 0) return null;
  let chosen = false;
  const buttons = options.map((option) => {
    const button = h("button", { type: "button", class: "choice", onclick: () => void choose(option, button) }, option.label);
    return button;
  });

  /**
   * @param {import("../types.js").Choice} option
   * @param {HTMLElement} button
   */
  async function choose({ label, token }, button) {
    if (chosen) return;
    show(true);
    button.classList.add("chosen");
    const came = await desk.ask({ question: "", reference: token, label });
    if (came === "answered") return;
    button.classList.remove("chosen");
    show(false);
    if (came instanceof AssistProblem && came.code === "reference_invalid") button.closest("li")?.remove();
  }

  function show(/** @type {boolean} */ now) {
    chosen = now;
    for (const each of buttons) each.setAttribute("aria-disabled", String(now));
  }

  const all = buttons.map((each) => h("li", {}, each));
  return h("ul", { class: "choices", "aria-label": () => desk.words()("choices.label") }, ...all);
}
