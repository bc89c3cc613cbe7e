// The editor without a page: what is saved when, what is undone, and what becomes of a proposal.

import assert from "node:assert/strict";
import test from "node:test";

import { AUTOSAVE_MS, FLUSH_SAVES, RETRY_MS } from "../../examples/reference_lms/face/static/autosave.js";
import { same } from "../../examples/reference_lms/face/static/draft.js";
import { Editing } from "../../examples/reference_lms/face/static/editing.js";
import { HandTimers, settled } from "./hand-timers.mjs";

/** @typedef {import("../../examples/reference_lms/face/static/draft.js").Content} Content */
/** @typedef {import("../../examples/reference_lms/face/static/saving.js").Saved} Saved */

/** @type {Content} */
const CONTENT = { config: { statement: "Why?" }, explanation: "" };

/** @param {string} explanation */
const with_ = (explanation) => ({ ...CONTENT, explanation });

/** A small LMS with one question: a revision a save, and answers that can be held or lost. */
class School {
  stored = CONTENT;
  revision = 1;
  /** @type {Content[]} */
  saves = [];
  /** @type {"kept" | "lost" | "unreachable"} */
  answers = "kept";
  /** @type {import("../../examples/reference_lms/face/static/saving.js").Fault[]} */
  faults = [];
  /** @type {Promise<void>} */
  held = Promise.resolve();

  /** @param {Content} content */
  storeOfOthers(content) {
    this.stored = content;
    this.revision += 1;
  }

  /**
   * @param {string} base
   * @param {Content} content
   * @returns {Promise<Saved>}
   */
  async save(base, content) {
    this.saves.push(content);
    await this.held;
    const answer = this.answers === "unreachable" ? null : this.#answer(base, content);
    return answer === null || this.answers === "lost" ? { outcome: "failed" } : answer;
  }

  /**
   * @param {string} base
   * @param {Content} content
   * @returns {Saved}
   */
  #answer(base, content) {
    if (this.faults.length > 0) return { outcome: "invalid", faults: this.faults };
    if (!same(content, this.stored)) {
      if (base !== `r${this.revision}`) return { outcome: "changed", base: `r${this.revision}`, content: this.stored };
      this.storeOfOthers(content);
    }
    return { outcome: "saved", base: `r${this.revision}` };
  }
}

function open() {
  const school = new School();
  const timers = new HandTimers();
  /** @type {string[]} */
  const said = [];
  const editing = new Editing({
    question: "4ee8e431-d881-46ee-bbdc-234a849d098c",
    type: "open",
    base: "r1",
    content: CONTENT,
    server: school,
    timers,
    show: ({ status }) => void (said.at(-1) === status || said.push(status)),
  });
  return { school, timers, said, editing };
}

/**
 * @param {Promise<unknown>} flushing
 * @param {string} why
 */
const refusedFor = (flushing, why) => assert.rejects(flushing, (fault) => fault instanceof Error && "why" in fault && fault.why === why);

test("saved a second after the last key, once", async () => {
  const { school, timers, said, editing } = open();
  editing.edit(with_("a"), "/explanation");
  await timers.turn(AUTOSAVE_MS - 1);
  editing.edit(with_("ab"), "/explanation");
  await timers.turn(AUTOSAVE_MS - 1);
  assert.deepEqual(school.saves, []);
  assert.equal(editing.hasUnsaved, true);
  await timers.turn(1);
  assert.deepEqual(school.saves, [with_("ab")]);
  assert.deepEqual(said, ["unsaved", "saved"]);
  assert.equal(editing.hasUnsaved, false);
  assert.equal(timers.waiting, 0);
});

test("while the person is asked nothing is sent by itself, and afterwards it is", async () => {
  const { school, timers, editing } = open();
  editing.edit(with_("a"), "/explanation");
  await editing.hold();
  await editing.hold();
  editing.release();
  await timers.turn(AUTOSAVE_MS);
  assert.deepEqual(school.saves, []);
  editing.release();
  await timers.turn(AUTOSAVE_MS);
  assert.deepEqual(school.saves, [with_("a")]);
});

test("a save that runs is waited for before the person is asked", async () => {
  const { school, editing } = open();
  let answer = () => {};
  school.held = new Promise((resolve) => (answer = resolve));
  editing.edit(with_("a"), "/explanation");
  const flushing = editing.flush();
  const holding = editing.hold();
  answer();
  await holding;
  assert.equal(editing.hasUnsaved, false);
  await flushing;
});

