// Of calls and paths made up at random, the panel says what the service said of each.

import assert from "node:assert/strict";
import { test } from "node:test";

import { checkOpenScreen, parsePath } from "../../panel/rules/screens.js";
import { given } from "./given.mjs";

/** @type {{screens: any[], calls: {given: any, expect: unknown}[], paths: {path: string, place: unknown}[]}} */
const SERVICE = given("both_sides");

test("calls", () => {
  for (const { given: call, expect } of SERVICE.calls) {
    assert.deepEqual(checkOpenScreen(SERVICE.screens, call, call.language), expect, JSON.stringify(call));
  }
});

test("paths", () => {
  for (const { path, place } of SERVICE.paths) {
    assert.deepEqual(parsePath(SERVICE.screens, path), place, JSON.stringify(path));
  }
});
