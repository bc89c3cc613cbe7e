// What a line of a card or a text of a question is called, by the contract's closed keys; an unknown one is itself.

/** Each `label.<key>` of the words. */
const KEYS = /** @type {const} */ ([
  ...["pool", "course", "category", "template", "question", "type", "title", "language", "difficulty"],
  ...["explanation", "status", "setting", "gains_access"],
  ...["statement", "text", "choice", "column", "card", "unit", "guidance"],
]);

/**
 * @param {string} label
 * @param {import("../words.js").Words} words
 */
export function labelOf(label, words) {
  const known = KEYS.find((key) => key === label);
  return known === undefined ? label : words(`label.${known}`);
}
