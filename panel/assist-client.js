// Every route of the assist service for a browser, typed, without a panel: answers are whole, or an AssistProblem.

import { events } from "./event-stream.js";
import { unlessStopped } from "./stopping.js";

/**
 * @typedef {import("./types.js").AskBody} AskBody
 * @typedef {import("./types.js").Reply} Reply
 * @typedef {import("./types.js").Step} Step
 */

/** Before its end a token is no longer sent: a question takes a moment to arrive. */
const TOKEN_MARGIN_SECONDS = 30;

/** Why something was not answered. `code` is of the contract's closed list, or one of two of the client's own. */
export class AssistProblem extends Error {
  /**
   * @param {string} code   of the contract; `unreachable`: no answer came; `stopped`: the caller stopped it
   * @param {{status?: number, reason?: string | null, retryAfterSeconds?: number | null, errors?: {field: string, message: string}[]}} [more]
   */
  constructor(code, { status = 0, reason = null, retryAfterSeconds = null, errors = [] } = {}) {
    super(code);
    this.name = "AssistProblem";
    this.code = code;
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.errors = errors;
  }
}

/** Speaks to one service as one person. */
export class AssistClient {
  #service;
  #newToken;
  /** @type {{text: string, until: number} | null} */
  #token = null;

  /**
   * @param {object} given
   * @param {string} given.service   its origin, `https://assist.example`
   * @param {() => Promise<string>} given.token   a session token of the LMS's, new at each call
   */
  constructor({ service, token }) {
    this.#service = service.replace(/\/$/, "");
    this.#newToken = token;
  }

  /**
   * What this session may do.
   * @param {string} language   in which the notice is worded
   * @returns {Promise<import("./types.js").Availability>}
   */
  availability(language) {
    return this.#json("GET", "/assist/availability", { headers: { "Accept-Language": language } });
  }

