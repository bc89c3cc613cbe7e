// Says to those who listen what is new: each sentence once, and in turn.

import { h } from "./dom.js";

/** How long a sentence stays where those who read by line could meet it a second time. */
const KEPT_MILLISECONDS = 5000;

/** Elements after which a listener needs a pause: without one, two cells of a table are one word. */
const BLOCKS = "p, li, td, th, pre, blockquote, h3, h4, h5, h6, br, hr, button";

export function announcer() {
  const element = h("div", { class: "unseen announcer", "aria-live": "polite" });
  return {
    element,
    /** @param {string} sentence   the same one is said again when it is given again */
    announce(sentence) {
      const line = h("p", {}, sentence);
      element.append(line);
      setTimeout(() => line.remove(), KEPT_MILLISECONDS);
    },
  };
}

/**
 * What an element says, its blocks apart.
 * @param {Element} element
 */
export function spoken(element) {
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const each of copy.querySelectorAll(".mark")) each.remove();
  for (const each of copy.querySelectorAll(BLOCKS)) each.after(" ");
  return (copy.textContent ?? "").replace(/\s+/gu, " ").trim();
}
