// What was before, page by page as it is asked for: earlier conversations, to read, to go on with, to delete after a second word.

import { AssistProblem } from "../assist-client.js";
import { h, iconButton } from "./dom.js";
import { problemBox } from "./problem.js";
import { when } from "./when.js";

/**
 * @typedef {import("../types.js").ConversationLine} ConversationLine
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {{choose: (line: ConversationLine) => void, deleted: (id: string) => void}} Answers   to what a person does here
 */

/**
 * @param {Desk} desk
 * @param {Answers} answers
 * @returns {Promise<HTMLElement>}
 */
export async function history(desk, answers) {
  const title = h("h3", { class: "beside-title", tabindex: -1 }, () => desk.words()("panel.history"));
  const none = h("p", { class: "none" }, () => desk.words()("history.none"));
  const list = h("ul", { class: "conversations" });
  const rest = h("div", { class: "rest" });
  const gone = (/** @type {string} */ id) => {
    none.hidden = list.childElementCount > 0;
    title.focus();
    desk.announce(desk.words()("history.deleted"));
    answers.deleted(id);
  };
  const show = (/** @type {{items: ConversationLine[], next: string | null}} */ page) => {
    list.append(...page.items.map((each) => lineOf(each, desk, { ...answers, deleted: gone })));
    return page.next;
  };
  more(rest, show(await desk.client.conversations()), async (cursor) => show(await desk.client.conversations(cursor)), desk);
  none.hidden = list.childElementCount > 0;
  return h("div", { class: "history" }, title, none, list, rest);
}

/**
 * @param {ConversationLine} line
 * @param {Desk} desk
 * @param {Answers} answers
 */
function lineOf(line, desk, answers) {
  const state = () => desk.words()(line.active ? "history.active" : "history.ended");
  const named = () => line.title || desk.words()("history.untitled");
  const open = h(
    "button",
    { type: "button", class: "conversation", onclick: () => answers.choose(line) },
    h("span", { class: "conversation-title" }, named),
    h("span", { class: "conversation-state" }, h("time", { datetime: line.last_at }, () => when(new Date(line.last_at), desk.language())), " · ", state),
  );
  const bin = iconButton("bin", () => desk.words()("history.delete", { title: named() }), () => ask());
  const aside = h("div", { class: "aside" }, bin);
  const element = h("li", {}, open, aside);
  const leave = () => {
    aside.replaceChildren(bin);
    bin.focus();
  };
  const ask = () => {
    const sure = confirmation(line, desk, leave, () => {
      element.remove();
      answers.deleted(line.id);
    });
    aside.replaceChildren(sure.element);
    sure.focus();
  };
  return element;
}

/**
 * The second word: nothing is deleted without it.
 * @param {ConversationLine} line
 * @param {Desk} desk
 * @param {() => void} keep
 * @param {() => void} gone
 */
function confirmation(line, desk, keep, gone) {
  const told = h("div");
  let isRunning = false;
  const remove = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await desk.client.deleteConversation(line.id);
      gone();
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      isRunning = false;
      // Deleted already, in another tab: what was wished for is so.
      if (error.code === "conversation_not_found") gone();
      else told.replaceChildren(problemBox(error, desk));
    }
  };
  const no = h("button", { type: "button", class: "keep", onclick: keep }, () => desk.words()("history.keep"));
  const yes = h("button", { type: "button", class: "remove", onclick: () => void remove() }, () => desk.words()("history.remove"));
  const question = h("p", {}, () => desk.words()("history.sure"));
  return { element: h("div", { class: "sure", role: "group" }, question, yes, no, told), focus: () => no.focus() };
}

/**
 * A list that comes in pages: a button brings the next one, and goes when there is none.
 * @param {HTMLElement} place   where the button stands, and what went wrong
 * @param {string | null} next   the cursor of the next page
 * @param {(cursor: string) => Promise<string | null>} load   shows that page and gives the cursor of the one after it
 * @param {import("../types.js").Desk} desk
 */
export function more(place, next, load, desk) {
  if (next === null) return place.replaceChildren();
  const bring = async () => {
    button.setAttribute("aria-disabled", "true");
    try {
      more(place, await load(next), load, desk);
      place.tabIndex = -1;
      (place.querySelector("button") ?? place).focus();
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      place.replaceChildren(problemBox(error, desk), button);
      button.removeAttribute("aria-disabled");
    }
  };
  const onclick = () => {
    if (!button.hasAttribute("aria-disabled")) void bring();
  };
  const button = h("button", { type: "button", class: "more", onclick }, () => desk.words()("history.more"));
  place.replaceChildren(button);
}
