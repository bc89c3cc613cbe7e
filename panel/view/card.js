// A card: a heading, what it is about, by its label, and two buttons that wait while one of them is carried out.

import { isWorded } from "../words.js";
import { DECIDED, tell, UNDER_WAY } from "./decided.js";
import { h } from "./dom.js";

/** @typedef {{label: () => string, onclick: () => void}} Button */

/**
 * @param {object} given
 * @param {() => string} given.heading   asked again when the language changes, as the labels are
 * @param {(Node | null)[]} given.about
 * @param {Button} given.primary
 * @param {Button} given.secondary
 */
export function card({ heading, about, primary, secondary }) {
  let busy = false;
  const button = (/** @type {string} */ kind, /** @type {Button} */ { label, onclick }) =>
    h("button", { type: "button", class: `act ${kind}`, onclick: () => busy || onclick() }, label);
  const first = button("primary", primary);
  const second = button("secondary", secondary);
  const note = h("p", { class: "note", hidden: true });
  const foot = h("div", { class: "card-foot" }, first, second);
  const element = h(
    "section",
    { class: "card", "aria-label": heading },
    h("h4", { class: "card-head" }, heading),
    ...about,
    note,
    foot,
  );
  return {
    element,
    foot,
    get busy() {
      return busy;
    },
    /** @param {boolean} now   they keep the focus, so that nobody who listens loses the place */
    wait(now) {
      busy = now;
      element.classList.toggle(UNDER_WAY, now);
      if (now) tell(element, DECIDED);
      for (const each of [first, second]) each.setAttribute("aria-disabled", String(now));
    },
    /** @param {string} text */
    tell(text) {
      note.hidden = text === "";
      note.textContent = text;
    },
    /** For a change that may have been made: it cannot be called back any more. */
    keepFirstOnly() {
      if (second.matches(":focus")) first.focus();
      second.remove();
    },
  };
}

/**
 * What a line of a card or a text of a question is called, by the contract's closed keys; an unknown one is itself.
 * @param {string} label
 * @param {import("../words.js").Words} words
 */
export function labelOf(label, words) {
  const key = `label.${label}`;
  return isWorded(key) ? words(key) : label;
}
