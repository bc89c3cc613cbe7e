// Rows of a question's lists, and what a student's answer is worth.

import assert from "node:assert/strict";
import test from "node:test";

import { isRight, piecesOf } from "../../examples/reference_lms/face/static/marking.js";
import { rowsOf, withRow, withoutRow } from "../../examples/reference_lms/face/static/rows.js";

/**
 * @param {Record<string, unknown>} config
 */
const of = (config) => ({ config, explanation: "" });

test("a new choice is empty and not ticked", () => {
  const content = withRow(of({ choices: [{ text: "a", correct: true }] }), "/config/choices");
  assert.deepEqual(content.config["choices"], [
    { text: "a", correct: true },
    { text: "", correct: false },
  ]);
});

test("a new gap has a number of its own and a place in the text", () => {
  const gaps = [{ id: 1, answers: ["a"] }, { id: 7, answers: ["b"] }];
  const content = withRow(of({ text: "[[1]] and [[7]]", gaps }), "/config/gaps");
  assert.equal(content.config["text"], "[[1]] and [[7]] [[8]]");
  assert.deepEqual(rowsOf(content, "/config/gaps")[2], { id: 8, answers: [""] });
});

test("of a column that goes the cards are in the first one, and all others stay where they are", () => {
  const items = [0, 1, 2, 3].map((category) => ({ text: `${category}`, category }));
  const content = withoutRow(of({ categories: ["a", "b", "c", "d"], items }), "/config/categories", 1);
  assert.deepEqual(content.config["categories"], ["a", "c", "d"]);
  assert.deepEqual(
    rowsOf(content, "/config/items").map((item) => /** @type {any} */ (item).category),
    [0, 0, 1, 2],
  );
});

test("there is no list but those of the types", () => {
  assert.throws(() => withRow(of({ statement: "" }), "/config/statement"), RangeError);
  assert.deepEqual(rowsOf(of({ statement: "abc" }), "/config/statement"), []);
});

test("a text is cut at the gaps there are", () => {
  const content = of({ text: "[[1]] is [[2]], not {{x}} or [[a]].", gaps: [{ id: 1, answers: ["a"] }] });
  assert.deepEqual(piecesOf(content), [1, " is ", "[[2]]", ", not {{x}} or [[a]]."]);
});

const MCQ = of({ choices: [{ text: "a", correct: true }, { text: "b", correct: false }] });
const CLOZE = of({ text: "[[1]]", gaps: [{ id: 1, answers: ["La  cellule", "cellule"] }] });
const CATEGORIZE = of({ categories: ["a", "b"], items: [{ text: "x", category: 1 }] });
const NUMERIC = of({ answer: 2.5, tolerance: 0.5, unit: "cm" });

/** @type {[string, import("../../examples/reference_lms/face/static/marking.js").Content, any, boolean | null][]} */
const ANSWERS = [
  ["mcq", MCQ, [true, false], true],
  ["mcq", MCQ, [true, true], false],
  ["mcq", MCQ, [false, false], false],
  ["cloze", CLOZE, [" la CELLULE "], true],
  ["cloze", CLOZE, [""], false],
  ["cloze", CLOZE, ["noyau"], false],
  ["categorize", CATEGORIZE, ["1"], true],
  ["categorize", CATEGORIZE, [""], false],
  ["numeric", NUMERIC, "3", true],
  ["numeric", NUMERIC, "2,25", true],
  ["numeric", NUMERIC, "3.1", false],
  ["numeric", of({ answer: 0, tolerance: 0, unit: "" }), " ", false],
  ["numeric", of({ answer: 0, tolerance: 0, unit: "" }), "0", true],
  ["numeric", NUMERIC, "many", false],
  ["open", of({ guidance: "", max_words: 9 }), "A text", null],
];

for (const [type, content, given, expected] of ANSWERS) {
  test(`${type} answered ${JSON.stringify(given)} is ${expected}`, () => {
    assert.equal(isRight(type, content, given), expected);
  });
}
