// The client's tokens: one that is taken back is renewed once, and nothing is sent as somebody else.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { AssistClient } from "../../panel/assist-client.js";
import { ANSWERED, bodyOf, NOTHING, numbered, numberOf, OVER, problemOf, REFUSED } from "./clients.mjs";
import { seconds, tokenOf, wire } from "./wire.mjs";

test("a token is kept until half a minute before its end", async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { client, numbers } = await numbered(NOTHING);
  for (const passing of [0, 269, 1, 269, 1]) {
    mock.timers.tick(passing * 1000);
    await client.conversations();
  }
  mock.timers.reset();
  assert.deepEqual(numbers(), [1, 1, 2, 2, 3]);
});

for (const [how, text] of Object.entries({ "is opaque": "opaque", "has no end": tokenOf({}) })) {
  test(`a token that ${how} is not kept`, async () => {
    const { service, asked } = await wire(NOTHING);
    let made = 0;
    const client = new AssistClient({ service, token: async () => `${text}.${(made += 1)}` });
    await client.conversations();
    await client.conversations();
    assert.deepEqual(asked.map(({ headers }) => headers.authorization), [`Bearer ${text}.1`, `Bearer ${text}.2`]);
  });
}

test("a kept token that is taken back is renewed once, and the request comes again", async () => {
  const { client, asked, numbers } = await numbered((response, one) =>
    (numberOf(one.headers) === 1 && asked.length > 1 ? REFUSED : NOTHING)(response, one));
  await client.conversations();
  await client.cancel("w", "c");
  assert.deepEqual(numbers(), [1, 1, 2]);
  assert.deepEqual(asked[2]?.body, { conversation_id: "c" });
});

test("a new token that is refused is refused for good", async () => {
  const { client, numbers } = await numbered(REFUSED);
  assert.equal((await problemOf(client.conversations())).code, "unauthenticated");
  assert.deepEqual(numbers(), [1]);
});

test("a renewed token that is refused is not renewed again", async () => {
  const { client, numbers, asked } = await numbered((response, one) => (asked.length > 1 ? REFUSED : NOTHING)(response, one));
  await client.conversations();
  assert.equal((await problemOf(client.conversations())).code, "unauthenticated");
  assert.deepEqual(numbers(), [1, 1, 2]);
});

test("of two requests at one time each survives a token that is taken back, and one of them renews it", async () => {
  /** @type {() => void} */
  let late = () => {};
  const { client, asked, numbers } = await numbered((response, one) => {
    const refused = numberOf(one.headers) === 1 && asked.length > 1;
    const answer = () => (refused ? REFUSED : NOTHING)(response, one);
    if (refused && one.path.endsWith("late")) late = answer;
    else answer();
  });
  await client.conversations();
  const second = client.conversations("late");
  await client.conversations("early");
  late();
  await second;
  assert.deepEqual(numbers().toSorted(), [1, 1, 1, 2, 2]);
});

test("a kept token that is taken back while the answer streams is renewed once, and the question comes again under its key", async () => {
  const { client, asked, numbers } = await numbered((response, one) =>
    (one.path !== "/assist/ask" ? NOTHING : numberOf(one.headers) === 1 ? OVER : ANSWERED)(response, one));
  await client.conversations();
  assert.equal((await client.ask(bodyOf(), { key: "k" })).answer, "So.");
  assert.deepEqual(numbers(), [1, 1, 2]);
  assert.deepEqual(asked.slice(1).map(({ headers }) => headers["idempotency-key"]), ["k", "k"]);
});

test("of two answers that end for a token that is taken back one renews it, and both come", async () => {
  /** @type {(() => void)[]} */
  const held = [];
  const { client, numbers } = await numbered((response, one) => {
    if (one.path !== "/assist/ask") NOTHING(response, one);
    else if (numberOf(one.headers) > 1) ANSWERED(response, one);
    else held.push(() => OVER(response, one));
  });
  await client.conversations();
  const both = ["a", "b"].map((key) => client.ask(bodyOf(), { key }));
  while (held.length < 2) await new Promise((later) => setTimeout(later, 5));
  for (const [at, answer] of both.entries()) {
    held[at]?.();
    assert.equal((await answer).answer, "So.");
  }
  assert.deepEqual(numbers(), [1, 1, 1, 2, 2]);
});

test("a new token that is refused while the answer streams is refused for good", async () => {
  const { client, numbers } = await numbered(OVER);
  assert.equal((await problemOf(client.ask(bodyOf(), { key: "k" }))).code, "unauthenticated");
  assert.deepEqual(numbers(), [1]);
});

test("what was begun as one person is never sent as another, and it is told who it is now", async () => {
  const { service, asked } = await wire(NOTHING);
  const people = [["ann", "1"], ["ann", "1"], ["ann", "2"], ["bea", "3"], ["bea", "3"]];
  /** @type {unknown[]} */
  const told = [];
  const client = new AssistClient({
    service,
    token: async () => tokenOf(Object.fromEntries([["sub", people[0]?.[0]], ["kind", people.shift()?.[1]], ["exp", seconds() + 300]])),
    onPerson: (now, before) => told.push([before, now]),
  });
  const outcomes = [];
  for (let turn = 0; turn < 5; turn += 1) {
    outcomes.push(await client.conversations().then(() => "sent", ({ code }) => code));
    client.forgetToken();
  }
  assert.deepEqual(outcomes, ["sent", "sent", "stopped", "stopped", "sent"]);
  assert.equal(asked.length, 3);
  assert.deepEqual(told, [
    [{ sub: "ann", kind: "1" }, { sub: "ann", kind: "2" }],
    [{ sub: "ann", kind: "2" }, { sub: "bea", kind: "3" }],
  ]);
});

test("a token that does not say whose it is stops nothing, and whose the one before was is not forgotten over it", async () => {
  const { service, asked } = await wire(NOTHING);
  const subs = ["ann", undefined, "ann", undefined, "bea"];
  /** @type {unknown[]} */
  const told = [];
  const client = new AssistClient({
    service,
    token: async () => tokenOf({ sub: subs.shift(), exp: seconds() + 300 }),
    onPerson: (now, before) => told.push([before.sub, now.sub]),
  });
  const outcomes = [];
  for (let turn = 0; turn < 5; turn += 1) {
    outcomes.push(await client.conversations().then(() => "sent", ({ code }) => code));
    client.forgetToken();
  }
  assert.deepEqual(outcomes, ["sent", "sent", "sent", "sent", "stopped"]);
  assert.deepEqual([asked.length, told], [4, [["ann", "bea"]]]);
});

test("of two requests at one time neither is sent as the person who came meanwhile, nor is one that comes again", async () => {
  /** @type {Record<string, (() => void)[]>} */
  const late = { "/assist/conversations/late": [] };
  let sub = "ann";
  const { service, asked } = await wire((response, one) => {
    if (one.path in late && sub === "ann") late[one.path]?.push(() => REFUSED(response, one));
    else NOTHING(response, one);
  });
  const client = new AssistClient({ service, token: async () => tokenOf({ sub, kind: sub, exp: seconds() + 300 }) });
  await client.conversations();
  const again = problemOf(client.conversation("late"));
  while (asked.length < 2) await new Promise((later) => setTimeout(later, 5));
  client.forgetToken();
  sub = "bea";
  const both = await Promise.all([problemOf(client.conversations()), problemOf(client.conversations("second"))]);
  late["/assist/conversations/late"]?.[0]?.();
  assert.deepEqual([...both, await again].map(({ code }) => code), ["stopped", "stopped", "stopped"]);
  assert.equal(asked.length, 2);
});
