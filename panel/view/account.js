// What the service itself says of a question: each step while it runs, what it did for the answer, and what that took.

import { firstOf, wordsOf } from "../words.js";
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
 * The line under an answer. The answer's own last line says the same in other words, and makes room for it.
 * @param {Reply} reply
 * @param {HTMLElement} prose   the answer as it is shown
 * @param {() => Words} words   of the panel; what is said is in the answer's language
 */
export function statementOf(reply, prose, words) {
  const spoken = wordsOf(reply.language);
  const own = ownLines(reply, spoken);
  const said = [...prose.querySelectorAll(":scope > p")].filter((each) => own.includes(each.textContent ?? ""));
  said.forEach((each) => each.remove());
  const denies = said.some((each) => each.textContent?.endsWith(spoken("service.none_waits")));
  const what = [...sentences(reply, spoken), ...(denies ? [spoken("service.none_waits")] : [])].join(" ");
  return h("p", { class: "statement" }, () => `${words()("service.says")} `, h("span", { lang: reply.language }, what));
}

/**
 * @param {Reply} reply
 * @param {Words} words
 */
function sentences({ statement: { opened, prepared, changed }, actions }, words) {
  // In the order of the actions: commands come first.
  const run = actions.filter((each) => each.type === "run_command").length;
  const said = [];
  if (run > 0) said.push(words("service.runs", { what: opened.slice(0, run).join(", ") }));
  if (opened.length > run) said.push(words("service.opens", { what: opened.slice(run).join(", ") }));
  if (prepared.length > 0) said.push(words("service.prepared", { what: prepared.join(", ") }));
  else if (changed === false) said.push(words("service.unchanged"));
  return said;
}

/**
 * How the service words the same at the end of its answer, in `domain/own_words.py`: it strikes such sentences from what
 * a model says, so a paragraph that is one of these is never a model's. Another wording is shown as it is, twice.
 * @param {Reply} reply
 * @param {Words} words
 */
function ownLines({ statement, actions }, words) {
  const commands = actions.flatMap((each) =>
    each.type === "open_screen" || each.type === "edit_question" ? [] : [words(`service.${each.type}`)],
  );
  const screens = actions.flatMap((each) =>
    each.type === "open_screen" ? [words("service.opens", { what: each.title })] : [],
  );
  const labels = actions.filter((each) => each.type === "offer_command" || each.type === "confirm_command").length;
  const prepared = statement.prepared.slice(labels);
  const waits = prepared.length > 0 ? [words("service.prepared", { what: prepared.join(", ") })] : [];
  const line = [...new Set(commands), ...screens, ...waits];
  const [unchanged, none] = [words("service.unchanged"), words("service.none_waits")];
  const ends = [[], [unchanged], [none], [unchanged, none]];
  return ends.map((end) => [...line, ...end].join(" ")).filter((each) => each !== "");
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
