// Says what a running question does, from the service's own steps and never from a model's words.

import { h } from "./dom.js";

/** @param {import("../types.js").Desk} desk */
export function stepLine(desk) {
  const words = desk.words();
  const element = h("p", { class: "step", role: "status" }, words("step.asking"));
  return {
    element,
    /** @param {import("../types.js").Step} step */
    show(step) {
      element.textContent = sentence(step, words);
    },
  };
}

/**
 * @param {import("../types.js").Step} step
 * @param {import("../words.js").Words} words
 */
function sentence(step, words) {
  if (step.step === "reading") return words("step.reading", { page: step.page });
  if (step.step === "looking_up") return words("step.looking_up", { tool: step.tool });
  return words("step.checking");
}
