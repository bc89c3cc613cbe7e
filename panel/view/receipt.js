// What an answer took and what left the service for it, on demand, in words.

import { firstOf } from "../words.js";
import { h } from "./dom.js";
import { toolName } from "./step.js";

/**
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {import("../types.js").Receipt} Receipt
 */

/**
 * @param {import("../types.js").Reply} reply
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
 * @param {Receipt} took
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
 * @param {Receipt} took
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
