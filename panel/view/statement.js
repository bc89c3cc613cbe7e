// What the service itself says that it did for an answer, from its statement, said once and never by a model.

import { wordsOf } from "../words.js";
import { h } from "./dom.js";

/**
 * @typedef {import("../types.js").Reply} Reply
 * @typedef {import("../words.js").Words} Words
 */

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
