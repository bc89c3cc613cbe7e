// One conversation: what is sent with a question, under which key, and that one question runs at a time.

import { AssistProblem } from "./assist-client.js";

/**
 * @typedef {import("./types.js").Asking} Asking
 * @typedef {import("./types.js").AskBody} AskBody
 * @typedef {import("./types.js").Reply} Reply
 */

/** Failures after which the conversation takes no further question: the next one begins another. */
const OVER = new Set(["conversation_not_found", "conversation_ended"]);

/** Failures that do not say whether the question arrived, or say that it is being answered: repeated, it keeps its key. */
const UNSETTLED = new Set(["unreachable", "conversation_busy"]);

export class Talk {
  #client;
  #host;
  /** @type {string | null} */
  #id = null;
  /** @type {AbortController | null} */
  #running = null;
  /** @type {{body: string, key: string} | null} what was sent and not answered: the same again has the same key */
  #unanswered = null;

  /**
   * @param {import("./assist-client.js").AssistClient} client
   * @param {() => import("./types.js").Host} host
   */
  constructor(client, host) {
    this.#client = client;
    this.#host = host;
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
    this.#id = id;
  }

  /** Stops the question that runs; what it prepared is dropped by the service. */
  stop() {
    this.#running?.abort();
  }

  /**
   * @param {Asking} asking
   * @param {(step: import("./types.js").Step) => void} onStep
   * @returns {Promise<Reply>}
   * @throws {AssistProblem}   `editor_unsaved` where the editor could not write what is unsaved: nothing was sent
   */
  async ask(asking, onStep) {
    const running = new AbortController();
    this.#running = running;
    try {
      const body = await this.#body(asking);
      const reply = await this.#client.ask(body, { key: this.#keyOf(body), onStep, signal: running.signal });
      this.#unanswered = null;
      // Another conversation may have been begun meanwhile: an answer that was stopped leads nobody back.
      if (!running.signal.aborted) this.#id = reply.conversation_id;
      return reply;
    } catch (error) {
      if (error instanceof AssistProblem && !UNSETTLED.has(error.code)) this.#unanswered = null;
      if (error instanceof AssistProblem && OVER.has(error.code)) this.#id = null;
      throw error;
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /**
   * @param {Asking} asking
   * @returns {Promise<AskBody>}
   */
  async #body({ question, reference }) {
    const editor = this.#host().editor?.() ?? null;
    await editor?.flush().catch(() => {
      throw new AssistProblem("editor_unsaved");
    });
    return {
      conversation_id: this.#id,
      question,
      context: this.#host().screen(),
      editor: editor?.draft() ?? null,
      reference: reference ?? null,
    };
  }

  /**
   * @param {AskBody} body
   * @returns {string}
   */
  #keyOf(body) {
    const text = JSON.stringify(body);
    if (this.#unanswered?.body !== text) this.#unanswered = { body: text, key: crypto.randomUUID() };
    return this.#unanswered.key;
  }
}
