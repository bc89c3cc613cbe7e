// What the client sends, and its problems: each code as the service said it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AssistClient, AssistProblem } from "../../panel/assist-client.js";
import { ANSWERED, bodyOf, NOTHING, numbered, PROBLEM, problemOf } from "./clients.mjs";
import { json, wire } from "./wire.mjs";

test("a problem has its code, reason, fields and wait", async () => {
  const errors = [{ field: "body.question", message: "too long" }];
  const { client } = await numbered(json(429, { ...PROBLEM, reason: "changed", errors }, { "Retry-After": "17" }));
  const { code, status, reason, retryAfterSeconds, errors: fields } = await problemOf(client.conversations());
  assert.deepEqual({ code, status, reason, retryAfterSeconds, fields }, {
    ...{ code: "rate_limited", status: 429, reason: "changed", retryAfterSeconds: 17, fields: errors },
  });
});

test("a problem without a wait has none", async () => {
  const { client } = await numbered(json(429, PROBLEM));
  assert.equal((await problemOf(client.conversations())).retryAfterSeconds, null);
});

test("a problem that is none of the contract's shape is still one, and holds nothing of another shape", async () => {
  for (const [body, code] of /** @type {const} */ ([[{ code: 7 }, "unreachable"], [{}, "unreachable"], [null, "unreachable"], [{ code: "too_large", errors: "x" }, "too_large"]])) {
    const { client } = await numbered(json(422, body));
    const problem = await problemOf(client.conversations());
    assert.deepEqual([problem.code, problem.errors], [code, []], JSON.stringify(body));
  }
});

test("a proxy's page in the place of an answer is a service that cannot be reached", async () => {
  for (const status of [200, 502]) {
    const { client } = await numbered((response) => void response.writeHead(status).end("<h1>Bad gateway</h1>"));
    const { code, status: told } = await problemOf(client.conversations());
    assert.deepEqual({ code, told }, { code: "unreachable", told: status });
  }
});

test("a redirect is not followed: the token goes to the service alone", async () => {
  const elsewhere = await wire(NOTHING);
  const { client } = await numbered((response) => void response.writeHead(307, { Location: elsewhere.service }).end());
  assert.equal((await problemOf(client.conversations())).code, "unreachable");
  assert.deepEqual(elsewhere.asked, []);
});

test("a service that is not there cannot be reached", async () => {
  const client = new AssistClient({ service: "http://127.0.0.1:9", token: async () => "t" });
  assert.equal((await problemOf(client.conversations())).code, "unreachable");
});

test("without a token nothing is sent", async () => {
  const { service, asked } = await wire(NOTHING);
  const client = new AssistClient({ service, token: () => Promise.reject(new Error("signed out")) });
  assert.equal((await problemOf(client.conversations())).code, "unauthenticated");
  assert.deepEqual(asked, []);
});

test("a question that is stopped waits for no token, whether it was stopped before or while it waited", async () => {
  const { service, asked } = await wire(ANSWERED);
  for (const milliseconds of [0, 20]) {
    const client = new AssistClient({ service, token: () => new Promise(() => {}) });
    const stopping = new AbortController();
    if (milliseconds === 0) stopping.abort();
    else setTimeout(() => stopping.abort(), milliseconds);
    assert.equal((await problemOf(client.ask(bodyOf(), { key: "k", signal: stopping.signal }))).code, "stopped");
  }
  assert.deepEqual(asked, []);
});

test("a section is read from the manual's addresses only", async () => {
  const { client, asked } = await numbered(NOTHING);
  assert.throws(() => client.section("https://elsewhere.example/assist/manual/x/y"), AssistProblem);
  assert.throws(() => client.section("/assist/conversations"), AssistProblem);
  assert.deepEqual(asked, []);
});

test("an id is one segment of its address, whatever is in it", async () => {
  const { client, asked } = await numbered(json(200, {}));
  const id = "../x?y=1#z";
  await client.confirm(id, "c");
  await client.cancel(id, "c");
  await client.conversation(id);
  await client.deleteConversation(id);
  await client.conversations("a&b");
  const one = "..%2Fx%3Fy%3D1%23z";
  assert.deepEqual(asked.map(({ path }) => path), [
    ...[`/assist/writes/${one}/confirm`, `/assist/writes/${one}/cancel`],
    ...[`/assist/conversations/${one}`, `/assist/conversations/${one}`, "/assist/conversations?cursor=a%26b"],
  ]);
});

test("a request carries its token and nothing else that the browser has, and leaves nothing there", async (t) => {
  const fetching = t.mock.method(globalThis, "fetch");
  const { client } = await numbered(NOTHING);
  await client.conversations();
  const options = fetching.mock.calls[0]?.arguments[1] ?? {};
  assert.deepEqual([options.credentials, options.referrerPolicy, options.cache], ["omit", "no-referrer", "no-store"]);
  assert.deepEqual(Object.keys(options.headers ?? {}), ["Authorization"]);
});

test("commands that the contract would refuse are left out, and each is named once", async (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  const { client, asked } = await numbered(ANSWERED);
  const commands = [
    ["sort", "Sort"], ["longest", "é".repeat(79) + "\u{1f600}"], ["Not.An.Id", "Label"], ["long", "x".repeat(81)],
    ["empty", ""], ["turned", "abc\u202edef"], ["two-lines", "a\nb"],
  ].map(([id = "", label = ""]) => ({ id, label, effect: /** @type {const} */ ("none"), gesture: false, danger: false }));
  await client.ask(bodyOf(commands), { key: "1" });
  await client.ask(bodyOf(commands), { key: "2" });
  assert.deepEqual(asked.map(({ body }) => body.context.commands.map((/** @type {any} */ each) => each.id)), [
    ["sort", "longest"], ["sort", "longest"],
  ]);
  const said = warned.mock.calls.map(({ arguments: [text] }) => String(text));
  assert.equal(said.length, 5);
  for (const id of ["Not.An.Id", "long", "empty", "turned", "two-lines"]) assert.ok(said.some((text) => text.includes(`"${id}"`)), id);
});
