// A question as a student meets it: what it shows, and whether an answer is right. No DOM.

import { at } from "./draft.js";
import { rowsOf } from "./rows.js";

/** @typedef {import("./draft.js").Content} Content */
/** What was ticked, written or picked: by row, or one text. @typedef {readonly boolean[] | readonly string[] | string} Given */

/**
 * A text with gaps in its pieces: texts, and the ids of gaps that the question has.
 * @param {Content} content
 * @returns {(string | number)[]}
 */
export function piecesOf(content) {
  const ids = new Set(rowsOf(content, "/config/gaps").map((gap) => at(gap, "/id")));
  const text = String(at(content, "/config/text") ?? "");
  return text
    .split(/(\[\[\d{1,9}\]\])/)
    .filter((piece) => piece !== "")
    .map((piece) => {
      const id = Number(/^\[\[(\d+)\]\]$/.exec(piece)?.[1] ?? Number.NaN);
      return ids.has(id) ? id : piece;
    });
}

/** @type {Readonly<Record<string, (content: Content, given: Given) => boolean>>} */
const RIGHT = {
  mcq: (content, given) =>
    rowsOf(content, "/config/choices").every((choice, index) => at(choice, "/correct") === (given[index] === true)),
  cloze: (content, given) =>
    rowsOf(content, "/config/gaps").every((gap, index) => {
      const written = likeness(String(given[index] ?? ""));
      return rowsOf(gap, "/answers").some((answer) => likeness(String(answer)) === written);
    }),
  categorize: (content, given) =>
    rowsOf(content, "/config/items").every((item, index) => String(at(item, "/category")) === given[index]),
  numeric: (content, given) => {
    const written = typeof given === "string" ? given.trim().replace(",", ".") : "";
    const distance = Math.abs(Number(written) - Number(at(content, "/config/answer")));
    return written !== "" && distance <= Number(at(content, "/config/tolerance"));
  },
};

/**
 * Whether this answer is right; null for a type that a teacher marks.
 * @param {string} type
 * @param {Content} content
 * @param {Given} given By gap in the order of the gaps, by choice, by card; of a number its text.
 * @returns {boolean | null}
 */
export function isRight(type, content, given) {
  return RIGHT[type]?.(content, given) ?? null;
}

/** @param {string} text */
function likeness(text) {
  return text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}
