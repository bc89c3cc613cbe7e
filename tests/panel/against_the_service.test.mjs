// Every method of the client against the running service, and a question that is stopped, cut off or refused there.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, mock, test } from "node:test";

import { AssistClient, AssistProblem } from "../../panel/assist-client.js";
import { Talk } from "../../panel/talk.js";
import { given } from "./given.mjs";

/** @type {{service: string, lms: string, now: number, teacher: string, other: string, pool: string}} */
const HOUSE = given("house");

/** The service's clock stands; a token that it takes for new must not look old here. */
before(() => mock.timers.enable({ apis: ["Date"], now: HOUSE.now }));
after(() => mock.timers.reset());

/** @param {string} person @param {string} [kind] */
const tokenOf = (person, kind = "portal") => async () => {
  const body = JSON.stringify({ person, kind, elevated: false });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${HOUSE.lms}/demo/session`, { method: "POST", headers, body });
  return String((await answer.json()).token);
};

/** @param {string} person @param {string} [service] */
const clientOf = (person, service = HOUSE.service) => new AssistClient({ service, token: tokenOf(person) });

const IMPERSONATING = new AssistClient({ service: HOUSE.service, token: tokenOf(HOUSE.teacher, "impersonation") });

/** @type {import("../../panel/types.js").ScreenContext} */
const SCREEN = { route: "/pools/:id", topic: "pool", language: "en", entities: { pool: HOUSE.pool }, commands: [] };

/** @param {string} question @param {string | null} [conversation] @returns {import("../../panel/types.js").AskBody} */
const bodyOf = (question, conversation = null) =>
  ({ conversation_id: conversation, question, context: SCREEN, editor: null, reference: null });

let keys = 0;
const key = () => `key-${process.pid}-${(keys += 1)}`;

/** @param {Promise<unknown>} asked @returns {Promise<AssistProblem>} */
async function problemOf(asked) {
  const error = await asked.then(() => null, (/** @type {unknown} */ found) => found);
  assert.ok(error instanceof AssistProblem, String(error));
  return error;
}

/**
 * A proxy that lets this share of each answer's bytes through and then breaks the connection.
 *
 * @param {() => number} share
 */
async function cutting(share) {
  const server = createServer(async (request, response) => {
    const headers = /** @type {Record<string, string>} */ ({ ...request.headers });
    for (const name of ["host", "connection", "content-length", "transfer-encoding", "accept-encoding"]) delete headers[name];
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const sent = body === "" ? {} : { body };
    const answer = await fetch(HOUSE.service + request.url, { method: request.method ?? "GET", headers, ...sent });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    const whole = Buffer.from(await answer.arrayBuffer());
    const length = Math.floor(whole.length * share());
    response.write(whole.subarray(0, length), () => (length < whole.length ? response.destroy() : response.end()));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(null)));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
}

test("what a session may do", async () => {
  const offered = await clientOf(HOUSE.teacher).availability("fr");
  assert.deepEqual([offered.offered, offered.reason, offered.manual], [true, null, true]);
  assert.match(offered.notice, /questions/);
  assert.ok(offered.screens.some(({ screen, params }) => screen === "pool" && params.tab.includes("stats")));
  assert.ok(offered.limits.question_characters > 0);
  const withheld = await IMPERSONATING.availability("en");
  assert.deepEqual([withheld.offered, withheld.reason, withheld.screens], [false, "not_offered", []]);
});

test("a question: its steps in order, its citation's section, its transcript, and then its deletion", async () => {
  const client = clientOf(HOUSE.teacher);
  /** @type {import("../../panel/types.js").Step[]} */
  const steps = [];
  const reply = await client.ask(bodyOf("How do I create a pool?"), { key: key(), onStep: (step) => void steps.push(step) });
  assert.deepEqual(steps.map(({ step }) => step), ["reading", "reading", "checking"]);
  assert.equal(reply.kind, "manual");
  const [citation] = reply.citations;
  assert.ok(citation);
  const section = await client.section(citation.href);
  assert.deepEqual([section.title, section.page, section.active], [citation.title, citation.page, true]);
  assert.match(section.html, /^</);

  const second = await client.ask(bodyOf("And then?", reply.conversation_id), { key: key() });
  assert.equal(second.conversation_id, reply.conversation_id);
  const { items } = await client.conversations();
  assert.equal(items.find(({ id }) => id === reply.conversation_id)?.active, true);
  const kept = await client.conversation(reply.conversation_id);
  assert.deepEqual(kept.items.map(({ question }) => question).toSorted(), ["And then?", "How do I create a pool?"]);
  assert.equal(kept.items.find(({ id }) => id === reply.exchange_id)?.html, reply.html);

  await client.deleteConversation(reply.conversation_id);
  assert.equal((await problemOf(client.conversation(reply.conversation_id))).code, "conversation_not_found");
  assert.equal((await problemOf(clientOf(HOUSE.other).deleteConversation(reply.conversation_id))).code, "conversation_not_found");
});

test("lists are read page by page", async () => {
  const client = clientOf(HOUSE.other);
  const first = await client.ask(bodyOf("One"), { key: key() });
  await client.ask(bodyOf("Two"), { key: key() });
  const { items, next } = await client.conversations();
  assert.deepEqual([items.map(({ title }) => title).toSorted(), next], [["One", "Two"], null]);
  assert.equal((await problemOf(client.conversations("no cursor"))).code, "invalid_request");
  assert.equal((await problemOf(client.conversation(first.conversation_id, "no cursor"))).code, "invalid_request");
});

test("a change is made once by Confirm, and is over after Cancel", async () => {
  const client = clientOf(HOUSE.teacher);
  const { conversation_id: id, writes } = await client.ask(bodyOf("Prepare Alpha"), { key: key() });
  const [card] = writes;
  assert.ok(card);
  const { path, title } = await client.confirm(card.id, id);
  assert.match(path, /^\/pools\/[0-9a-f-]{36}/);
  assert.equal(title, "Alpha");
  assert.equal((await problemOf(client.confirm(card.id, id))).code, "write_not_found");

  const { conversation_id: other, writes: more } = await client.ask(bodyOf("Prepare Beta"), { key: key() });
  assert.ok(more[0]);
  assert.equal(await client.cancel(more[0].id, other), undefined);
  assert.equal((await problemOf(client.confirm(more[0].id, other))).status, 404);
});

test("stopping stops the question: nothing of it is kept, and the next one is answered", async () => {
  const client = clientOf(HOUSE.teacher);
  const { conversation_id: id } = await client.ask(bodyOf("First"), { key: key() });
  const stopping = new AbortController();
  const asked = problemOf(client.ask(bodyOf("Take your time", id), { key: key(), signal: stopping.signal }));
  await clientOf(HOUSE.other).ask(bodyOf("Wait until that one does"), { key: key() });
  stopping.abort();
  assert.equal((await asked).code, "stopped");
  let next = await client.ask(bodyOf("Second", id), { key: key() }).catch((error) => error);
  for (let tries = 0; tries < 50 && next.code === "conversation_busy"; tries += 1) { // until the service has heard of it
    await new Promise((later) => setTimeout(later, 100));
    next = await client.ask(bodyOf("Second", id), { key: key() }).catch((error) => error);
  }
  assert.equal(next.conversation_id, id);
  assert.deepEqual((await client.conversation(id)).items.map(({ question }) => question).toSorted(), ["First", "Second"]);
});

test("an answer that is cut is a problem, and asked again with its key it is the one that was stored", async () => {
  let share = 0;
  const client = clientOf(HOUSE.teacher, await cutting(() => share));
  const host = /** @type {any} */ ({ screen: () => SCREEN });
  const talk = new Talk(client, () => host);
  const ask = () => talk.ask({ question: "Cut me off" }, () => {});
  for (share of [0, 0.01, 0.1, 0.5, 0.9, 0.999]) assert.equal((await problemOf(ask())).code, "unreachable");
  share = 1;
  const reply = await ask();
  assert.equal(reply.kind, "manual");
  assert.equal((await clientOf(HOUSE.teacher).conversation(reply.conversation_id)).items.length, 1);
});

test("what fails after it began comes as the stream's error", async () => {
  const { code, status } = await problemOf(clientOf(HOUSE.teacher).ask(bodyOf("Fail"), { key: key() }));
  assert.deepEqual({ code, status }, { code: "llm_unavailable", status: 503 });
});

test("what is wrong beforehand is answered without a stream", async () => {
  const client = clientOf(HOUSE.teacher);
  const wrong = await problemOf(client.ask({ ...bodyOf(""), context: { ...SCREEN, route: "/nowhere" } }, { key: key() }));
  assert.equal(wrong.code, "invalid_request");
  assert.deepEqual(wrong.errors.map(({ field }) => field), ["context.route"]);
  assert.equal((await problemOf(IMPERSONATING.ask(bodyOf("x"), { key: key() }))).code, "not_offered");
  const once = key();
  await client.ask(bodyOf("Once"), { key: once });
  assert.equal((await problemOf(client.ask(bodyOf("Twice"), { key: once }))).code, "idempotency_mismatch");
});

test("a session token is kept while it is good, and renewed once where the service takes it no more", async () => {
  let made = 0;
  const fresh = tokenOf(HOUSE.teacher);
  const client = new AssistClient({ service: HOUSE.service, token: async () => ((made += 1), fresh()) });
  await client.conversations();
  await client.ask(bodyOf("Let time pass"), { key: key() }); // for the service; here the token still looks good
  assert.equal(made, 1);
  await client.conversations();
  await client.conversations();
  assert.equal(made, 2);
});

test("a limit says how long to wait", async () => {
  const client = clientOf(HOUSE.other);
  let told = null;
  for (let asked = 0; asked < 40 && told === null; asked += 1) {
    told = await client.ask(bodyOf(`Number ${asked}`), { key: key() }).then(() => null, (error) => error);
  }
  assert.ok(told instanceof AssistProblem);
  assert.deepEqual([told.code, told.status], ["rate_limited", 429]);
  assert.ok(told.retryAfterSeconds !== null && told.retryAfterSeconds > 0 && told.retryAfterSeconds <= 60);
});
