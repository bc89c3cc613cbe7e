// Of every code point there is, the panel says what the service says: whether it may stand in a line.

import assert from "node:assert/strict";
import { test } from "node:test";

import { visibleLine } from "../../panel/rules/text.js";
import { given } from "./given.mjs";

/** @type {{unicode: string, assigned: number[][], questions: {before: string, after: string, lines: number[][]}[]}} */
const SERVICE = given("characters");

const POINTS = 0x110000;

/** @param {number[][]} ranges */
function among(ranges) {
  const found = new Uint8Array(POINTS);
  for (const [first = 0, last = 0] of ranges) {
    found.fill(1, first, last + 1);
  }
  return found;
}

const ASSIGNED = among(SERVICE.assigned);

/**
 * Whether an answer is owed to a version of Unicode: the point is a character to one of the two only, and that one, which
 * knows that it is a letter or a mark, is the one that lets a joiner stand beside it.
 *
 * @param {number} point
 * @param {boolean} line what the panel says
 */
function newer(point, line) {
  const here = !/\p{Cn}/u.test(String.fromCodePoint(point));
  return here !== (ASSIGNED[point] === 1) && line === here;
}

for (const { before, after, lines } of SERVICE.questions) {
  test(`every code point between ${JSON.stringify(before)} and ${JSON.stringify(after)}`, () => {
    const expected = among(lines);
    const different = [];
    for (let point = 0; point < POINTS; point += 1) {
      const line = visibleLine(before + String.fromCodePoint(point) + after);
      if (line !== (expected[point] === 1) && !(`${before}${after}`.includes("\u200d") && newer(point, line))) {
        different.push(point.toString(16));
      }
    }
    assert.deepEqual(different, [], `Unicode ${SERVICE.unicode} there, ${process.versions.unicode} here`);
  });
}
