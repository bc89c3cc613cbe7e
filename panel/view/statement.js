// What the service itself says that it did for an answer, said once, never by a model, and never as of now once it is not.

import { isSpoken, LANGUAGES, wordsOf } from "../words.js";
import { DECIDED, FOLLOWED } from "./decided.js";
import { h, reword } from "./dom.js";

/**
 * @typedef {import("../types.js").Reply} Reply
 * @typedef {import("../words.js").Words} Words
 */

/**
 * The line under an answer. The answer's own last line says the same in other words, and makes room for it. It speaks of
 * the moment of the answer, until what stands under it tells what came of that.
 * @param {Reply} reply
 * @param {HTMLElement} prose   the answer as it is shown
 * @param {HTMLElement} under   what stands under it
 * @param {() => Words} words   of the panel; what is said is in the answer's language
 */
export function statementOf(reply, prose, under, words) {
  const spoken = wordsOf(reply.language);
  const own = ownLines(reply, spoken);
  const said = [...prose.querySelectorAll(":scope > p")].filter((each) => own.includes(each.textContent ?? ""));
  said.forEach((each) => each.remove());
  const denies = said.some((each) => each.textContent?.endsWith(spoken("service.none_waits")));
  const past = { isFollowed: false, isDecided: false };
  const what = () => [...sentences(reply, spoken, past), ...(denies ? [spoken("service.none_waits")] : [])].join(" ");
  const element = lineOf(what, reply.language, words);
  const anew = (/** @type {Partial<typeof past>} */ now) => {
    Object.assign(past, now);
    reword(element);
  };
  under.addEventListener(FOLLOWED, () => anew({ isFollowed: true }));
  under.addEventListener(DECIDED, () => anew({ isDecided: true }));
  return element;
}

/**
 * The same of an answer of a transcript, taken out of its text: there the service's own line is the last one. Its words
 * stay as they were.
 * @param {HTMLElement} prose
 * @param {() => Words} words
 * @returns {HTMLElement | null} null where the last line is not exactly one that the service words
 */
export function keptStatement(prose, words) {
  const last = prose.lastElementChild;
  const text = last?.matches("p") ? (last.textContent ?? "") : "";
  const language = LANGUAGES.find((each) => isSpoken(each) && patternOf(wordsOf(each)).test(text));
  if (language === undefined) return null;
  last?.remove();
  return lineOf(() => text, language, words);
}

/**
 * @param {() => string} what
 * @param {string} language
 * @param {() => Words} words
 */
function lineOf(what, language, words) {
  return h("p", { class: "statement" }, () => `${words()("service.says")} `, h("span", { lang: language }, what));
}

/**
 * @param {Reply} reply
 * @param {Words} words
 * @param {{isFollowed: boolean, isDecided: boolean}} past   what is not as it was when the answer came
 */
function sentences({ statement: { opened, prepared, changed }, actions }, words, { isFollowed, isDecided }) {
  // In the order of the actions: commands come first.
  const run = actions.filter((each) => each.type === "run_command").length;
  const said = [];
  if (run > 0) said.push(words(isFollowed ? "service.asked_to_run" : "service.runs", { what: opened.slice(0, run).join(", ") }));
  if (opened.length > run) said.push(words(isFollowed ? "service.asked_to_open" : "service.opens", { what: opened.slice(run).join(", ") }));
  const waits = isDecided ? "service.was_prepared" : "service.prepared";
  if (prepared.length > 0) said.push(words(waits, { what: prepared.join(", ") }));
  else if (changed === false && !isDecided) said.push(words("service.unchanged"));
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
 * Any line that the service may end an answer with, in the order of `ownLines`.
 * @param {Words} words
 */
function patternOf(words) {
  const [opens, prepared, unchanged, none, ...commands] = OWN.map((key) =>
    words(key, { what: "\0" }).replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace("\0", ".+"),
  );
  const line = `(?:(?:${commands.join("|")}) ?)*(?:${opens} ?)?(?:${prepared} ?)?(?:${unchanged} ?)?(?:${none})?`;
  return new RegExp(`^(?=.)${line}$`, "u");
}

const OWN = /** @type {const} */ ([
  ...["service.opens", "service.prepared", "service.unchanged", "service.none_waits"],
  ...["service.run_command", "service.offer_command", "service.confirm_command"],
]);
