// Saves a second after the last key, one save at a time, and says how it stands.

/**
 * `changed`: somebody else has saved since; `invalid`: it cannot be stored as it is; `refused`: not by this person now;
 * `other_session`: another tab has signed in since, so this page saves nothing any more;
 * `failed`: no answer, so it may have been stored.
 * @typedef {"saved" | "changed" | "invalid" | "refused" | "other_session" | "failed"} Outcome
 */

/** @typedef {Outcome | "unsaved"} Status */

/** @typedef {{set: (run: () => void, ms: number) => unknown, clear: (timer: any) => void}} Timers */

/** How long after the last key. */
export const AUTOSAVE_MS = 1000;

/** How long after a save that got no answer. */
export const RETRY_MS = 5000;

/** How many saves a flush makes at most, where keys go on coming. */
export const FLUSH_SAVES = 5;

/** Why a draft is not saved. */
export class NotSaved extends Error {
  /** @param {Status} why */
  constructor(why) {
    super(`the draft is not saved: ${why}`);
    this.why = why;
  }
}

/** @type {Timers} */
const BROWSER_TIMERS = { set: (run, ms) => setTimeout(run, ms), clear: (timer) => clearTimeout(timer) };

/** One draft's saving. */
export class Autosave {
  /** @type {unknown} */
  #timer = null;
  /** @type {Promise<Outcome> | null} */
  #running = null;
  /** What came of the last save. @type {Outcome} */
  #outcome = "saved";
  #isOver = false;
  /** How many questions to the person stand that an autosave would answer. */
  #holds = 0;
  /** @type {Status} */
  status = "saved";
  #save;
  #isSaved;
  #tell;
  #timers;

  /**
   * @param {{save: () => Promise<Outcome>, isSaved: () => boolean, tell: (status: Status) => void, timers?: Timers}} desk
   *   `save` sends what is there now, and notes what was stored. It does not reject.
   */
  constructor({ save, isSaved, tell, timers = BROWSER_TIMERS }) {
    this.#save = save;
    this.#isSaved = isSaved;
    this.#tell = tell;
    this.#timers = timers;
  }

  /** The draft was edited. After another's change nothing is sent until `resume`: it would only be refused again. */
  touch() {
    if (this.status === "changed") return;
    this.#say(this.#isDone() ? "saved" : "unsaved");
    this.#wait(AUTOSAVE_MS);
  }

  /**
   * Saves what is not saved yet, now.
   * @throws {NotSaved} when the server does not have all of it in the end
   */
  async flush() {
    this.#cancel();
    for (let round = 0; round < FLUSH_SAVES && !this.#isDone(); round += 1) {
      if (this.#isOver || this.status === "changed") throw new NotSaved(this.status);
      const outcome = await this.#saveOnce();
      if (outcome !== "saved") throw new NotSaved(outcome);
    }
    if (!this.#isDone()) throw new NotSaved("unsaved");
  }

  /** After another's change: the page has decided what counts. */
  resume() {
    this.#outcome = "saved";
    this.#say(this.#isSaved() ? "saved" : "unsaved");
    this.touch();
  }

  /** Saves nothing by itself until `release`; resolves once the save that runs has its answer. */
  async hold() {
    this.#holds += 1;
    this.#cancel();
    await this.#running?.catch(() => {});
  }

  /** Saves by itself again what is not saved yet. */
  release() {
    this.#holds -= 1;
    if (!this.#isDone() && this.status !== "changed") this.#wait(AUTOSAVE_MS);
  }

  /** Nothing is saved any more: the page has been left. */
  stop() {
    this.#isOver = true;
  }

  /** After a save without an answer the server may have what it is not known to have: one more save tells. */
  #isDone() {
    return this.#running === null && this.#isSaved() && this.#outcome !== "failed" && this.#outcome !== "changed";
  }

  #saveOnce() {
    this.#running ??= this.#send().finally(() => {
      this.#running = null;
      this.#settle();
    });
    return this.#running;
  }

  async #send() {
    this.#outcome = await this.#save();
    return this.#outcome;
  }

  #settle() {
    const isDone = this.#outcome === "saved" && this.#isSaved();
    this.#say(isDone || this.#outcome !== "saved" ? this.#outcome : "unsaved");
    if (isDone || this.#outcome === "changed") this.#cancel();
    else if (this.#outcome === "failed") this.#wait(RETRY_MS);
  }

  /** @param {number} ms */
  #wait(ms) {
    this.#cancel();
    if (this.#holds > 0) return;
    this.#timer = this.#timers.set(() => void this.flush().catch(() => {}), ms);
  }

  #cancel() {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = null;
  }

  /** @param {Status} status */
  #say(status) {
    if (status === this.status) return;
    this.status = status;
    this.#tell(status);
  }
}
