// What the next question asks on about: it stands above the composer until it was asked or taken away.

import { h, iconButton } from "./dom.js";

/**
 * @param {() => import("../words.js").Words} words
 * @param {() => void} onDrop   the person has taken it away
 */
export function aboutChip(words, onDrop) {
  const element = h("p", { class: "asks-about", hidden: true });
  /** @type {import("../types.js").About | null} */
  let about = null;

  /** @param {import("../types.js").About | null} next */
  function ask(next) {
    about?.show(false);
    about = next;
    about?.show(true);
    const label = about?.label ?? "";
    element.hidden = about === null;
    element.replaceChildren(words()("chips.about", { label }), iconButton("close", words()("chips.remove", { label }), drop));
  }

  function drop() {
    ask(null);
    onDrop();
  }

  return { element, ask, get: () => about };
}
