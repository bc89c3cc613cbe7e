// Every vector holds for the panel's own rules, by name.

import assert from "node:assert/strict";
import { test } from "node:test";

import { checkCommand } from "../../panel/rules/commands.js";
import { besides } from "../../panel/rules/limits.js";
import { checkOpenScreen } from "../../panel/rules/screens.js";
import { given, vectors } from "./given.mjs";

/** @type {Record<string, import("../../panel/types.js").Screen[]>} */
const SCREENS_BY_ROLE = given("screens");

const NONE = { tab: [], search: false, category: false, item: false };

/**
 * The screens of a vector as the availability has them: a list, in their order.
 *
 * @param {any} vector
 */
const screensOf = ({ role, screens }) =>
  screens
    ? Object.entries(screens).map(([screen, each]) => ({ screen, topic: null, ...each, params: { ...NONE, ...each.params } }))
    : SCREENS_BY_ROLE[role] ?? [];

/** @type {Record<string, (vector: any) => unknown>} */
const RULES = {
  open_screen: (vector) => checkOpenScreen(screensOf(vector), vector, vector.language),
  run_command: ({ commands, id }) => checkCommand(commands, id),
  action_limits: ({ actions }) => {
    /** @type {any[]} */
    const accepted = [];
    for (const action of actions.slice(0, -1)) {
      assert.deepEqual(besides(accepted, action), { action });
      accepted.push(action);
    }
    return besides(accepted, actions.at(-1));
  },
};

for (const [rule, outcome] of Object.entries(RULES)) {
  for (const { name, given: vector, expect } of vectors(rule).cases) {
    test(`${rule}: ${name}`, () => assert.deepEqual(outcome(vector), expect));
  }
}
