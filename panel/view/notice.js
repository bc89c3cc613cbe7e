// What is sent to whom: in full until a first question is asked, then behind a word, and never in another language's words.

import { h } from "./dom.js";

/**
 * @param {HTMLElement} full   where it stands in full, at the head of an empty conversation
 * @param {() => import("../words.js").Words} words
 */
export function notice(full, words) {
  let text = "";
  let isLater = false;
  const said = h("p");
  const folded = h("details", { class: "notice-later" }, h("summary", {}, () => words()("notice.summary")), said);
  const show = () => {
    full.textContent = text;
    said.textContent = text;
    full.hidden = isLater || text === "";
    folded.hidden = !isLater || text === "";
  };
  show();
  return {
    full,
    folded,
    /** @param {string} now   as the service worded it; empty while that is not known */
    say(now) {
      text = now;
      show();
    },
    /** @param {boolean} now   whether a question was asked */
    fold(now) {
      isLater = now;
      folded.open = false;
      show();
    },
  };
}

/** @typedef {ReturnType<typeof notice>} Notice */
