// Every route of the assist service for a browser, typed, without a panel: answers are whole, or an AssistProblem.

import { AssistProblem, problemOf, readJson, replyIn, unreached } from "./answers.js";
import { Sendable } from "./sendable.js";
import { unlessStopped, within } from "./stopping.js";

export { AssistProblem };

/**
 * @typedef {import("./types.js").AskBody} AskBody
 * @typedef {import("./types.js").Reply} Reply
 * @typedef {import("./types.js").Step} Step
 * @typedef {import("./types.js").Person} Person
 */

/** Before its end a token is no longer sent: a question takes a moment to arrive. */
const TOKEN_MARGIN_SECONDS = 30;

/** How long a person's word about a card may take: longer than the service holds one (30 s), so that the same word finds out. */
const DECIDING_MILLISECONDS = 45_000;

/** Speaks to one service as one person at a time: what was begun as one is never sent as another. */
export class AssistClient {
  #service;
  #newToken;
  #onPerson;
  #sendable = new Sendable();
  /** @type {{text: string, until: number, person: Person | null} | null} */
  #token = null;
  /** @type {Person | null} whose the last token was that said so */
  #person = null;

  /**
   * @param {object} given
   * @param {string} given.service   its origin, `https://assist.example`
   * @param {() => Promise<string>} given.token   a session token of the LMS's, new at each call
   * @param {(now: Person, before: Person) => void} [given.onPerson]   a token named another person, or another kind of session
   */
  constructor({ service, token, onPerson }) {
    this.#service = service.replace(/\/$/, "");
    this.#newToken = token;
    this.#onPerson = onPerson;
  }

  /** The next request asks for a new token: the session may be another by now. */
  forgetToken() {
    this.#token = null;
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
   * Asks, telling each step while it runs. Stopping the signal stops the question, and nothing of it is kept unless its
   * answer was ready: then it is in the conversation, and was only on its way here.
   * @param {AskBody} body
   * @param {{key: string, onStep?: (step: Step) => void, signal?: AbortSignal}} how   `key`: one per question, the same for a repetition
   * @returns {Promise<Reply>}
   * @throws {AssistProblem}
   */
  async ask(body, { key, onStep = () => {}, signal }) {
    const kept = this.#token;
    const options = {
      began: this.#person,
      body: this.#sendable.of(body),
      signal,
      headers: { Accept: "text/event-stream", "Idempotency-Key": key },
    };
    const { answer, used } = await this.#request("POST", "/assist/ask", options);
    try {
      return await replyIn(answer, onStep, signal);
    } catch (error) {
      const isOver = error instanceof AssistProblem && error.code === "unauthenticated";
      if (!isOver || used !== kept) throw error;
      // The stream had begun before the token was found to be taken back: nothing was kept of the question.
      if (this.#token === kept) this.#token = null;
      return replyIn((await this.#request("POST", "/assist/ask", options)).answer, onStep, signal);
    }
  }

  /**
   * Makes a prepared change. On `write_unknown` the same call finds out, and cannot make it twice; so it does where no
   * answer came in 45 s, which is `unreachable`.
   * @param {string} id
   * @param {string} conversationId
   * @returns {Promise<{path: string, title: string}>}
   */
  confirm(id, conversationId) {
    return this.#decide(id, "confirm", conversationId, (path, options) => this.#json("POST", path, options));
  }

  /**
   * Forgets a prepared change.
   * @param {string} id
   * @param {string} conversationId
   * @returns {Promise<void>}
   */
  async cancel(id, conversationId) {
    await this.#decide(id, "cancel", conversationId, (path, options) => this.#request("POST", path, options));
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
   * @template Found
   * @param {string} id
   * @param {"confirm" | "cancel"} word
   * @param {string} conversationId
   * @param {(path: string, options: RequestOptions) => Promise<Found>} post
   */
  #decide(id, word, conversationId, post) {
    const body = { conversation_id: conversationId };
    return within(DECIDING_MILLISECONDS, new AssistProblem("unreachable"), (signal) =>
      post(`/assist/writes/${encodeURIComponent(id)}/${word}`, { body, signal }),
    );
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   */
  async #json(method, path, options) {
    return readJson((await this.#request(method, path, options)).answer, options?.signal);
  }

  /**
   * @typedef {{body?: object, headers?: Record<string, string>, signal?: AbortSignal | undefined, began?: Person | null}} RequestOptions
   *   `began`: as whom
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} [options]
   */
  async #request(method, path, { began = this.#person, ...more } = {}) {
    const options = { ...more, began };
    const kept = this.#token;
    const first = await this.#send(method, path, options);
    // A token that was kept may have been taken back; a new one was refused for good.
    const again = first.answer.status === 401 && first.used === kept;
    // Unless another request has renewed it meanwhile.
    if (again && this.#token === kept) this.#token = null;
    const last = again ? await this.#send(method, path, options) : first;
    if (last.answer.ok) return last;
    throw problemOf(await readJson(last.answer, options.signal), last.answer);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {RequestOptions} options
   */
  async #send(method, path, { body, headers = {}, signal, began = null }) {
    try {
      const used = await unlessStopped(this.#bearer(), signal);
      // Whoever began this is not who would send it.
      if (began !== null && used.person !== null && began !== used.person) throw new AssistProblem("stopped");
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
    if (this.#token !== null && this.#token.until > Date.now()) return this.#token;
    const text = await this.#minted();
    const claims = claimsOf(text);
    const before = this.#person;
    const person = personOf(claims, before);
    const made = { text, until: ((Number(claims.exp) || 0) - TOKEN_MARGIN_SECONDS) * 1000, person };
    this.#token = made;
    this.#person = person ?? before;
    if (person !== null && before !== null && person !== before) this.#onPerson?.(person, before);
    return made;
  }

  async #minted() {
    try {
      return await this.#newToken();
    } catch {
      throw new AssistProblem("unauthenticated", { status: 401 });
    }
  }
}

/** @param {string | null} cursor */
function after(cursor) {
  return cursor === null ? "" : `?cursor=${encodeURIComponent(cursor)}`;
}

/**
 * What a token says of itself; nothing where it cannot be read.
 * @param {string} token
 * @returns {any}
 */
function claimsOf(token) {
  try {
    const claims = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return Object(JSON.parse(atob(claims)));
  } catch {
    return {};
  }
}

/**
 * @param {any} claims
 * @param {Person | null} before
 * @returns {Person | null}   the same object for as long as it is the same person, signed in in the same way; null: it does not say
 */
function personOf({ sub, kind = null }, before) {
  if (typeof sub !== "string") return null;
  return before?.sub === sub && before.kind === kind ? before : { sub, kind };
}
