// One question and its answer with all that stands under it, in the order the front end's rules give.

import { receipt, stepLine } from "./account.js";
import { actionsOf } from "./actions.js";
import { chips, choices } from "./chips.js";
import { citationMark, citationList } from "./citations.js";
import { h } from "./dom.js";
import { spoken } from "./frame.js";
import { fragmentOf } from "./html.js";
import { follower } from "./outcome.js";
import { problemBox } from "./problem.js";
import { keptStatement, statementOf } from "./statement.js";
import { ANSWERED, reveal } from "./transcript.js";
import { when } from "./when.js";
import { writeCard } from "./write-card.js";
import { speak } from "../words.js";

/**
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {import("../types.js").Reply} Reply
 * @typedef {import("../types.js").Asking} Asking
 */

/**
 * A question that was sent, and what becomes of it.
 * @param {Asking} asking
 * @param {Desk} desk
 */
export function exchange(asking, desk) {
  const said = asking.question || asking.label || "";
  const progress = stepLine(desk);
  const answer = h("div", { class: "answer" });
  const under = h("div", { class: "under" });
  const question = questionOf(said, desk, asking.question === "" ? null : (asking.label ?? null));
  const element = h("article", { class: "exchange" }, question, progress.element, answer, under);
  /** @type {import("../types.js").ScreenContext | null} as it was sent with the question */
  let asked = null;
  return {
    element,
    step: progress.show,
    /**
     * @param {import("../types.js").ScreenContext} screen   as it goes with the question
     * @param {boolean} isWhole   whether the draft in an open editor goes with it
     */
    sent(screen, isWhole) {
      asked = screen;
      if (!isWhole) question.append(h("p", { class: "about" }, () => desk.words()("exchange.without_draft")));
    },
    /** @param {Reply} reply */
    async answer(reply) {
      await speak(reply.language);
      progress.element.remove();
      const [prose, followed] = body(reply, desk);
      const statement = statementOf(reply, prose, under, desk.words);
      answer.lang = reply.language;
      answer.append(answerHeading(desk), prose, followed);
      under.append(statement, ...underneath(reply, desk));
      element.dispatchEvent(new Event(ANSWERED, { bubbles: true }));
      desk.announce(`${spoken(answer)} ${spoken(statement)}`);
      await reveal(element, [...prose.children, ...under.children], desk.calm());
      if (asked === null || reply.actions.length === 0) return;
      await actionsOf(reply, asked, under, desk);
      element.dispatchEvent(new Event(ANSWERED, { bubbles: true }));
    },
    /**
     * @param {import("../assist-client.js").AssistProblem} problem
     * @param {() => void} again
     */
    fail(problem, again) {
      progress.element.remove();
      under.append(problemBox(problem, desk, again, true));
      element.scrollIntoView({ block: "end" });
    },
  };
}

/**
 * An exchange of a transcript: it says what was said and when, and does nothing again.
 * @param {import("../types.js").KeptExchange} kept
 * @param {Desk} desk
 */
export function keptExchange(kept, desk) {
  const [prose, followed] = body(kept, desk);
  const said = keptStatement(prose, desk.words);
  const at = h("time", { datetime: kept.at }, () => when(new Date(kept.at), desk.language()));
  return h(
    "article",
    { class: "exchange kept" },
    h("p", { class: "when" }, at),
    questionOf(kept.question, desk),
    h("div", { class: "answer" }, answerHeading(desk), prose, followed),
    h("div", { class: "under" }, said, citationList(kept.citations, desk)),
  );
}

/**
 * @param {string} said
 * @param {Desk} desk
 * @param {string | null} [about]   what it asks on about
 */
function questionOf(said, desk, about = null) {
  return h(
    "div",
    { class: "question" },
    h("h3", { class: "unseen" }, () => desk.words()("exchange.you")),
    about !== null && h("p", { class: "about" }, () => desk.words()("chips.about", { label: about })),
    h("p", {}, said),
  );
}

/** @param {Desk} desk */
function answerHeading(desk) {
  return h("h3", { class: "unseen" }, () => desk.words()("exchange.answer"));
}

/**
 * The text, and the place under it where it is told what came of a link.
 * @param {{html: string, citations: import("../types.js").Citation[]}} said
 * @param {Desk} desk
 * @returns {[HTMLElement, HTMLElement]}
 */
function body({ html, citations }, desk) {
  const followed = h("div", { class: "followed" });
  const fragment = fragmentOf(html, {
    cite: (marker) => citationMark(citations.find((each) => each.marker === marker), desk),
    follow: follower(followed, desk),
  });
  return [h("div", { class: "prose" }, fragment), followed];
}

/**
 * @param {Reply} reply
 * @param {Desk} desk
 */
function underneath(reply, desk) {
  return [
    citationList(reply.citations, desk),
    ...reply.writes.map((write) => writeCard(write, reply.conversation_id, desk)),
    chips(reply.references, desk),
    choices(reply.choices, desk),
    receipt(reply, desk),
  ].filter((part) => part !== null);
}
