// Which conversation stands in the panel: the one this tab had before its page loaded, a new one, or an earlier one.

import { AssistProblem } from "./assist-client.js";
import { history } from "./view/history.js";
import { problemBox } from "./view/problem.js";

/** Of the tab's storage, for after a page load: an id alone, which opens nothing for anybody else. */
const KEY = "assist-panel.conversation";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @typedef {object} Around
 * @property {() => import("./types.js").Desk} desk
 * @property {() => import("./talk.js").Talk | null} talk
 * @property {import("./view/thread.js").Thread} thread
 * @property {() => void} cleared   the conversation that stood there does not any more
 * @property {() => void} chosen   an earlier one was chosen
 */

export class Shelf {
  #around;
  /** @type {string | null} the conversation that stands in the panel */
  #shown = null;
  /** @type {string | null} a conversation that this tab had, and that is still to be shown */
  #toResume = null;

  /** @param {Around} around */
  constructor(around) {
    this.#around = around;
  }

  /** @param {string | null} id   of the conversation that goes on from here */
  goesOn(id) {
    this.#shown = id;
    remember(id);
  }

  /**
   * Takes away what stands, to be shown again by `resume`.
   * @param {boolean} [isSameSession]
   * @returns {string | null} the tab's conversation
   */
  putAside(isSameSession = false) {
    this.#around.thread.begin(isSameSession);
    this.#around.cleared();
    this.#toResume = remembered();
    return this.#toResume;
  }

  /** Shows the conversation that the tab had, if there was one: of one that is gone or another person's it says nothing. */
  async resume() {
    const id = this.#toResume;
    this.#toResume = null;
    if (id !== null) await this.#read(id, { isOver: false });
  }

  /** Begins a new one. @param {boolean} [isSameSession] */
  clear(isSameSession = true) {
    this.#toResume = null;
    this.#around.talk()?.goOn(null);
    this.#around.thread.begin(isSameSession);
    this.#around.cleared();
  }

  /** The list of what there is. */
  list() {
    return history(this.#around.desk(), {
      choose: (line) => void this.#open(line),
      deleted: (id) => {
        if (id === this.#shown) this.clear();
      },
    });
  }

  /** @param {import("./types.js").ConversationLine} line */
  async #open({ id, active }) {
    this.clear();
    this.#around.talk()?.goOn(active ? id : null);
    this.#around.chosen();
    await this.#read(id, { isOver: !active });
  }

  /**
   * @param {string} id
   * @param {{isOver: boolean}} how
   */
  async #read(id, how) {
    const { thread, talk, desk } = this.#around;
    this.#shown = id;
    try {
      await thread.read(id, { ...how, isWanted: () => this.#shown === id });
      thread.tell(null);
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      // Another one stands there by now.
      if (this.#shown !== id) return;
      if (error.code === "conversation_not_found") talk()?.forget(id);
      else thread.tell(problemBox(error, desk(), () => void this.#read(id, how)));
    }
  }
}

/** @returns {string | null} */
function remembered() {
  const kept = attempted(() => sessionStorage.getItem(KEY));
  return kept !== null && ID.test(kept) ? kept : null;
}

/** @param {string | null} id   null: none */
function remember(id) {
  attempted(() => (id === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, id)));
}

/**
 * A page may be without storage: then a page load begins anew.
 * @template Found
 * @param {() => Found} use
 * @returns {Found | null}
 */
function attempted(use) {
  try {
    return use();
  } catch {
    return null;
  }
}
