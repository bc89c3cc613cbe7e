// The lists of a question (choices, gaps, columns, cards): one more row and one row less, as values.

import { at, put } from "./draft.js";

/** @typedef {import("./draft.js").Content} Content */

/**
 * How a new row of each list begins.
 * @type {Readonly<Record<string, (rows: readonly unknown[]) => unknown>>}
 */
const NEW_ROWS = {
  "/config/choices": () => ({ text: "", correct: false }),
  "/config/gaps": (rows) => ({ id: nextGap(rows), answers: [""] }),
  "/config/categories": () => "",
  "/config/items": () => ({ text: "", category: 0 }),
};

/**
 * The rows of the list at this path; none where there is no list.
 * @param {unknown} content
 * @param {string} path
 * @returns {readonly unknown[]}
 */
export function rowsOf(content, path) {
  const rows = at(content, path);
  return Array.isArray(rows) ? rows : [];
}

/**
 * The content with an empty row behind the last. A new gap also gets its place, at the end of the text.
 * @param {Content} content
 * @param {string} path
 * @returns {Content}
 */
export function withRow(content, path) {
  const rows = rowsOf(content, path);
  const make = NEW_ROWS[path];
  if (make === undefined) throw new RangeError("there is no such list");
  const longer = put(content, path, [...rows, make(rows)]);
  const text = at(content, "/config/text");
  if (path !== "/config/gaps" || typeof text !== "string") return longer;
  return put(longer, "/config/text", `${text} [[${nextGap(rows)}]]`.trimStart());
}

/**
 * The content without one row. Cards of a column that goes are put into the first one, none changes to a wrong one.
 * @param {Content} content
 * @param {string} path
 * @param {number} index
 * @returns {Content}
 */
export function withoutRow(content, path, index) {
  const shorter = put(content, path, rowsOf(content, path).toSpliced(index, 1));
  if (path !== "/config/categories") return shorter;
  const items = rowsOf(content, "/config/items").map((item) => moved(item, index));
  return put(shorter, "/config/items", items);
}

/**
 * @param {unknown} item
 * @param {number} gone
 */
function moved(item, gone) {
  const category = at(item, "/category");
  if (typeof category !== "number" || category < gone) return item;
  return put(item, "/category", category === gone ? 0 : category - 1);
}

/** @param {readonly unknown[]} rows */
function nextGap(rows) {
  return 1 + Math.max(0, ...rows.map((row) => Number(at(row, "/id")) || 0));
}
