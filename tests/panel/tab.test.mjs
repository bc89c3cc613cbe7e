// A tab goes on with its own conversation and with none that is not wanted any more; it knows when it is seen again.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { AssistProblem } from "../../panel/assist-client.js";
import { presence } from "../../panel/presence.js";
import { Shelf } from "../../panel/shelf.js";

const [ONE, TWO] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const KEY = "assist-panel.conversation";

/** @type {Map<string, string>} */
const kept = new Map();
const storage = {
  getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
  removeItem: (/** @type {string} */ key) => void kept.delete(key),
};

/** @param {PropertyDescriptor} how   the page has its storage */
const withStorage = (how) => Object.defineProperty(globalThis, "sessionStorage", { configurable: true, ...how });

beforeEach(() => {
  kept.clear();
  withStorage({ value: storage });
});

/** A shelf, and what it read, told and forgot; each reading ends as a test says. */
function shelving() {
  /** @type {{id: string, isWanted: () => boolean, end: () => void, fail: (fault: Error) => void}[]} */
  const read = [];
  /** @type {unknown[]} */
  const told = [];
  /** @type {string[]} */
  const forgotten = [];
  const thread = {
    begin: () => {},
    tell: (/** @type {unknown} */ box) => void told.push(box),
    read: (/** @type {string} */ id, /** @type {{isWanted: () => boolean}} */ { isWanted }) =>
      new Promise((end, fail) => void read.push({ id, isWanted, end: () => end(null), fail })),
  };
  const talk = {
    goOn: (/** @type {string | null} */ id) => shelf.goesOn(id),
    forget: (/** @type {string} */ id) => void forgotten.push(id),
  };
  /** @type {any} */
  const around = { desk: () => ({}), talk: () => talk, thread, cleared: () => {}, chosen: () => {} };
  const shelf = new Shelf(around);
  return { shelf, read, told, forgotten };
}

test("what a tab had is read once after its page was loaded anew", async () => {
  shelving().shelf.goesOn(ONE);
  const { shelf, read } = shelving();
  assert.equal(shelf.putAside(), ONE);
  const reading = shelf.resume();
  read[0]?.end();
  await reading;
  await shelf.resume();
  assert.deepEqual(read.map(({ id }) => id), [ONE]);
});

test("nothing is read of what a page put there that is no conversation, nor where it may keep nothing", () => {
  for (const foreign of ["", "none", `${ONE}/../x`, ` ${ONE}`, ONE.replaceAll("0", "A")]) {
    kept.set(KEY, foreign);
    assert.equal(shelving().shelf.putAside(), null, foreign);
  }
  withStorage({ get: () => { throw new Error("SecurityError"); } });
  const { shelf } = shelving();
  shelf.goesOn(ONE);
  assert.equal(shelf.putAside(), null);
});

test("what was begun anew is not led back: not by what the tab had, nor by a transcript that comes late", async () => {
  kept.set(KEY, ONE);
  const { shelf, read } = shelving();
  shelf.putAside();
  shelf.clear();
  await shelf.resume();
  assert.deepEqual([read.length, kept.size], [0, 0]);
  kept.set(KEY, ONE);
  shelf.putAside();
  const reading = shelf.resume();
  assert.equal(read[0]?.isWanted(), true);
  shelf.clear();
  assert.equal(read[0]?.isWanted(), false);
  read[0]?.end();
  await reading;
});

test("of one that is gone, or that stands there no more, nothing is said", async () => {
  kept.set(KEY, ONE);
  const { shelf, read, told, forgotten } = shelving();
  shelf.putAside();
  const gone = shelf.resume();
  read[0]?.fail(new AssistProblem("conversation_not_found"));
  await gone;
  assert.deepEqual([forgotten, told], [[ONE], []]);
  for (const code of ["unreachable", "conversation_not_found"]) {
    kept.set(KEY, ONE);
    shelf.putAside();
    const left = shelf.resume();
    shelf.goesOn(TWO);
    read.at(-1)?.fail(new AssistProblem(code));
    await left;
    assert.deepEqual([forgotten, told], [[ONE], []], code);
  }
});

test("a page is seen again after it was hidden, for as long as the panel stands on it; a move is no leaving", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const page = Object.assign(new EventTarget(), { hidden: false });
  Object.defineProperty(globalThis, "document", { value: page, configurable: true });
  const turn = (/** @type {boolean} */ hidden) => {
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  /** @type {string[]} */
  const said = [];
  const tells = (/** @type {string} */ what) => () => void said.push(what);
  const element = /** @type {any} */ ({ isConnected: true });
  const there = presence(element, { stands: tells("stands"), left: tells("left"), seen: tells("seen") });
  there.connected();
  for (const hidden of [false, true, true, false, false]) turn(hidden);
  there.disconnected();
  there.connected();
  mock.timers.tick(1);
  for (const hidden of [true, false]) turn(hidden);
  element.isConnected = false;
  there.disconnected();
  mock.timers.tick(1);
  for (const hidden of [true, false]) turn(hidden);
  assert.deepEqual(said, ["stands", "seen", "stands", "seen", "left"]);
  Reflect.deleteProperty(globalThis, "document");
  mock.timers.reset();
});
