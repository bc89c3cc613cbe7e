// What the service itself says of a question: each step while it runs, and what the answer took.

import { firstOf } from "../words.js";
import { h, reword } from "./dom.js";

/**
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {import("../types.js").Reply} Reply
 * @typedef {import("../words.js").Words} Words
 */

/** @param {Desk} desk */
export function stepLine(desk) {
  let sentence = () => desk.words()("step.asking");
  const element = h("p", { class: "step", role: "status" }, () => sentence());
  return {
    element,
    /** @param {import("../types.js").Step} step */
    show(step) {
      sentence = () => sentenceOf(step, desk.words());
      reword(element);
    },
  };
}

/**
 * @param {import("../types.js").Step} step
 * @param {Words} words
 */
function sentenceOf(step, words) {
  if (step.step === "reading") return words("step.reading", { page: pageName(step.page) });
  if (step.step === "looking_up") return words("step.looking_up", { what: toolName(step.tool, words) });
  return words("step.checking");
}

/**
 * A page by its path, as a person reads it: `teacher/question-types` is "Question types".
 * @param {string} path
 */
export function pageName(path) {
  const name = (path.split("/").at(-1) ?? "").replace(/\.md$/, "").replaceAll(/[-_]+/g, " ").trim();
  return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}

/**
 * What a tool looks at, in words; of one this panel does not know, that it is something.
 * @param {string} tool
 * @param {Words} words
 */
function toolName(tool, words) {
  return firstOf(words, [`tool.${tool}`, "tool.other"]);
}

/**
 * @param {Reply} reply
 * @param {Desk} desk
 * @returns {HTMLElement}
 */
export function receipt({ receipt: took }, desk) {
  return h(
    "details",
    { class: "receipt" },
    h("summary", {}, () => desk.words()("receipt.summary")),
    took.requests === 0 && h("p", {}, () => desk.words()("receipt.own")),
    h("dl", {}, ...figures(took, desk)),
    h("h4", {}, () => desk.words()("receipt.left")),
    sentList(took, desk),
  );
}

/**
 * @param {Reply["receipt"]} took
 * @param {Desk} desk
 */
function figures(took, desk) {
  const number = (/** @type {number} */ value) => new Intl.NumberFormat(desk.language()).format(value);
  const line = (/** @type {import("../words.js").Key} */ key, /** @type {() => string} */ value) => [
    h("dt", {}, () => desk.words()(key)),
    h("dd", {}, value),
  ];
  const asked = [
    ...line("receipt.models", () => took.models.join(", ")),
    ...line("receipt.tokens", () =>
      desk.words()("receipt.counted", {
        read: number(took.input_tokens),
        cached: number(took.cached_input_tokens),
        written: number(took.output_tokens),
      }),
    ),
    ...line("receipt.cost", () => dollars(took.cost_micros, desk.language())),
  ];
  return [
    ...line("receipt.requests", () => number(took.requests)),
    ...(took.requests === 0 ? [] : asked),
    ...line("receipt.manual", () => took.corpus_version),
  ];
}

/**
 * A cost with all its digits: an answer costs a fraction of a cent.
 * @param {number} micros   millionths of a US dollar
 * @param {string} language
 */
function dollars(micros, language) {
  const format = { style: /** @type {const} */ ("currency"), currency: "USD", minimumFractionDigits: 2, maximumFractionDigits: 6 };
  return new Intl.NumberFormat(language, format).format(micros / 1_000_000);
}

/**
 * @param {Reply["receipt"]} took
 * @param {Desk} desk
 */
function sentList({ sent, also_sent: also }, desk) {
  const lines = [
    ...also.map((kind) => () => firstOf(desk.words(), [`receipt.also.${kind}`, "receipt.also.other"])),
    ...sent.map(({ tool, disclosure }) => () => {
      const what = toolName(tool, desk.words());
      return firstOf(desk.words(), [`receipt.sent.${disclosure}`, "receipt.sent.other"], { what });
    }),
  ];
  if (lines.length === 0) return h("p", {}, () => desk.words()("receipt.nothing"));
  return h("ul", {}, ...lines.map((line) => h("li", {}, line)));
}
