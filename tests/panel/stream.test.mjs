// A question over the stream: its steps in order, and an answer only where the whole of it came.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { AssistClient, AssistProblem } from "../../panel/assist-client.js";
import { events } from "../../panel/event-stream.js";
import { json, seconds, stream, tokenOf, wire } from "./wire.mjs";

/** @type {any} */
const BODY = { conversation_id: null, question: "Où ?", context: {}, editor: null, reference: null };

const STEPS = [{ step: "reading", page: "Créer une banque" }, { step: "checking" }];
const REPLY = { conversation_id: "c", answer: "Voilà 🙂", html: "<p>Voilà 🙂</p>" };

/** @param {string} name @param {unknown} data @param {string} [end] */
const event = (name, data, end = "\n") => `event: ${name}${end}data: ${JSON.stringify(data)}${end}${end}`;

const WHOLE = Buffer.from(STEPS.map((step) => event("progress", step)).join("") + event("reply", REPLY));

/** @param {import("./wire.mjs").Answer} answer */
async function asking(answer) {
  const { service, asked } = await wire(answer);
  const client = new AssistClient({ service, token: async () => tokenOf({ exp: seconds() + 300 }) });
  return { client, asked };
}

/**
 * @param {AssistClient} client
 * @param {AbortSignal} [signal]
 */
async function outcome(client, signal) {
  /** @type {unknown[]} */
  const steps = [];
  const how = { key: "k", onStep: (/** @type {unknown} */ step) => void steps.push(step), ...(signal && { signal }) };
  const reply = await client.ask(BODY, how).catch((/** @type {unknown} */ error) => error);
  return { steps, reply };
}

/** @param {unknown} error @param {string} code */
function assertProblem(error, code) {
  assert.ok(error instanceof AssistProblem, JSON.stringify(error));
  assert.equal(error.code, code);
}

test("the steps come in order, then the reply", async () => {
  const { client, asked } = await asking(stream([WHOLE]));
  assert.deepEqual(await outcome(client), { steps: STEPS, reply: REPLY });
  assert.equal(asked[0]?.headers["idempotency-key"], "k");
  assert.equal(asked[0]?.headers["accept"], "text/event-stream");
  assert.deepEqual(asked[0]?.body, BODY);
});

test("bytes may come one by one, in the middle of a character too", async () => {
  const { client } = await asking(stream([...WHOLE].map((byte) => Uint8Array.of(byte))));
  assert.deepEqual(await outcome(client), { steps: STEPS, reply: REPLY });
});

test("comments and events nobody knows are passed over, and lines may end as on Windows", async () => {
  const text = `: still at it\n\n${event("later", {})}${event("reply", REPLY, "\r\n")}`;
  const { client } = await asking(stream([text]));
  assert.deepEqual(await outcome(client), { steps: [], reply: REPLY });
});

/** @param {ReadableStream<Uint8Array>} body   what was read of it, until its end or until it broke */
async function eventsOf(body) {
  /** @type {unknown[]} */
  const read = [];
  const reading = async () => {
    for await (const { data } of events(body)) read.push(JSON.parse(data));
  };
  await reading().catch(() => {});
  return read;
}

const STRIDE = 23;

for (const [how, cut] of /** @type {const} */ ([["breaks", true], ["ends", false]])) {
  test(`a stream that ${how} early is a problem and never an answer`, async () => {
    let length = 0;
    const { client } = await asking((response, asked) => stream([WHOLE.subarray(0, length)], { cut })(response, asked));
    for (const last of [WHOLE.length - 1, WHOLE.length - 2]) {
      for (length = last; length >= 0; length -= STRIDE) {
        const { steps, reply } = await outcome(client);
        assertProblem(reply, "unreachable");
        assert.deepEqual(steps, STEPS.slice(0, steps.length));
      }
    }
  });

  test(`of a body that ${how} at any byte only whole events are read`, async () => {
    for (let length = 0; length <= WHOLE.length; length += 1) {
      /** @type {ReadableStream<Uint8Array>} */
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(WHOLE.subarray(0, length)),
        pull: (controller) => (cut ? controller.error(new Error("cut")) : controller.close()),
      });
      const read = await eventsOf(body);
      assert.deepEqual(read, [...STEPS, REPLY].slice(0, read.length));
      assert.equal(read.length === STEPS.length + 1, length === WHOLE.length);
    }
  });
}

