// A text before and after, word by word: what left and what came is marked for eyes and for ears alike.

import { h } from "./dom.js";

/** @typedef {{text: string, changed: boolean}} Piece */

/** Pairs of words that are compared at the most; above, both texts are shown whole and unmarked. */
const MOST_PAIRS = 250_000;

/**
 * Which runs of each text the other has not; null where they are too long to compare. Joined, the runs are the texts.
 * @param {string} before
 * @param {string} after
 * @returns {{before: Piece[], after: Piece[]} | null}
 */
export function wordDiff(before, after) {
  const [left, right] = [wordsIn(before), wordsIn(after)];
  if (left.length * right.length > MOST_PAIRS) return null;
  const table = commonLengths(left, right);
  const kept = { before: new Set(), after: new Set() };
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) {
      kept.before.add(row++);
      kept.after.add(column++);
    } else if (at(table, right, row + 1, column) >= at(table, right, row, column + 1)) row++;
    else column++;
  }
  return { before: pieces(left, kept.before), after: pieces(right, kept.after) };
}

/**
 * What a text was and is to be.
 * @param {{before: string, after: string}} change
 * @param {import("../words.js").Words} words
 */
export function diff({ before, after }, words) {
  if (before === "") return [side(() => words("edit.new"), [{ text: after, changed: true }], "ins", words)];
  if (after === "") return [side(() => words("edit.gone"), [{ text: before, changed: true }], "del", words)];
  const found = wordDiff(before, after);
  return [
    side(() => words("edit.before"), found?.before ?? [{ text: before, changed: false }], "del", words),
    side(() => words("edit.after"), found?.after ?? [{ text: after, changed: false }], "ins", words),
  ];
}

/**
 * @param {() => string} name
 * @param {Piece[]} all
 * @param {"ins" | "del"} tag
 * @param {import("../words.js").Words} words
 */
function side(name, all, tag, words) {
  const key = tag === "ins" ? "edit.added" : "edit.removed";
  const marked = all.map(({ text, changed }) =>
    // The marks are read aloud with what they stand around: few readers tell of the elements themselves.
    changed ? h(tag, {}, unseen(() => ` (${words(key)} `), text, unseen(() => ") ")) : text,
  );
  const text = h("p", { class: "text", dir: "auto" }, ...marked);
  return h("div", { class: `side-of-diff ${tag}` }, h("p", { class: "side-name" }, name), text);
}

/** @param {() => string} text */
function unseen(text) {
  return h("span", { class: "unseen" }, text);
}

/**
 * Words, marks and the room between them: joined they are the text.
 * @param {string} text
 * @returns {string[]}
 */
function wordsIn(text) {
  return text.match(/\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? [];
}

/**
 * The longest common run of words from each place on, row by row.
 * @param {string[]} left
 * @param {string[]} right
 */
function commonLengths(left, right) {
  const width = right.length + 1;
  const table = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      table[row * width + column] =
        left[row] === right[column]
          ? at(table, right, row + 1, column + 1) + 1
          : Math.max(at(table, right, row + 1, column), at(table, right, row, column + 1));
    }
  }
  return table;
}

/**
 * @param {Uint16Array} table
 * @param {string[]} right
 * @param {number} row
 * @param {number} column
 */
function at(table, right, row, column) {
  return table[row * (right.length + 1) + column] ?? 0;
}

/**
 * Runs of words that are kept, and of words that are not.
 * @param {string[]} all
 * @param {Set<number>} kept
 */
function pieces(all, kept) {
  /** @type {Piece[]} */
  const found = [];
  all.forEach((text, place) => {
    const last = found.at(-1);
    const changed = !kept.has(place);
    if (last?.changed === changed) last.text += text;
    else found.push({ text, changed });
  });
  return found;
}
