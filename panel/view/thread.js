// What stands in the conversation, in order; what was not answered stands there until the next question is asked.

import { h } from "./dom.js";
import { keptExchange } from "./exchange.js";
import { more } from "./more.js";
import { transcript } from "./transcript.js";
import { LANGUAGES, speak } from "../words.js";

/** So many exchanges of a transcript come by themselves; more of them when they are asked for. */
const AT_ONCE = 200;

/**
 * @param {HTMLElement} log
 * @param {import("./notice.js").Notice} notice
 * @param {() => import("../types.js").Desk} desk
 */
export function thread(log, notice, desk) {
  const reader = transcript(log);
  /** @type {HTMLElement | null} */
  let last = null;
  /** @type {HTMLElement | null} the last question, while it has no answer */
  let unanswered = null;
  /** @type {HTMLElement | null} */
  let trouble = null;

  function begin() {
    last = unanswered = trouble = null;
    log.replaceChildren(notice.full);
    notice.fold(false);
  }

  begin();
  return {
    begin,
    /** @param {HTMLElement} element   a question that is asked now */
    ask(element) {
      unanswered?.remove();
      trouble?.remove();
      last = unanswered = element;
      notice.fold(true);
      reader.add(element);
    },
    /** The last question has its answer: it stays. */
    keep() {
      unanswered = null;
    },
    /** @param {HTMLElement | null} box   what is wrong, and with no question in particular; null: nothing any more */
    tell(box) {
      trouble?.remove();
      trouble = box;
      if (box !== null) log.append(box);
    },
    /** Before the last question another conversation has begun. */
    anew() {
      last?.before(h("p", { class: "anew" }, () => desk().words()("panel.anew")));
    },
    /**
     * Reads a conversation into the head of what stands here.
     * @param {string} id
     * @param {{isOver: boolean, isWanted: () => boolean}} how   `isOver`: it takes no further question, and says so;
     *   `isWanted`: nobody has gone on to another meanwhile
     */
    async read(id, { isOver, isWanted }) {
      const place = h("div", { class: "earlier" });
      const rest = h("div", { class: "rest" });
      const load = async (/** @type {string | null} */ cursor) => {
        const page = await desk().client.conversation(id, cursor);
        place.append(...page.items.map((each) => keptExchange(each, desk())));
        return page.next;
      };
      // What was said may have been in each of them.
      await Promise.all(LANGUAGES.map(speak));
      let next = await load(null);
      while (next !== null && place.childElementCount < AT_ONCE) next = await load(next);
      if (!isWanted()) return;
      more(rest, next, load, desk());
      const then = h("p", { class: "then" }, () => desk().words()("panel.then"));
      notice.full.after(place.hasChildNodes() ? then : "", place, rest, isOver ? h("p", { class: "anew" }, () => desk().words()("panel.over")) : "");
      notice.fold(true);
      if (isOver) log.scrollTop = 0;
      else reader.toEnd();
    },
  };
}
