// A question that may have arrived is repeated under its key, and no other question ever is.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { AssistClient, AssistProblem } from "../../panel/assist-client.js";
import { Talk } from "../../panel/talk.js";
import { json, seconds, tokenOf, wire } from "./wire.mjs";

/** @type {import("./wire.mjs").Answer} */
const BREAKS = (response) => void response.destroy();

/** @param {string} code @param {number} status */
const fails = (code, status) => json(status, { status, code });

const ANSWERS = json(200, { conversation_id: "c1", answer: "So." });

/**
 * A talk whose service answers in this order, and what it was asked: key, question and conversation.
 *
 * @param {import("./wire.mjs").Answer[]} answers
 * @param {import("../../panel/types.js").EditorHook | null} [editor]
 * @param {import("../../panel/talk.js").Telling} [telling]
 */
async function talking(answers, editor = null, telling = {}) {
  const { service, asked } = await wire((response, one) => (answers.shift() ?? ANSWERS)(response, one));
  const token = async () => tokenOf({ exp: seconds() + 300 });
  /** @type {any} */
  const host = { screen: () => ({ route: "/pools", topic: null, language: "en", entities: {}, commands: [] }), editor: () => editor };
  const talk = new Talk(new AssistClient({ service, token }), () => host, telling);
  const ask = (/** @type {string} */ question, /** @type {{again?: boolean, reference?: string}} */ { reference, ...how } = {}) =>
    talk.ask({ question, ...(reference === undefined ? {} : { reference }) }, () => {}, how).then(() => "answered", (/** @type {AssistProblem} */ error) => error.code);
  const keys = () => asked.map(({ headers }) => String(headers["idempotency-key"]));
  return { talk, host, ask, asked, keys };
}

test("after a network that failed the same question has the same key", async () => {
  const { ask, keys, asked } = await talking([BREAKS, BREAKS]);
  assert.deepEqual([await ask("a"), await ask("a"), await ask("a")], ["unreachable", "unreachable", "answered"]);
  assert.equal(new Set(keys()).size, 1);
  assert.equal(new Set(asked.map(({ body }) => JSON.stringify(body))).size, 1);
});

test("a minute after it failed the same words are another question, but what is sent again is the same however late", async () => {
  for (const { passing, again, keysUsed } of [
    { passing: 59, again: false, keysUsed: 1 },
    { passing: 61, again: false, keysUsed: 2 },
    { passing: 540, again: true, keysUsed: 1 },
  ]) {
    mock.timers.enable({ apis: ["Date"], now: Date.now() });
    const { ask, keys } = await talking([BREAKS]);
    assert.equal(await ask("a"), "unreachable");
    mock.timers.tick(passing * 1000);
    assert.equal(await ask("a", { again }), "answered");
    mock.timers.reset();
    assert.equal(new Set(keys()).size, keysUsed, `${passing} s, again: ${again}`);
  }
});

test("another question has another key", async () => {
  const { ask, keys } = await talking([BREAKS]);
  assert.deepEqual([await ask("a"), await ask("b")], ["unreachable", "answered"]);
  assert.equal(new Set(keys()).size, 2);
});

test("the same words after an answer are another question", async () => {
  const { ask, keys, asked } = await talking([]);
  assert.deepEqual([await ask("a"), await ask("a"), await ask("a")], ["answered", "answered", "answered"]);
  assert.equal(new Set(keys()).size, 3);
  assert.deepEqual(asked.map(({ body }) => body.conversation_id), [null, "c1", "c1"]);
});

test("a question that is still running under its key is waited for under that key", async () => {
  const { ask, keys } = await talking([BREAKS, fails("conversation_busy", 409)]);
  assert.deepEqual([await ask("a"), await ask("a"), await ask("a")], ["unreachable", "conversation_busy", "answered"]);
  assert.equal(new Set(keys()).size, 1);
});

test("a question that failed has the same key when it is sent again", async () => {
  const { ask, keys } = await talking([fails("llm_unavailable", 503)]);
  assert.deepEqual([await ask("a"), await ask("a")], ["llm_unavailable", "answered"]);
  assert.equal(new Set(keys()).size, 1);
});

test("a key that the service knows for something else is given up", async () => {
  const { ask, keys } = await talking([fails("idempotency_mismatch", 422)]);
  assert.deepEqual([await ask("a"), await ask("a")], ["idempotency_mismatch", "answered"]);
  assert.equal(new Set(keys()).size, 2);
});

for (const [code, status] of /** @type {const} */ ([["conversation_ended", 409], ["conversation_not_found", 404]])) {
  test(`after ${code} the question is asked in a new conversation, under a key of its own`, async () => {
    const { ask, asked, keys } = await talking([ANSWERS, fails(code, status)]);
    assert.deepEqual([await ask("a"), await ask("b")], ["answered", "answered"]);
    assert.deepEqual(asked.map(({ body }) => body.conversation_id), [null, "c1", null]);
    assert.equal(new Set(keys()).size, 3);
  });
}

