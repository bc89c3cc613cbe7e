// What stands in the conversation, in order; what was not answered stands there until the next question, and longer if nowhere else.

import { UNDER_WAY } from "./decided.js";
import { h } from "./dom.js";
import { keptExchange } from "./exchange.js";
import { more } from "./history.js";
import { transcript } from "./transcript.js";
import { LANGUAGES, speak } from "../words.js";

/** So many exchanges of a transcript come by themselves; more of them when they are asked for. */
const AT_ONCE = 200;

export class Thread {
  #log;
  #notice;
  #desk;
  #reader;
  /** @type {HTMLElement | null} */
  #last = null;
  /** @type {HTMLElement | null} the last question, while it has no answer */
  #unanswered = null;
  /** @type {HTMLElement | null} */
  #trouble = null;

  /**
   * @param {HTMLElement} log
   * @param {import("./notice.js").Notice} notice
   * @param {() => import("../types.js").Desk} desk
   */
  constructor(log, notice, desk) {
    this.#log = log;
    this.#notice = notice;
    this.#desk = desk;
    this.#reader = transcript(log);
    this.begin();
  }

  /** Whether anything was said here, but for what is wrong just now. */
  get stands() {
    return [...this.#log.children].some((each) => each !== this.#notice.full && each !== this.#trouble);
  }

  /** @param {boolean} [isSameSession]   then what the person has set going goes along, until it is said what came of it */
  begin(isSameSession = false) {
    const underWay = isSameSession ? this.#log.querySelectorAll(`.${UNDER_WAY}`) : [];
    this.#last = this.#unanswered = this.#trouble = null;
    this.#log.replaceChildren(this.#notice.full, ...underWay);
    this.#notice.fold(false);
  }

  /**
   * @param {HTMLElement} element   a question that is asked now
   * @param {HTMLElement} [failed]   the one for which it is sent again
   */
  ask(element, failed) {
    failed?.remove();
    this.#unanswered?.remove();
    this.#trouble?.remove();
    this.#last = this.#unanswered = element;
    this.#notice.fold(true);
    this.#reader.add(element);
  }

  /** The last question has its answer, or is written nowhere else: it stays. */
  keep() {
    this.#unanswered = null;
  }

  /** @param {HTMLElement | null} box   what is wrong, and with no question in particular; null: nothing any more */
  tell(box) {
    this.#trouble?.remove();
    this.#trouble = box;
    if (box !== null) this.#log.append(box);
  }

  /** Before the last question another conversation has begun. */
  anew() {
    this.#last?.before(this.#line("panel.anew"));
  }

  /**
   * Reads a conversation into the head of what stands here.
   * @param {string} id
   * @param {{isOver: boolean, isWanted: () => boolean}} how   `isOver`: it takes no further question, and says so;
   *   `isWanted`: nobody has gone on to another meanwhile
   */
  async read(id, { isOver, isWanted }) {
    const earlier = await read(id, this.#desk());
    if (!isWanted()) return;
    const isAlone = this.#log.lastElementChild === this.#notice.full;
    this.#notice.full.after(...earlier, isOver ? this.#line("panel.over") : "");
    this.#notice.fold(true);
    if (isOver && isAlone) this.#log.scrollTop = 0;
    else this.#reader.toEnd();
  }

  /** What stood here was another session's. */
  another() {
    this.#log.append(this.#line("panel.another"));
  }

  /** @param {import("../words.js").Key} key */
  #line(key) {
    return h("p", { class: "anew" }, () => this.#desk().words()(key));
  }
}

/**
 * A transcript's exchanges, and the place where the button for more of them stands.
 * @param {string} id
 * @param {import("../types.js").Desk} desk
 */
async function read(id, desk) {
  const place = h("div", { class: "earlier" });
  const rest = h("div", { class: "rest" });
  const load = async (/** @type {string | null} */ cursor) => {
    const page = await desk.client.conversation(id, cursor);
    place.append(...page.items.map((each) => keptExchange(each, desk)));
    return page.next;
  };
  // What was said may have been in each of them.
  await Promise.all(LANGUAGES.map(speak));
  let next = await load(null);
  while (next !== null && place.childElementCount < AT_ONCE) next = await load(next);
  more(rest, next, load, desk);
  const then = h("p", { class: "then" }, () => desk.words()("panel.then"));
  return [...(place.hasChildNodes() ? [then] : []), place, rest];
}
