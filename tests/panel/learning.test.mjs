// What a session may do is what was said last: an earlier answer that comes late, or fails late, undoes nothing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AssistProblem } from "../../panel/assist-client.js";
import { Learning } from "../../panel/learning.js";

const MAY = { offered: true, reason: null, notice: "" };

/** What was asked for and not answered yet, in order, and what was taken in. */
function learning() {
  /** @type {{say: (found: any) => void, fail: (fault: Error) => void}[]} */
  const asked = [];
  /** @type {any[]} */
  const known = [];
  const learns = new Learning(
    () => new Promise((say, fail) => void asked.push({ say, fail })),
    async (found) => void known.push(found),
  );
  return { learns, asked, known };
}

/** @param {Promise<unknown>} waited */
const outcome = (waited) => waited.then(() => "ready", (/** @type {AssistProblem} */ { code }) => code);

test("of two answers the one that was asked for last is taken in, and no other", async () => {
  for (const order of [[0, 1], [1, 0]]) {
    const { learns, asked, known } = learning();
    const both = [learns.anew(), learns.anew()];
    for (const at of order) asked[at]?.say({ ...MAY, notice: `${at}` });
    assert.deepEqual((await Promise.all(both)).map(({ notice }) => notice), ["1", "1"], String(order));
    assert.deepEqual(known.map(({ notice }) => notice), ["1"], String(order));
  }
});

test("what was asked for in vain is asked for again, but not for an earlier one that failed", async () => {
  const { learns, asked } = learning();
  const [first, second] = [outcome(learns.anew()), learns.anew()];
  asked[1]?.say(MAY);
  await second;
  asked[0]?.fail(new AssistProblem("unreachable"));
  assert.equal(await first, "unreachable");
  assert.equal(await learns.known(), MAY);
  assert.equal(asked.length, 2);
  const third = outcome(learns.anew());
  asked[2]?.fail(new AssistProblem("unreachable"));
  assert.equal(await third, "unreachable");
  void learns.known();
  assert.equal(asked.length, 4);
});

test("nothing is sent where nothing may be asked, and the reason is said", async () => {
  for (const [said, came] of /** @type {const} */ ([
    [MAY, "ready"],
    [{ ...MAY, offered: false, reason: "exam_in_progress" }, "exam_in_progress"],
    [{ ...MAY, offered: false }, "not_offered"],
  ])) {
    const { learns, asked } = learning();
    const ready = outcome(learns.ready());
    asked[0]?.say(said);
    assert.equal(await ready, came);
  }
});

test("what was forgotten is asked for anew", async () => {
  const { learns, asked } = learning();
  const first = learns.known();
  asked[0]?.say(MAY);
  await first;
  await learns.known();
  assert.equal(asked.length, 1);
  learns.forget();
  void learns.known();
  assert.equal(asked.length, 2);
});
