// Whatever a page's host throws, returns or leaves open becomes an outcome; and what is held to the screen it was asked on.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { hosted, PATIENCE } from "../../panel/hosted.js";
import { checkAsked, isSameScreen } from "../../panel/rules/asked.js";

const boom = () => {
  throw new Error("no");
};
const rejects = () => Promise.reject(new Error("no"));
const never = () => new Promise(() => {});

/** What a page's function may do that it should not, but never settling. @type {Record<string, () => any>} */
const FAULTS = { throws: boom, rejects, "says nothing": () => undefined, "says a number": () => 7, "says null": () => null };

/** @type {import("../../panel/types.js").Command} */
const COMMAND = { id: "sort", label: "Sort", effect: "none", gesture: false, danger: false };
const SCREEN = { route: "/pools/:id", topic: null, language: /** @type {const} */ ("en"), entities: { pool: "a" }, commands: [COMMAND] };
const DRAFT = { question_id: "q", type: "mcq", base: "1", config: {}, explanation: "" };
const EDIT = { base: "1", config: {}, explanation: "" };

/** @param {any} host */
const page = (host) => hosted(() => host);
/** @param {any} editor */
const editing = (editor) => page({ editor: () => editor });

/**
 * What comes of something that never settles, once this time is over; null where it still waits.
 * @param {() => Promise<unknown>} act
 * @param {number} milliseconds
 */
async function after(act, milliseconds) {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let came = /** @type {unknown} */ (null);
    const told = (/** @type {unknown} */ said) => void (came = said);
    act().then(told, () => told("rejected"));
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    mock.timers.tick(milliseconds - 1);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.equal(came, null, "in time");
    mock.timers.tick(1);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    return came;
  } finally {
    mock.timers.reset();
  }
}

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`a page that ${name} is known for it`, async () => {
    const says = fault === rejects ? () => Promise.resolve(SCREEN) : fault; // what is waited for nowhere
    assert.equal(page({ screen: says }).screen(), null);
    assert.equal(await page({ navigate: fault }).navigate("/pools"), "unknown");
    assert.equal(await editing({ apply: fault }).apply(EDIT), name === "says nothing" || name === "says null" ? "changed" : "failed");
    const draft = editing({ draft: says }).draft();
    assert.equal(draft, name === "says null" || name === "says nothing" ? null : undefined);
    await assert.rejects(page({ token: fault }).token());
  });
}

test("only what fails has failed", async () => {
  for (const fault of [boom, rejects]) {
    assert.equal(await page({ runCommand: fault }).runCommand(COMMAND), "failed");
    assert.equal(await editing({ flush: fault }).flush(), "failed");
    assert.equal(await page({ editor: boom }).flush(), "failed");
  }
  assert.equal(page({ editor: boom }).draft(), undefined);
  assert.deepEqual([await page({}).flush(), page({}).draft()], ["none", null]);
  assert.deepEqual([await editing(null).flush(), await editing(null).apply(EDIT)], ["none", "changed"]);
  const good = { navigate: async () => "moved", runCommand: () => {}, token: async () => "t", screen: () => SCREEN };
  assert.deepEqual([await page(good).navigate("/"), await page(good).runCommand(COMMAND)], ["moved", "done"]);
  assert.deepEqual([await page(good).token(), page(good).screen()], ["t", SCREEN]);
  const editor = { flush: async () => {}, draft: () => DRAFT, apply: async () => "applied" };
  assert.deepEqual([await editing(editor).flush(), editing(editor).draft(), await editing(editor).apply(EDIT)], ["saved", DRAFT, "applied"]);
});

test("what a page leaves open is given up after its time, but never what a person is asked", async () => {
  assert.equal(await after(() => page({ runCommand: never }).runCommand(COMMAND), PATIENCE.command), "silent");
  assert.equal(await after(() => editing({ flush: never }).flush(), PATIENCE.flush), "failed");
  assert.equal(await after(() => editing({ apply: never }).apply(EDIT), PATIENCE.apply), "silent");
  assert.equal(await after(() => page({ token: never }).token(), PATIENCE.token), "rejected");
  const hour = 3_600_000;
  assert.equal(await after(() => page({ navigate: never }).navigate("/"), hour), null);
  assert.equal(await after(() => page({ runCommand: never }).runCommand({ ...COMMAND, danger: true }), hour), null);
});

test("a page without a router has none", () => {
  assert.deepEqual([page({}).hasRouter(), page({ navigate: boom }).hasRouter(), hosted(boom).hasRouter()], [false, true, false]);
});

test("a screen that cannot be read is none, and one that is read is a copy", () => {
  const bad = [{ route: 7 }, { language: null }, { entities: null }, { entities: [] }, { commands: null }, { commands: [null] }, { commands: [{ id: "a" }] }];
  for (const each of bad) assert.equal(page({ screen: () => ({ ...SCREEN, ...each }) }).screen(), null, JSON.stringify(each));
  const lent = structuredClone(SCREEN);
  const told = page({ screen: () => lent }).screen();
  lent.entities.pool = "b";
  assert.deepEqual(told, SCREEN);
});

test("a command is run on the screen it was asked on, and as it was", () => {
  const ruled = checkAsked(SCREEN, structuredClone(SCREEN), "sort");
  assert.deepEqual(ruled, { action: { type: "run_command", id: "sort", label: "Sort" }, command: COMMAND });
  assert.deepEqual(checkAsked(SCREEN, { ...SCREEN, commands: [] }, "sort"), { refused: "unknown_command" });
  assert.deepEqual(checkAsked({ ...SCREEN, commands: [] }, SCREEN, "sort"), { refused: "changed_command" });
  for (const change of [{ label: "Sort all" }, { effect: "write" }, { gesture: true }, { danger: true }]) {
    const now = { ...SCREEN, commands: [/** @type {any} */ ({ ...COMMAND, ...change })] };
    assert.deepEqual(checkAsked(SCREEN, now, "sort"), { refused: "changed_command" }, JSON.stringify(change));
  }
});

test("an effect that nobody knows is taken for a change", () => {
  const later = /** @type {any} */ ({ ...COMMAND, effect: "later" });
  const asked = { ...SCREEN, commands: [later] };
  assert.equal(/** @type {any} */ (checkAsked(asked, structuredClone(asked), "sort")).action.type, "confirm_command");
});

test("another screen is one of another route or of other things", () => {
  const others = [{ route: "/pools" }, { entities: { pool: "b" } }, { entities: {} }, { entities: { pool: "a", course: "c" } }, { entities: { course: "a" } }];
  for (const each of others) {
    const now = { ...SCREEN, ...each };
    assert.equal(isSameScreen(SCREEN, now), false, JSON.stringify(each));
    assert.deepEqual(checkAsked(SCREEN, now, "sort"), { refused: "left_screen" });
  }
  assert.equal(isSameScreen(SCREEN, { ...SCREEN, route: SCREEN.route, entities: { pool: "a" } }), true);
  const inherited = Object.assign(Object.create({ pool: "a" }), { course: "c" });
  assert.equal(isSameScreen(SCREEN, { ...SCREEN, entities: inherited }), false, "of its own things");
});

test("a page may say that the person declined, and what else it says of a command that ran is that it ran", async () => {
  for (const [said, came] of [["declined", "declined"], ["refused", "done"], [undefined, "done"]]) {
    assert.equal(await page({ runCommand: async () => said }).runCommand(COMMAND), came);
  }
});