test("a reply that is no JSON is a problem", async () => {
  const { client } = await asking(stream(["event: reply\ndata: {\"answer\": \n\n"]));
  assertProblem((await outcome(client)).reply, "unreachable");
});

test("bytes that are no UTF-8 are a problem", async () => {
  const spoilt = Buffer.from(WHOLE);
  spoilt[spoilt.indexOf("Voil") + 4] = 0xff;
  const { client } = await asking(stream([spoilt]));
  assertProblem((await outcome(client)).reply, "unreachable");
});

test("an event without an end is given up", async () => {
  const { client } = await asking((response) => void response.writeHead(200, { "Content-Type": "text/event-stream" })
    .write(`data: ${"x".repeat(4_000_001)}`));
  assertProblem((await outcome(client)).reply, "unreachable");
});

test("a stream that goes on after the reply is let go", async () => {
  /** @type {Promise<unknown>} */
  let closed = Promise.resolve();
  const { client } = await asking((response) => {
    closed = new Promise((done) => response.on("close", done));
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(WHOLE);
  });
  assert.deepEqual((await outcome(client)).reply, REPLY);
  await closed;
});

test("an error event is the problem it names, and what comes after it is not read", async () => {
  const problem = { status: 503, code: "llm_unavailable", reason: null, title: "x" };
  const { client } = await asking(stream([event("error", problem), event("reply", REPLY)]));
  const { reply } = await outcome(client);
  assertProblem(reply, "llm_unavailable");
  assert.equal(/** @type {AssistProblem} */ (reply).status, 503);
});

test("a service that does not stream is read as it answers", async () => {
  const { client } = await asking(json(200, REPLY));
  assert.deepEqual(await outcome(client), { steps: [], reply: REPLY });
});

test("stopping closes the connection, and what had come is no answer", async () => {
  /** @type {Promise<void>} */
  let closed = Promise.resolve();
  const { client } = await asking((response) => {
    closed = new Promise((done) => response.on("close", done));
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(event("progress", STEPS[0]) + "event: reply\n");
  });
  const stopping = new AbortController();
  const how = { key: "k", signal: stopping.signal, onStep: () => stopping.abort() };
  assertProblem(await client.ask(BODY, how).catch((/** @type {unknown} */ error) => error), "stopped");
  await closed;
});

test("what is stopped beforehand is not sent", async () => {
  const { client, asked } = await asking(stream([WHOLE]));
  assertProblem((await outcome(client, AbortSignal.abort())).reply, "stopped");
  assert.deepEqual(asked, []);
});

test("a line that is silent is dead, and one that says something is not", async () => {
  const line = new TransformStream();
  const writer = line.writable.getWriter();
  const reading = (async () => {
    const seen = [];
    for await (const { event: name } of events(line.readable, 150)) seen.push(name);
    return seen;
  })();
  const noted = reading.catch((/** @type {Error} */ error) => error.message);
  for (let beats = 0; beats < 4; beats++) {
    void writer.write(new TextEncoder().encode(": still at it\n\n"));
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  assert.equal(await Promise.race([noted, "still listening"]), "still listening");
  assert.equal(await noted, "a silent line");
});

for (const [where, answer] of /** @type {[string, import("./wire.mjs").Answer][]} */ ([
  ["before its answer", () => {}],
  ["in its answer", (response) => void response.writeHead(200, { "Content-Type": "application/json" }).write('{"path"')],
])) {
  test(`a word about a card is unreachable once its line has hung for 45 s ${where}`, async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const { client, asked } = await asking(answer);
      const told = client.confirm("w", "c").catch((/** @type {unknown} */ error) => error);
      // Only what the client itself waits for goes by these timers.
      while (asked.length === 0) await new Promise((later) => setImmediate(later));
      for (let turns = 0; turns < 20; turns += 1) await new Promise((later) => setImmediate(later));
      mock.timers.tick(45_000);
      assertProblem(await told, "unreachable");
    } finally {
      mock.timers.reset();
    }
  });
}
