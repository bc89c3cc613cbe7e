// Clients of a small service of a test's own, with tokens that are numbered, and what their tests ask and are told.

import assert from "node:assert/strict";

import { AssistClient, AssistProblem } from "../../panel/assist-client.js";
import { json, seconds, stream, tokenOf, wire } from "./wire.mjs";

export const PROBLEM = { status: 429, code: "rate_limited", title: "Too many questions" };
export const REFUSED = json(401, { status: 401, code: "unauthenticated" });
export const NOTHING = json(200, { items: [], next: null });

export const OVER = stream(['event: error\ndata: {"status": 401, "code": "unauthenticated"}\n\n']);
export const ANSWERED = stream(['event: reply\ndata: {"answer": "So."}\n\n']);

/** @param {import("../../panel/types.js").Command[]} [commands] @returns {import("../../panel/types.js").AskBody} */
export const bodyOf = (commands = []) => ({
  ...{ conversation_id: null, question: "Why?", editor: null, reference: null },
  context: { route: "/pools", topic: null, language: "en", entities: {}, commands },
});

/**
 * A client whose tokens are numbered, and what was asked with which.
 *
 * @param {import("./wire.mjs").Answer} answer
 * @param {number} [lifetime] of a token, in seconds
 */
export async function numbered(answer, lifetime = 300) {
  const { service, asked } = await wire(answer);
  let made = 0;
  const token = async () => tokenOf({ number: (made += 1), exp: seconds() + lifetime });
  return { client: new AssistClient({ service, token }), asked, numbers: () => asked.map(({ headers }) => numberOf(headers)) };
}

/** @param {import("node:http").IncomingHttpHeaders} headers */
export const numberOf = ({ authorization = "" }) =>
  JSON.parse(Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString()).number;

/** @param {Promise<unknown>} asked @returns {Promise<AssistProblem>} */
export async function problemOf(asked) {
  const error = await asked.then(() => null, (/** @type {unknown} */ found) => found);
  assert.ok(error instanceof AssistProblem, String(error));
  return error;
}