test("undone before it was saved, nothing is sent", async () => {
  const { school, timers, said, editing } = open();
  editing.edit(with_("a"), "/explanation");
  editing.undo();
  await timers.turn(AUTOSAVE_MS);
  assert.deepEqual(school.saves, []);
  assert.deepEqual(said, ["unsaved", "saved"]);
});

test("a flush saves now, and what was typed while it ran too; the base is the last one's", async () => {
  const { school, timers, editing } = open();
  /** @type {() => void} */
  let letGo = () => {};
  school.held = new Promise((resolve) => (letGo = resolve));
  editing.edit(with_("a"));
  const flushing = editing.flush();
  await settled();
  editing.edit(with_("ab"));
  assert.equal(school.saves.length, 1);
  letGo();
  await flushing;
  assert.deepEqual(school.saves, [with_("a"), with_("ab")]);
  assert.deepEqual(school.stored, with_("ab"));
  assert.deepEqual([editing.base, editing.draft().base], ["r3", "r3"]);
  assert.equal(timers.waiting, 0);
  await editing.flush();
  assert.equal(school.saves.length, 2);
});

test("one save at a time, however many flushes wait for it", async () => {
  const { school, editing } = open();
  editing.edit(with_("a"));
  await Promise.all([editing.flush(), editing.flush(), editing.flush()]);
  assert.equal(school.saves.length, 1);
});

test("a flush ends though keys go on coming", async () => {
  const { school, editing } = open();
  let keys = 0;
  const save = school.save.bind(school);
  school.save = async (base, content) => {
    editing.edit(with_(`${++keys}`));
    return save(base, content);
  };
  editing.edit(with_("a"));
  await refusedFor(editing.flush(), "unsaved");
  assert.equal(school.saves.length, FLUSH_SAVES);
});

test("somebody else's save is not written over, and only told once", async () => {
  const { school, timers, said, editing } = open();
  school.storeOfOthers(with_("theirs"));
  editing.edit(with_("mine"));
  await refusedFor(editing.flush(), "changed");
  editing.edit(with_("mine still"));
  await timers.turn(AUTOSAVE_MS + RETRY_MS);
  await refusedFor(editing.flush(), "changed");
  assert.equal(school.saves.length, 1);
  assert.deepEqual(school.stored, with_("theirs"));
  assert.deepEqual(said, ["unsaved", "changed"]);
});

test("theirs can be taken: it is the draft, and there is nothing to undo", async () => {
  const { school, editing } = open();
  school.storeOfOthers(with_("theirs"));
  editing.edit(with_("mine"));
  await refusedFor(editing.flush(), "changed");
  editing.takeTheirs();
  assert.deepEqual(editing.view, { status: "saved", faults: [], content: with_("theirs"), canUndo: false });
  editing.edit(with_("on"));
  await editing.flush();
  assert.deepEqual(school.stored, with_("on"));
});

test("mine can be kept: it is stored over theirs", async () => {
  const { school, timers, editing } = open();
  school.storeOfOthers(with_("theirs"));
  editing.edit(with_("mine"));
  await refusedFor(editing.flush(), "changed");
  editing.keepMine();
  await timers.turn(AUTOSAVE_MS);
  assert.deepEqual(school.stored, with_("mine"));
  assert.equal(editing.view.status, "saved");
});

test("what cannot be stored is said by field, until it can", async () => {
  const { school, timers, editing } = open();
  school.faults = [{ path: "/config/statement", rule: "minLength" }];
  editing.edit({ config: { statement: "" }, explanation: "" });
  await refusedFor(editing.flush(), "invalid");
  assert.deepEqual(editing.view.faults, school.faults);
  assert.equal(timers.waiting, 0);
  school.faults = [];
  editing.edit(with_("a"));
  await timers.turn(AUTOSAVE_MS);
  assert.deepEqual([editing.view.status, editing.view.faults], ["saved", []]);
});

test("what cannot be stored and is undone is as it was stored", async () => {
  const { school, editing } = open();
  school.faults = [{ path: "/config/statement", rule: "minLength" }];
  editing.edit({ config: { statement: "" }, explanation: "" });
  await refusedFor(editing.flush(), "invalid");
  editing.undo();
  assert.deepEqual([editing.view.status, editing.view.faults, editing.hasUnsaved], ["saved", [], false]);
});

