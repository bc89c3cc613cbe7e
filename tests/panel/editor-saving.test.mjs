// What the editor makes of each answer of the LMS: one that is not understood is none.

import assert from "node:assert/strict";
import test from "node:test";

import { DraftServer } from "../../examples/reference_lms/face/static/saving.js";

const CONTENT = { config: { statement: "Why?" }, explanation: "" };
const FAULTS = [{ path: "/config/statement", rule: "minLength" }];

/** @type {[string, number, unknown, object][]} */
const ANSWERS = [
  ["stored", 200, { base: "r2", ...CONTENT }, { outcome: "saved", base: "r2" }],
  ["not storable", 422, { error: "invalid", fields: FAULTS }, { outcome: "invalid", faults: FAULTS }],
  [
    "another's",
    409,
    { error: "changed", draft: { base: "r3", status: "draft", ...CONTENT } },
    { outcome: "changed", base: "r3", content: CONTENT },
  ],
  ["of a page of another session", 409, { error: "other_session" }, { outcome: "other_session" }],
  ["signed out", 401, { error: "unauthenticated" }, { outcome: "refused" }],
  ["gone", 404, { error: "not_found" }, { outcome: "refused" }],
  ["broken", 500, { detail: "" }, { outcome: "failed" }],
  ["a page that is none of the LMS's", 200, undefined, { outcome: "failed" }],
  ["a save without a revision", 200, {}, { outcome: "failed" }],
  ["a conflict without a draft", 409, { error: "changed" }, { outcome: "failed" }],
];

for (const [name, status, answer, expected] of ANSWERS) {
  test(`${name} is ${JSON.stringify(expected)}`, async () => {
    const body = answer === undefined ? "<!doctype html>" : JSON.stringify(answer);
    const server = new DraftServer("q", "m", async () => new Response(body, { status }));
    assert.deepEqual(await server.save("r1", CONTENT), expected);
  });
}

test("no answer is a failure", async () => {
  const server = new DraftServer("q", "m", async () => {
    throw new TypeError("no network");
  });
  assert.deepEqual(await server.save("r1", CONTENT), { outcome: "failed" });
});

test("a save sends the draft as a whole with its base", async () => {
  /** @type {[string, unknown, unknown, unknown][]} */
  const sent = [];
  const server = new DraftServer("a/b", "m", async (path, { method, body, headers }) => {
    sent.push([path, method, new Headers(headers).get("x-lms-session"), JSON.parse(String(body))]);
    return new Response("{}");
  });
  await server.save("r1", CONTENT);
  assert.deepEqual(sent, [["/questions/a%2Fb/draft", "PUT", "m", { base: "r1", ...CONTENT }]]);
});
