// A prepared change: every line of its card, Confirm and Cancel, and what came of it.

import { AssistProblem } from "../assist-client.js";
import { firstOf } from "../words.js";
import { card } from "./card.js";
import { h } from "./dom.js";
import { labelOf } from "./labels.js";
import { line, linkTo, replaceBy } from "./outcome.js";
import { inTurn } from "./turns.js";

/** How long a card may be confirmed at the most. */
const LIFETIME_MILLISECONDS = 10 * 60 * 1000;

/** What each tool does; of one that came later only that it changes something. */
const HEADINGS = /** @type {const} */ ({
  create_question: "write.create_question",
  create_category: "write.create_category",
  create_template: "write.create_template",
  add_questions_to_template: "write.add_questions_to_template",
  link_pool_to_course: "write.link_pool_to_course",
});

/**
 * @param {import("../types.js").PreparedWrite} write
 * @param {string} conversationId
 * @param {import("../types.js").Desk} desk
 */
export function writeCard(write, conversationId, desk) {
  const words = desk.words();
  const end = endOf(write, desk.now());
  const time = timeOf(end);
  let mayBeMade = false;
  const shown = card({
    heading: headingOf(write.tool, words),
    about: [linesOf(write, words), h("p", { class: "until" }, words("write.until", { time }))],
    primary: { label: words("card.confirm"), onclick: () => void confirm() },
    secondary: { label: words("card.cancel"), onclick: () => void cancel() },
  });
  const { element } = shown;
  const timer = setTimeout(() => shown.busy || over(words("write.expired")), end - desk.now());

  async function confirm() {
    shown.wait(true);
    shown.tell(words("write.confirming"));
    try {
      made(await inTurn(desk, "confirm", () => desk.client.confirm(write.id, conversationId)));
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      refused(error);
    } finally {
      shown.wait(false);
    }
  }

  async function cancel() {
    shown.wait(true);
    try {
      await desk.client.cancel(write.id, conversationId);
      over(words("write.cancelled"));
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      if (error.code === "write_not_found") over(overWords());
      else tell(words("write.not_cancelled", { time }));
    } finally {
      shown.wait(false);
    }
  }

  /** @param {{path: string, title: string}} result */
  function made(result) {
    close(line(`${words("write.done")} `, linkTo(result, element, desk)));
  }

  /** @param {AssistProblem} problem */
  function refused({ code, reason }) {
    if (code === "write_not_found") return over(overWords());
    if (code === "write_failed") return over(firstOf(words, [`write.failed.${reason}`, "write.failed.failed"]));
    if (code === "write_unknown") {
      // It was sent: only the same Confirm can find out, for longer than the card says, and no Cancel reaches it.
      clearTimeout(timer);
      shown.keepFirstOnly();
    }
    mayBeMade ||= code === "write_unknown" || code === "unreachable";
    if (desk.now() >= end && !mayBeMade) return over(words("write.expired"));
    tell(firstOf(words, [`write.${code}`, `problem.${code}`]));
  }

  function overWords() {
    return words(mayBeMade ? "write.over_unsure" : "write.over");
  }

  /** @param {string} text */
  function over(text) {
    close(line(text));
  }

  /** @param {HTMLElement} said */
  function close(said) {
    clearTimeout(timer);
    shown.tell("");
    element.querySelector(".until")?.remove();
    element.classList.add("over");
    replaceBy(shown.foot, said, desk);
  }

  /** @param {string} text */
  function tell(text) {
    shown.tell(text);
    desk.announce(text);
  }

  return element;
}

/**
 * When a card is over, by this device's clock: one that is wrong by more than a card's life counts from the answer on.
 * @param {import("../types.js").PreparedWrite} write
 * @param {number} now
 */
function endOf(write, now) {
  const end = Date.parse(write.expires_at);
  return end > now && end - now <= LIFETIME_MILLISECONDS ? end : now + LIFETIME_MILLISECONDS;
}

/** @param {number} moment */
function timeOf(moment) {
  const date = new Date(moment);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

/**
 * @param {string} tool
 * @param {import("../words.js").Words} words
 */
function headingOf(tool, words) {
  const known = /** @type {(keyof typeof HEADINGS)[]} */ (Object.keys(HEADINGS)).find((each) => each === tool);
  return words(known === undefined ? "write.other" : HEADINGS[known]);
}

/**
 * Every line, whole and as it is.
 * @param {import("../types.js").PreparedWrite} write
 * @param {import("../words.js").Words} words
 */
function linesOf({ lines }, words) {
  const all = lines.flatMap(({ label, value }) => [
    h("dt", { dir: "auto" }, labelOf(label, words)),
    h("dd", { dir: "auto" }, value),
  ]);
  return h("dl", { class: "lines" }, ...all);
}