  /**
   * Asks, telling each step while it runs; stopping the signal stops the question, and nothing of it is kept.
   * @param {AskBody} body
   * @param {{key: string, onStep?: (step: Step) => void, signal?: AbortSignal}} how   `key`: one per question, the same for a repetition
   * @returns {Promise<Reply>}
   * @throws {AssistProblem}
   */
  async ask(body, { key, onStep = () => {}, signal }) {
    const answer = await this.#request("POST", "/assist/ask", {
      body,
      signal,
      headers: { Accept: "text/event-stream", "Idempotency-Key": key },
    });
    if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true || answer.body === null) {
      return /** @type {Promise<Reply>} */ (readJson(answer, signal));
    }
    try {
      for await (const { event, data } of events(answer.body)) {
        if (event === "progress") onStep(JSON.parse(data));
        if (event === "reply") return JSON.parse(data);
        if (event === "error") throw problemOf(JSON.parse(data), null);
      }
    } catch (error) {
      throw error instanceof AssistProblem ? error : unreached(signal);
    }
    throw unreached(signal);
  }

  /**
   * Makes a prepared change. On `write_unknown` the same call finds out, and cannot make it twice.
   * @param {string} id
   * @param {string} conversationId
   * @returns {Promise<{path: string, title: string}>}
   */
  confirm(id, conversationId) {
    return this.#json("POST", `/assist/writes/${encodeURIComponent(id)}/confirm`, {
      body: { conversation_id: conversationId },
    });
  }

  /**
   * Forgets a prepared change.
   * @param {string} id
   * @param {string} conversationId
   * @returns {Promise<void>}
   */
  async cancel(id, conversationId) {
    await this.#request("POST", `/assist/writes/${encodeURIComponent(id)}/cancel`, {
      body: { conversation_id: conversationId },
    });
  }

  /**
   * The person's own conversations, the last used first.
   * @param {string | null} [cursor]
   * @returns {Promise<{items: import("./types.js").ConversationLine[], next: string | null}>}
   */
  conversations(cursor = null) {
    return this.#json("GET", `/assist/conversations${after(cursor)}`);
  }

  /**
   * @param {string} id
   * @param {string | null} [cursor]
   * @returns {Promise<{id: string, items: import("./types.js").KeptExchange[], next: string | null}>}
   */
  conversation(id, cursor = null) {
    return this.#json("GET", `/assist/conversations/${encodeURIComponent(id)}${after(cursor)}`);
  }

  /**
   * @param {string} id
   * @returns {Promise<void>}
   */
  async deleteConversation(id) {
    await this.#request("DELETE", `/assist/conversations/${encodeURIComponent(id)}`);
  }

  /**
   * A section of the manual, as this person may read it.
   * @param {string} href   of a citation
   * @returns {Promise<import("./types.js").Section>}
   */
  section(href) {
    if (!href.startsWith("/assist/manual/")) throw new AssistProblem("section_not_found");
    return this.#json("GET", href);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  async #json(method, path, options) {
    return readJson(await this.#request(method, path, options), options?.signal);
  }

  /**
   * @typedef {{body?: object, headers?: Record<string, string>, signal?: AbortSignal | undefined}} RequestOptions
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<Response>}
   */
  async #request(method, path, options = {}) {
    const kept = this.#token;
    const first = await this.#send(method, path, options);
    // A token that was kept may have been taken back; a new one was refused for good.
    const again = first.answer.status === 401 && first.used === kept;
    if (again && this.#token === kept) this.#token = null; // unless another request has renewed it meanwhile
    const { answer } = again ? await this.#send(method, path, options) : first;
    if (answer.ok) return answer;
    throw problemOf(await readJson(answer, options.signal), answer);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} options
   */
  async #send(method, path, { body, headers = {}, signal }) {
    try {
      const used = await unlessStopped(this.#bearer(), signal);
      const answer = await fetch(this.#service + path, {
        method,
        headers: {
          Authorization: `Bearer ${used.text}`,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal ?? null,
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
      });
      return { answer, used };
    } catch (error) {
      throw error instanceof AssistProblem ? error : unreached(signal);
    }
  }

  /** The token that is kept, or a new one. */
  async #bearer() {
    if (this.#token === null || this.#token.until <= Date.now()) {
      const text = await this.#minted();
      this.#token = { text, until: (expiryOf(text) - TOKEN_MARGIN_SECONDS) * 1000 };
    }
    return this.#token;
  }

  async #minted() {
    try {
      return await this.#newToken();
    } catch {
      throw new AssistProblem("unauthenticated", { status: 401 });
    }
  }
}

/**
 * @param {AbortSignal | undefined} signal
 * @param {number} [status]   of an answer that was none of the service's
 */
function unreached(signal, status = 0) {
  return new AssistProblem(signal?.aborted ? "stopped" : "unreachable", { status });
}

/** @param {string | null} cursor */
function after(cursor) {
  return cursor === null ? "" : `?cursor=${encodeURIComponent(cursor)}`;
}

/**
 * @param {Response} answer
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<any>}
 */
async function readJson(answer, signal) {
  try {
    return await answer.json();
  } catch {
    throw unreached(signal, answer.status);
  }
}

/**
 * @param {any} body   a problem document
 * @param {Response | null} answer   null where it came as an event, which has no headers
 */
function problemOf(body, answer) {
  const seconds = Number(answer?.headers.get("retry-after") ?? NaN);
  return new AssistProblem(typeof body?.code === "string" ? body.code : "unreachable", {
    status: answer?.status ?? Number(body?.status ?? 0),
    reason: body?.reason ?? null,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    errors: Array.isArray(body?.errors) ? body.errors : [],
  });
}

/**
 * When a token ends, in seconds since the epoch; 0 where it does not say.
 * @param {string} token
 */
function expiryOf(token) {
  try {
    const claims = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return Number(JSON.parse(atob(claims)).exp) || 0;
  } catch {
    return 0;
  }
}
