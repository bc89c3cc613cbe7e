// What came back, whole, or why it did not: nothing half of an answer ever counts as one.

import { events } from "./event-stream.js";

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

/**
 * @param {AbortSignal | undefined} signal   its reason is what went wrong, if that is a problem
 * @param {number} [status]   of an answer that was none of the service's
 */
export function unreached(signal, status = 0) {
  if (signal?.reason instanceof AssistProblem) return signal.reason;
  return new AssistProblem(signal?.aborted ? "stopped" : "unreachable", { status });
}

/**
 * @param {Response} answer
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<any>}
 */
export async function readJson(answer, signal) {
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
export function problemOf(body, answer) {
  const seconds = Number(answer?.headers.get("retry-after") ?? NaN);
  return new AssistProblem(typeof body?.code === "string" ? body.code : "unreachable", {
    status: answer?.status ?? Number(body?.status ?? 0),
    reason: body?.reason ?? null,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    errors: Array.isArray(body?.errors) ? body.errors : [],
  });
}

/**
 * @param {Response} answer   to a question
 * @param {(step: import("./types.js").Step) => void} onStep
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<import("./types.js").Reply>}
 */
export async function replyIn(answer, onStep, signal) {
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") !== true || answer.body === null) {
    return readJson(answer, signal);
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
