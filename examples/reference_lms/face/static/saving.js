// The draft of one question at the LMS: it is saved as a whole, as the person, and every answer is understood or none.

/** @typedef {import("./draft.js").Content} Content */
/** @typedef {{path: string, rule: string}} Fault */
/**
 * `changed` brings what is stored now; `refused` and `other_session` stored nothing; `failed` leaves open whether anything was stored.
 * @typedef {{outcome: "saved", base: string}
 *   | {outcome: "changed", base: string, content: Content}
 *   | {outcome: "invalid", faults: Fault[]}
 *   | {outcome: "refused"}
 *   | {outcome: "other_session"}
 *   | {outcome: "failed"}} Saved
 */
/** @typedef {(path: string, options: RequestInit) => Promise<Response>} Send */

/** How long a save may take. */
export const SAVE_MS = 10_000;

/** One question's draft on the server. */
export class DraftServer {
  #path;
  #session;
  #send;

  /**
   * @param {string} question
   * @param {string} session The marker of the session that the page was made for: no other one saves what is in it.
   * @param {Send} [send]
   */
  constructor(question, session, send = (path, options) => fetch(path, options)) {
    this.#path = `/questions/${encodeURIComponent(question)}/draft`;
    this.#session = session;
    this.#send = send;
  }

  /**
   * @param {string} base
   * @param {Content} content
   * @returns {Promise<Saved>}
   */
  async save(base, content) {
    try {
      const response = await this.#send(this.#path, {
        method: "PUT",
        headers: { "Content-Type": "application/json", "X-LMS-Session": this.#session },
        body: JSON.stringify({ base, ...content }),
        signal: AbortSignal.timeout(SAVE_MS),
      });
      return read(response.status, await response.json());
    } catch {
      return { outcome: "failed" };
    }
  }
}

/**
 * @param {number} status
 * @param {any} answer
 * @returns {Saved}
 */
function read(status, answer) {
  if (status === 200 && typeof answer.base === "string") return { outcome: "saved", base: answer.base };
  if (status === 422) return { outcome: "invalid", faults: answer.fields };
  if (status === 409 && answer.error === "changed") {
    const { base, config, explanation } = answer.draft;
    return { outcome: "changed", base, content: { config, explanation } };
  }
  if (status === 409 && answer.error === "other_session") return { outcome: "other_session" };
  return { outcome: status >= 400 && status < 500 ? "refused" : "failed" };
}
