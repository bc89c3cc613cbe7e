// Every problem in words: what happened, what the person can do about it, and how long that takes where it is known.

import { AssistProblem } from "../assist-client.js";
import { firstOf } from "../words.js";
import { h, reword } from "./dom.js";

/** What may go well when it is tried again as it is. After any other problem something has to be changed first. */
const PASSING = new Set([
  ...["unauthenticated", "conversation_busy", "idempotency_mismatch", "rate_limited", "internal_error"],
  ...["llm_unavailable", "moderation_unavailable", "lms_unavailable", "manual_unavailable"],
  ...["unreachable", "stopped", "page_failed"],
]);

const SECOND = 1000;

/**
 * What the panel itself did wrong is told too, as what it is, and stands in the console.
 * @param {unknown} fault
 */
export function problemOf(fault) {
  if (fault instanceof AssistProblem) return fault;
  reportError(fault);
  return new AssistProblem("internal_error");
}

/**
 * @param {AssistProblem} problem
 * @param {import("../types.js").Desk} desk
 * @param {(() => void) | null} [again]   tries it once more, where that is possible
 * @param {boolean} [isQuestion]   it is sent again then: anything else was read, and nothing was sent
 */
export function problemBox(problem, desk, again = null, isQuestion = false) {
  const { code, retryAfterSeconds } = problem;
  const own = isQuestion ? `problem.question.${code}` : "";
  const keys = [own, isOfThePage(problem) ? "problem.page_refused" : "", `problem.${code}`];
  const element = h("div", { class: "problem" }, h("p", { role: "alert" }, () => firstOf(desk.words(), keys)));
  if (code === "unauthenticated" && desk.page.hasSignIn()) {
    const onclick = () => desk.page.signIn();
    element.append(h("button", { type: "button", class: "again", onclick }, () => desk.words()("problem.sign_in")));
  }
  const offer = () => {
    if (again === null || !PASSING.has(code)) return;
    const key = isQuestion && (code === "stopped" || code === "unreachable") ? "problem.again" : "problem.try";
    element.append(h("button", { type: "button", class: "again", onclick: again }, () => desk.words()(key)));
  };
  if (retryAfterSeconds === null) offer();
  else element.append(countdown(retryAfterSeconds, desk, offer));
  return element;
}

/**
 * Whether the service refused what the page lends, which no other question mends: its developer reads in the console what.
 * @param {AssistProblem} problem
 */
function isOfThePage({ code, errors }) {
  const wrong = errors.filter(({ field }) => /^(context|editor)\b/.test(field));
  if (code !== "invalid_request" || wrong.length === 0) return false;
  console.warn("<assist-panel>: the service refused", ...wrong.map(({ field, message }) => `${field}: ${message}`));
  return true;
}

/**
 * The wait as it gets shorter. A timer is not read out each second: its end is announced.
 * @param {number} seconds
 * @param {import("../types.js").Desk} desk
 * @param {() => void} over
 */
function countdown(seconds, desk, over) {
  const end = desk.now() + seconds * SECOND;
  const left = () => Math.max(0, Math.ceil((end - desk.now()) / SECOND));
  const element = h("p", { class: "wait", role: "timer" }, () => waitOf(left(), desk.words()));
  const tick = () => {
    reword(element);
    if (left() > 0) return;
    clearInterval(ticking);
    desk.announce(desk.words()("problem.wait.over"));
    over();
  };
  const ticking = setInterval(tick, SECOND);
  return element;
}

/**
 * @param {number} seconds
 * @param {import("../words.js").Words} words
 */
function waitOf(seconds, words) {
  if (seconds <= 0) return words("problem.wait.over");
  if (seconds < 120) return words("problem.wait.seconds", { count: seconds });
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return words("problem.wait.minutes", { count: minutes });
  return words("problem.wait.hours", { count: Math.ceil(minutes / 60) });
}