test("what is refused is not tried again by itself, and was not stored", async () => {
  const { school, timers, said, editing } = open();
  school.save = async () => ({ outcome: "refused" });
  editing.edit(with_("a"));
  await refusedFor(editing.flush(), "refused");
  assert.equal(timers.waiting, 0);
  editing.undo();
  assert.deepEqual(said, ["unsaved", "refused", "saved"]);
});

test("without an answer it is tried again", async () => {
  const { school, timers, said, editing } = open();
  school.answers = "unreachable";
  editing.edit(with_("a"));
  await refusedFor(editing.flush(), "failed");
  school.answers = "kept";
  await timers.turn(RETRY_MS);
  assert.deepEqual(said, ["unsaved", "failed", "saved"]);
  assert.deepEqual(school.stored, with_("a"));
});

test("a save whose answer was lost is nobody else's", async () => {
  const { school, editing } = open();
  school.answers = "lost";
  editing.edit(with_("a"));
  await refusedFor(editing.flush(), "failed");
  school.answers = "unreachable";
  editing.edit(with_("ab"));
  await refusedFor(editing.flush(), "failed");
  school.answers = "kept";
  editing.edit(with_("abc"));
  await editing.flush();
  assert.deepEqual(school.stored, with_("abc"));
  assert.equal(editing.view.status, "saved");
});

test("what was sent before a save that was answered may be somebody else's since", async () => {
  const { school, editing } = open();
  school.answers = "lost";
  editing.edit(with_("a"));
  await refusedFor(editing.flush(), "failed");
  school.answers = "kept";
  editing.edit(with_("b"));
  await editing.flush();
  school.storeOfOthers(with_("a"));
  editing.edit(with_("c"));
  await refusedFor(editing.flush(), "changed");
  assert.deepEqual(school.stored, with_("a"));
});

test("undone after a lost answer, it is only saved when the server has it", async () => {
  const { school, editing } = open();
  school.answers = "lost";
  editing.edit(with_("a"));
  await refusedFor(editing.flush(), "failed");
  editing.undo();
  assert.notEqual(editing.view.status, "saved");
  school.answers = "kept";
  await editing.flush();
  assert.deepEqual(school.stored, CONTENT);
});

test("a proposal is one edit, saved at once, and one undo takes it back", async () => {
  const { school, editing } = open();
  editing.edit(with_("typed"), "/explanation");
  await editing.flush();
  const proposal = { base: editing.draft().base, config: { statement: "Why not?" }, explanation: "So." };
  assert.equal(await editing.apply(proposal), "applied");
  assert.deepEqual(school.stored, { config: proposal.config, explanation: "So." });
  editing.undo();
  await editing.flush();
  assert.deepEqual(school.stored, with_("typed"));
});

test("a proposal for another draft changes nothing", async () => {
  const { school, editing } = open();
  const proposal = { base: "r1", config: { statement: "Why not?" }, explanation: "So." };
  editing.edit(with_("a key"), "/explanation");
  assert.equal(await editing.apply(proposal), "changed");
  await editing.flush();
  assert.equal(await editing.apply(proposal), "changed");
  assert.deepEqual(editing.content, with_("a key"));
  assert.deepEqual(school.stored, with_("a key"));
});

test("a proposal for what somebody else has changed meanwhile is taken back", async () => {
  const { school, editing } = open();
  school.storeOfOthers(with_("theirs"));
  assert.equal(await editing.apply({ base: "r1", config: { statement: "Why not?" }, explanation: "" }), "changed");
  assert.deepEqual(editing.content, CONTENT);
  assert.deepEqual(school.stored, with_("theirs"));
  assert.equal(editing.view.status, "changed");
});

test("a draft handed out, and a proposal handed in, are copies", async () => {
  const { editing } = open();
  const { question_id, type, base, config } = editing.draft();
  assert.deepEqual([question_id, type, base], ["4ee8e431-d881-46ee-bbdc-234a849d098c", "open", "r1"]);
  config["statement"] = "Mine";
  assert.deepEqual(editing.content.config, { statement: "Why?" });
  const proposed = { statement: "Theirs" };
  await editing.apply({ base, config: proposed, explanation: "" });
  proposed.statement = "Mine";
  assert.deepEqual(editing.content.config, { statement: "Theirs" });
});

test("a page that is left saves nothing more", async () => {
  const { school, timers, editing } = open();
  editing.edit(with_("a"));
  editing.stop();
  await timers.turn(AUTOSAVE_MS);
  editing.edit(with_("ab"));
  await timers.turn(AUTOSAVE_MS);
  assert.deepEqual(school.saves, []);
});
