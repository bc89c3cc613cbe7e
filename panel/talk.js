// One conversation: what is sent with a question, under which key, and that one question runs at a time.

import { AssistProblem } from "./assist-client.js";
import { hosted } from "./hosted.js";
import { unlessStopped } from "./stopping.js";

/**
 * @typedef {import("./types.js").Asking} Asking
 * @typedef {import("./types.js").AskBody} AskBody
 * @typedef {import("./types.js").Reply} Reply
 */

/** Failures after which the conversation takes no further question: the next one begins another. */
const OVER = new Set(["conversation_not_found", "conversation_ended"]);

/** After these a question that is sent again is another one: the service forgot it, or knows the key for something else. */
const ANOTHER = new Set(["stopped", "idempotency_mismatch"]);

/** So long after it failed, the same question in the field is the same question; later it is asked anew. */
const SAME_MILLISECONDS = 60_000;

/**
 * What the talk tells while it goes on, each left out where nobody listens.
 * @typedef {object} Telling
 * @property {() => Promise<void>} [ready]   what has to be there before anything is sent
 * @property {(id: string | null) => void} [onConversation]   the conversation is another now
 * @property {() => void} [onAnew]   the conversation was over, and the question is asked in a new one
 */

export class Talk {
  #client;
  #page;
  #telling;
  /** @type {string | null} */
  #id = null;
  /** @type {AbortController | null} */
  #running = null;
  /** @type {{body: string, key: string, at: number} | null} what was sent and not answered, and when that failed */
  #unanswered = null;

  /**
   * @param {import("./assist-client.js").AssistClient} client
   * @param {() => import("./types.js").Host} host
   * @param {Telling} [telling]
   */
  constructor(client, host, telling = {}) {
    this.#client = client;
    this.#page = hosted(host);
    this.#telling = telling;
  }

  /** null until the first answer. */
  get id() {
    return this.#id;
  }

  get isRunning() {
    return this.#running !== null;
  }

  /**
   * Goes on with a conversation, or with a new one.
   * @param {string | null} id
   */
  goOn(id) {
    this.stop();
    this.#become(id);
  }

  /**
   * Begins anew if this conversation was the one; a question that runs and was not sent yet is asked in the new one.
   * @param {string} id   of one that is gone
   */
  forget(id) {
    if (this.#id === id) this.#become(null);
  }

  /** Stops the question that runs; what it prepared is dropped by the service. */
  stop() {
    this.#running?.abort();
  }

  /**
   * @param {Asking} asking
   * @param {(step: import("./types.js").Step) => void} onStep
   * @param {{again?: boolean, onSent?: (asked: AskBody["context"], isWhole: boolean) => void}} [how]   `again`: what failed
   *   last is to be sent again, however long ago that was; `onSent`: the screen that goes with the question, and whether the
   *   draft in an open editor does too
   * @returns {Promise<Reply>}
   * @throws {AssistProblem}   `page_failed` where the page could not say what is on screen: nothing was sent
   */
  async ask(asking, onStep, { again = false, onSent } = {}) {
    if (!again && this.#unanswered !== null && Date.now() - this.#unanswered.at > SAME_MILLISECONDS) this.#unanswered = null;
    const running = new AbortController();
    this.#running = running;
    try {
      const reply = await this.#answered(asking, { onStep, onSent }, running.signal);
      this.#unanswered = null;
      // Another conversation may have been begun meanwhile: an answer that was stopped leads nobody back.
      if (!running.signal.aborted) this.#become(reply.conversation_id);
      return reply;
    } catch (error) {
      if (error instanceof AssistProblem && ANOTHER.has(error.code)) this.#unanswered = null;
      if (this.#unanswered !== null) this.#unanswered.at = Date.now();
      throw error;
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /**
   * Asks, and once more in a new conversation where this one is over: nobody has to know that it was. What refers to an
   * answer of the old one cannot be asked in another.
   * @param {Asking} asking
   * @param {{onStep: (step: import("./types.js").Step) => void, onSent: ((asked: AskBody["context"], isWhole: boolean) => void) | undefined}} listening
   * @param {AbortSignal} signal
   */
  async #answered(asking, { onStep, onSent }, signal) {
    const { body, isWhole } = await this.#body(asking, signal);
    onSent?.(body.context, isWhole);
    try {
      return await this.#client.ask(body, { key: this.#keyOf(body), onStep, signal });
    } catch (error) {
      if (!(error instanceof AssistProblem && OVER.has(error.code)) || signal.aborted) throw error;
      this.#become(null);
      if (body.reference !== null || body.conversation_id === null) throw error;
      this.#telling.onAnew?.();
      const anew = { ...body, conversation_id: null };
      return await this.#client.ask(anew, { key: this.#keyOf(anew), onStep, signal });
    }
  }

  /**
   * @param {Asking} asking
   * @param {AbortSignal} signal
   * @returns {Promise<{body: AskBody, isWhole: boolean}>}
   */
  async #body({ question, reference }, signal) {
    await stoppable(this.#telling.ready?.(), signal, "unreachable");
    const isWhole = (await stoppable(this.#page.flush(), signal, "unreachable")) !== "failed";
    // What is on screen and what is saved are two things then: nothing may be proposed for either.
    const [context, editor] = [this.#page.screen(), isWhole ? this.#page.draft() : null];
    if (context === null || editor === undefined) throw new AssistProblem("page_failed");
    const body = { conversation_id: this.#id, question, context, editor, reference: reference ?? null };
    return { body, isWhole };
  }

  /**
   * @param {AskBody} body
   * @returns {string}
   */
  #keyOf(body) {
    const text = JSON.stringify(body);
    if (this.#unanswered?.body !== text) this.#unanswered = { body: text, key: newKey(), at: Date.now() };
    return this.#unanswered.key;
  }

  /** @param {string | null} id */
  #become(id) {
    this.#id = id;
    this.#telling.onConversation?.(id);
  }
}

/**
 * @template Found
 * @param {Promise<Found> | undefined} awaited
 * @param {AbortSignal} signal
 * @param {string} code   of the problem where what is awaited fails, unless it says so itself
 */
async function stoppable(awaited, signal, code) {
  try {
    return await unlessStopped(Promise.resolve(awaited), signal);
  } catch (error) {
    if (error instanceof AssistProblem) throw error;
    throw new AssistProblem(signal.aborted ? "stopped" : code);
  }
}

/** Not `randomUUID`, which a page without TLS lacks, such as that of a school's own network. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