test("the editor writes before its draft is read, and where it cannot the question goes without the draft", async () => {
  let written = 0;
  /** @type {any} */
  const editor = { flush: async () => void (written += 1), draft: () => ({ base: `after ${written}` }) };
  const { ask, asked } = await talking([], editor);
  assert.equal(await ask("a"), "answered");
  assert.deepEqual(asked[0]?.body.editor, { base: "after 1" });
  editor.flush = () => Promise.reject(new Error("offline"));
  assert.equal(await ask("b"), "answered");
  assert.equal(asked[1]?.body.editor, null);
});

test("a question that is stopped is over, the conversation is where it was, and its key is not used again", async () => {
  const { talk, ask, keys } = await talking([ANSWERS, () => {}]);
  assert.equal(await ask("a"), "answered");
  const running = ask("b");
  assert.equal(talk.isRunning, true);
  await new Promise((later) => setTimeout(later, 50));
  talk.stop();
  assert.equal(await running, "stopped");
  assert.deepEqual([talk.isRunning, talk.id], [false, "c1"]);
  assert.equal(await ask("b"), "answered");
  assert.equal(new Set(keys()).size, 3);
});

test("the minute in which the same words are the same question begins when it failed", async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { ask, keys } = await talking([(response) => (mock.timers.tick(50_000), void response.destroy())]);
  assert.equal(await ask("a"), "unreachable");
  mock.timers.tick(30_000);
  assert.equal(await ask("a"), "answered");
  mock.timers.reset();
  assert.equal(new Set(keys()).size, 1);
});

test("what refers to an answer of a conversation that is over is asked in no other, and a new one is begun once only", async () => {
  const { talk, ask, asked } = await talking([ANSWERS, fails("conversation_ended", 409), fails("conversation_ended", 409)]);
  assert.equal(await ask("a"), "answered");
  assert.equal(await ask("b", { reference: "of c1" }), "conversation_ended");
  assert.deepEqual([talk.id, asked.length], [null, 2]);
  assert.equal(await ask("c"), "conversation_ended");
  assert.equal(asked.length, 3);
});

test("another conversation stops the question that runs, and the next one is not taken for stopped with it", async () => {
  const { talk, ask, asked } = await talking([() => {}, () => {}]);
  const first = ask("a");
  while (asked.length < 1) await new Promise((later) => setTimeout(later, 5));
  talk.goOn(null);
  const second = ask("b");
  assert.equal(await first, "stopped");
  assert.equal(talk.isRunning, true);
  talk.stop();
  assert.equal(await second, "stopped");
  assert.equal(talk.isRunning, false);
});

test("an answer that comes as its conversation is left leads nobody back, and only the one that is gone is forgotten", async () => {
  /** @type {any} */
  const late = { ask: async () => (talk.goOn("c9"), { conversation_id: "c1" }) };
  /** @type {any} */
  const host = { screen: () => ({ route: "/pools", topic: null, language: "en", entities: {}, commands: [] }) };
  const talk = new Talk(late, () => host);
  await talk.ask({ question: "a" }, () => {});
  assert.equal(talk.id, "c9");
  talk.forget("c1");
  assert.equal(talk.id, "c9");
  talk.forget("c9");
  assert.equal(talk.id, null);
});

test("nothing is sent before what has to be there is, nor where that fails", async () => {
  /** @type {(nothing?: void) => void} */
  let ready = () => {};
  const waits = await talking([], null, { ready: () => new Promise((done) => (ready = done)) });
  const waiting = waits.ask("a");
  await new Promise((later) => setTimeout(later, 20));
  assert.equal(waits.asked.length, 0);
  ready();
  assert.equal(await waiting, "answered");
  for (const [fault, code] of /** @type {const} */ ([[new AssistProblem("not_offered"), "not_offered"], [new Error("no"), "unreachable"]])) {
    const { ask, asked } = await talking([], null, { ready: () => Promise.reject(fault) });
    assert.deepEqual([await ask("a"), asked.length], [code, 0]);
  }
});

test("nothing is sent where the page cannot say what is on screen or in its editor, or where it is stopped before that", async () => {
  /** @type {any} */
  const editor = { flush: async () => {}, draft: () => ({ text: "without a base" }) };
  const { talk, host, ask, asked } = await talking([], editor);
  assert.equal(await ask("a"), "page_failed");
  editor.draft = () => null;
  host.screen = () => null;
  assert.equal(await ask("a"), "page_failed");
  editor.flush = () => new Promise(() => {});
  const stopped = ask("a");
  talk.stop();
  assert.deepEqual([await stopped, asked.length], ["stopped", 0]);
});
