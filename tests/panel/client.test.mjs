// The client's problems and tokens: each code as the service said it, and a token that is taken back renewed once.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { AssistClient, AssistProblem } from "../../panel/assist-client.js";
import { json, seconds, stream, tokenOf, wire } from "./wire.mjs";

const PROBLEM = { status: 429, code: "rate_limited", title: "Too many questions" };
const REFUSED = json(401, { status: 401, code: "unauthenticated" });
const NOTHING = json(200, { items: [], next: null });

const OVER = stream(['event: error\ndata: {"status": 401, "code": "unauthenticated"}\n\n']);
const ANSWERED = stream(['event: reply\ndata: {"answer": "So."}\n\n']);

/** @param {import("../../panel/types.js").Command[]} [commands] @returns {import("../../panel/types.js").AskBody} */
const bodyOf = (commands = []) => ({
  ...{ conversation_id: null, question: "Why?", editor: null, reference: null },
  context: { route: "/pools", topic: null, language: "en", entities: {}, commands },
});

/**
 * A client whose tokens are numbered, and what was asked with which.
 *
 * @param {import("./wire.mjs").Answer} answer
 * @param {number} [lifetime] of a token, in seconds
 */
async function numbered(answer, lifetime = 300) {
  const { service, asked } = await wire(answer);
  let made = 0;
  const token = async () => tokenOf({ number: (made += 1), exp: seconds() + lifetime });
  return { client: new AssistClient({ service, token }), asked, numbers: () => asked.map(({ headers }) => numberOf(headers)) };
}

/** @param {import("node:http").IncomingHttpHeaders} headers */
const numberOf = ({ authorization = "" }) =>
  JSON.parse(Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString()).number;

/** @param {Promise<unknown>} asked @returns {Promise<AssistProblem>} */
async function problemOf(asked) {
  const error = await asked.then(() => null, (/** @type {unknown} */ found) => found);
  assert.ok(error instanceof AssistProblem, String(error));
  return error;
}

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
