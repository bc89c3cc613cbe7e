// Timers that a test turns by hand.

/** A clock that stands still until it is turned. */
export class HandTimers {
  now = 0;
  #next = 1;
  /** @type {Map<number, {at: number, run: () => void}>} */
  #due = new Map();

  /**
   * @param {() => void} run
   * @param {number} ms
   */
  set = (run, ms) => {
    this.#due.set(this.#next, { at: this.now + ms, run });
    return this.#next++;
  };

  /** @param {number} timer */
  clear = (timer) => void this.#due.delete(timer);

  get waiting() {
    return this.#due.size;
  }

  /**
   * Runs what is due by then, and lets what it began come as far as it can.
   * @param {number} ms
   */
  async turn(ms) {
    this.now += ms;
    for (const [timer, { at, run }] of [...this.#due]) {
      if (at > this.now) continue;
      this.#due.delete(timer);
      run();
    }
    await settled();
  }
}

/** Until every promise that can has come to its end. */
export function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}
