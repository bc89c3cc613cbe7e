// The draft as values: one edit is one step back, and a proposal fits only the draft it was made for.

import assert from "node:assert/strict";
import test from "node:test";

import {
  PAST_EDITS,
  at,
  edited,
  isSaved,
  opened,
  put,
  same,
  stored,
  takes,
  undone,
} from "../../examples/reference_lms/face/static/draft.js";

const CONTENT = { config: { statement: "Why?", choices: [{ text: "a", correct: true }] }, explanation: "" };

/** @param {string} explanation */
const with_ = (explanation) => ({ ...CONTENT, explanation });

test("keys in one text are one edit, until it is stored or another text is typed in", () => {
  let draft = opened("1", CONTENT);
  draft = edited(draft, with_("a"), "/explanation");
  draft = edited(draft, with_("ab"), "/explanation");
  assert.equal(draft.past.length, 1);
  draft = stored(draft, "2", draft.now);
  draft = edited(draft, with_("abc"), "/explanation");
  assert.equal(draft.past.length, 2);
  draft = edited(draft, put(draft.now, "/config/statement", "Why not?"), "/config/statement");
  assert.equal(draft.past.length, 3);
  assert.deepEqual(undone(draft).now, with_("abc"));
  assert.deepEqual(undone(undone(undone(draft))).now, CONTENT);
});

test("a tick twice is two edits, and undoing is nothing where there was none", () => {
  const fresh = opened("1", CONTENT);
  assert.equal(undone(fresh), fresh);
  const once = edited(fresh, put(CONTENT, "/config/choices/0/correct", false));
  const twice = edited(once, CONTENT);
  assert.equal(twice.past.length, 2);
  assert.equal(isSaved(twice), true);
  assert.equal(isSaved(undone(twice)), false);
});

test("typing goes on after an undo as another edit", () => {
  const draft = edited(undone(edited(opened("1", CONTENT), with_("a"), "/explanation")), with_("b"), "/explanation");
  assert.equal(draft.past.length, 1);
});

test("what changes nothing is no edit", () => {
  const fresh = opened("1", CONTENT);
  assert.equal(edited(fresh, structuredClone(CONTENT)), fresh);
});

test("the oldest edits give way", () => {
  let draft = opened("1", CONTENT);
  for (let count = 0; count < PAST_EDITS + 5; count += 1) draft = edited(draft, with_(`${count}`));
  assert.equal(draft.past.length, PAST_EDITS);
  assert.deepEqual(draft.past[0], with_("4"));
});

test("a proposal fits its base, and no draft with a key more", () => {
  const fresh = opened("1", CONTENT);
  assert.equal(takes(fresh, "1"), true);
  assert.equal(takes(fresh, "0"), false);
  const typed = edited(fresh, with_("a"), "/explanation");
  assert.equal(takes(typed, "1"), false);
  assert.equal(takes(stored(typed, "2", typed.now), "1"), false);
  assert.equal(takes(stored(typed, "2", typed.now), "2"), true);
});

test("equal as JSON", () => {
  assert.equal(same({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }), true);
  for (const [one, other] of /** @type {[unknown, unknown][]} */ ([
    [1, true],
    [null, {}],
    [[], {}],
    [[1], [1, 2]],
    [{ a: undefined }, { b: undefined }],
    [{ toString: 1 }, {}],
  ])) {
    assert.equal(same(one, other), false);
    assert.equal(same(other, one), false);
  }
});

test("a pointer leads to own keys only, and puts into copies", () => {
  assert.equal(at(CONTENT, "/config/choices/0/text"), "a");
  assert.equal(at({ "a/b": { "~": 1 } }, "/a~1b/~0"), 1);
  for (const nowhere of ["/constructor", "/config/choices/1/text", "/config/__proto__", "/config/statement/length"]) {
    assert.equal(at(CONTENT, nowhere), undefined);
    assert.throws(() => put(CONTENT, nowhere, 1), RangeError);
  }
  const changed = put(CONTENT, "/config/choices/0/text", "b");
  assert.equal(at(changed, "/config/choices/0/text"), "b");
  assert.equal(at(CONTENT, "/config/choices/0/text"), "a");
  assert.equal(changed.explanation, CONTENT.explanation);
});
