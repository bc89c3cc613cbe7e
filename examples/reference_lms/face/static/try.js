// The window of "Try it": the stored question as a student answers it; nothing is sent or kept.

import { isRight } from "./marking.js";
import { studentView } from "./student-view.js";

/** How a verdict is worded, by whether the answer was right. */
const VERDICTS = new Map([
  [true, "is_right"],
  [false, "is_wrong"],
  [null, "is_marked"],
]);

const root = document.querySelector("[data-try]");
const form = root?.querySelector("form");
if (root instanceof HTMLElement && form) begin(root, form);

/**
 * @param {HTMLElement} page
 * @param {HTMLFormElement} answers
 */
function begin(page, answers) {
  const { type, config, explanation } = JSON.parse(page.dataset["draft"] ?? "{}");
  const words = JSON.parse(page.dataset["words"] ?? "{}");
  const { element, given } = studentView(type, { config, explanation }, words);
  page.querySelector("[data-student-view]")?.replaceWith(element);
  answers.addEventListener("submit", (event) => {
    event.preventDefault();
    const verdict = isRight(type, { config, explanation }, given());
    say(page, "[data-verdict]", words[VERDICTS.get(verdict) ?? ""] ?? "");
    say(page, "[data-explanation]", explanation);
  });
}

/**
 * @param {ParentNode} page
 * @param {string} place
 * @param {string} text
 */
function say(page, place, text) {
  const element = page.querySelector(place);
  if (element) element.textContent = text;
}
