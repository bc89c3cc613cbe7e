// What the service says of this session, asked for anew at each wish; of several answers the last one asked for counts.

import { AssistProblem } from "./assist-client.js";

/**
 * @typedef {import("./types.js").Availability} Availability
 */

export class Learning {
  #ask;
  #know;
  /** @type {Promise<Availability> | null} null: not asked, or in vain */
  #answer = null;

  /**
   * @param {() => Promise<Availability>} ask
   * @param {(found: Availability) => Promise<void>} know   takes an answer in; nothing waits for it in vain that waits here
   */
  constructor(ask, know) {
    this.#ask = ask;
    this.#know = know;
  }

  /**
   * Asks, and returns once the newest answer was taken in.
   * @returns {Promise<Availability>}
   */
  anew() {
    const mine = this.#ask().then(async (found) => {
      if (this.#answer !== mine) return this.known();
      await this.#know(found);
      return found;
    });
    this.#answer = mine;
    mine.catch(() => {
      if (this.#answer === mine) this.#answer = null;
    });
    return mine;
  }

  /** What was said last, asked for if nothing was. */
  known() {
    return this.#answer ?? this.anew();
  }

  /** Nothing is sent before it was said what is sent, nor where nothing may be asked. */
  async ready() {
    const { offered, reason } = await this.known();
    if (!offered) throw new AssistProblem(reason ?? "not_offered");
  }

  /** What was said is not so any more. */
  forget() {
    this.#answer = null;
  }
}
