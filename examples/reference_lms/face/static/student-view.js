// A question as a student sees it, as elements: every text by textContent, and nothing in it tells what is right.

import { at } from "./draft.js";
import { piecesOf } from "./marking.js";
import { rowsOf } from "./rows.js";

/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("./marking.js").Given} Given */
/** @typedef {Readonly<Record<string, string>>} Words */
/** @typedef {{element: HTMLElement, given: () => Given}} StudentView */

/** @type {Readonly<Record<string, (content: Content, words: Words) => {parts: Node[], given: () => Given}>>} */
const ANSWERS = { mcq: choices, cloze: gaps, categorize: cards, numeric: number, open };

/**
 * The question, and a function that reads what was answered in it.
 * @param {string} type
 * @param {Content} content
 * @param {Words} words
 * @returns {StudentView}
 */
export function studentView(type, content, words) {
  const element = make("div", { className: "student-view" });
  const { parts, given } = ANSWERS[type]?.(content, words) ?? { parts: [], given: () => "" };
  element.append(make("p", { className: "statement", textContent: textAt(content, "/config/statement") }), ...parts);
  return { element, given };
}

/**
 * @param {Content} content
 */
function choices(content) {
  const type = at(content, "/config/multiple") === true ? "checkbox" : "radio";
  const boxes = rowsOf(content, "/config/choices").map((choice) => {
    const box = make("input", { type, name: "student-choice" });
    const label = make("label", { className: "student-choice" });
    label.append(box, make("span", { textContent: textAt(choice, "/text") }));
    return { box, label };
  });
  return { parts: boxes.map(({ label }) => label), given: () => boxes.map(({ box }) => box.checked) };
}

/**
 * @param {Content} content
 * @param {Words} words
 */
function gaps(content, words) {
  /** @type {Map<number, HTMLInputElement>} */
  const written = new Map();
  const text = make("p", { className: "student-text" });
  for (const piece of piecesOf(content)) {
    if (typeof piece === "string") {
      text.append(piece);
    } else {
      const field = make("input", { type: "text", autocomplete: "off", maxLength: 2000 });
      field.setAttribute("aria-label", (words["blank"] ?? "").replace("@", String(piece)));
      if (!written.has(piece)) written.set(piece, field);
      text.append(field);
    }
  }
  const ids = rowsOf(content, "/config/gaps").map((gap) => Number(at(gap, "/id")));
  return { parts: [text], given: () => ids.map((id) => written.get(id)?.value ?? "") };
}

/**
 * @param {Content} content
 * @param {Words} words
 */
function cards(content, words) {
  const columns = rowsOf(content, "/config/categories");
  const picks = rowsOf(content, "/config/items").map((item) => {
    const pick = make("select", {});
    pick.append(new Option(words["choose"] ?? "", ""), ...columns.map((name, place) => new Option(String(name), `${place}`)));
    const label = make("label", { className: "student-card" });
    label.append(make("span", { textContent: textAt(item, "/text") }), pick);
    return { pick, label };
  });
  return { parts: picks.map(({ label }) => label), given: () => picks.map(({ pick }) => pick.value) };
}

/**
 * @param {Content} content
 * @param {Words} words
 */
function number(content, words) {
  const field = make("input", { type: "text", inputMode: "decimal", autocomplete: "off", maxLength: 40 });
  const label = make("label", { className: "student-number" });
  label.append(
    make("span", { textContent: words["your_answer"] ?? "" }),
    field,
    make("span", { textContent: textAt(content, "/config/unit") }),
  );
  return { parts: [label], given: () => field.value };
}

/**
 * @param {Content} content
 * @param {Words} words
 */
function open(content, words) {
  const field = make("textarea", { rows: 5, maxLength: 20_000 });
  const label = make("label", { className: "student-open" });
  label.append(make("span", { textContent: words["your_answer"] ?? "" }), field);
  const most = (words["at_most"] ?? "").replace("{}", String(at(content, "/config/max_words")));
  return { parts: [label, make("p", { className: "hint", textContent: most })], given: () => field.value };
}

/**
 * @param {unknown} root
 * @param {string} path
 */
function textAt(root, path) {
  return String(at(root, path) ?? "");
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}
