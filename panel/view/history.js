// Earlier conversations, the last used first: to read again, to go on with, or to delete after a second word.

import { AssistProblem } from "../assist-client.js";
import { h, iconButton } from "./dom.js";
import { more } from "./more.js";
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
