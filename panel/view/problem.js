// Every problem in words: what happened, and what the person can do about it.

import { firstOf } from "../words.js";
import { h } from "./dom.js";

/**
 * @param {import("../assist-client.js").AssistProblem} problem
 * @param {import("../types.js").Desk} desk
 */
export function problemBox(problem, desk) {
  return h("p", { class: "problem", role: "alert" }, firstOf(desk.words(), [`problem.${problem.code}`]));
}
