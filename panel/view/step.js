// Says what a running question does, from the service's own steps and never from a model's words.

import { firstOf } from "../words.js";
import { h, reword } from "./dom.js";

/** @param {import("../types.js").Desk} desk */
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
 * @param {import("../words.js").Words} words
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
 * @param {import("../words.js").Words} words
 */
export function toolName(tool, words) {
  return firstOf(words, [`tool.${tool}`, "tool.other"]);
}
