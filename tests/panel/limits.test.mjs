// An edit stands last and takes no room: the limits are of commands and screens.

import assert from "node:assert/strict";
import { test } from "node:test";

import { besides } from "../../panel/rules/limits.js";

const SCREEN = { type: "open_screen", path: "/pools" };
const EDIT = { type: "edit_question" };
const COMMANDS = ["a", "b", "c"].map((id) => ({ type: "run_command", id }));

test("an edit finds room after a screen and three commands", () => {
  assert.deepEqual(besides([...COMMANDS, SCREEN], EDIT), { action: EDIT });
});

test("an edit is none of the three", () => {
  const [first, second, third] = COMMANDS;
  assert.ok(first && second && third);
  assert.deepEqual(besides([EDIT, first, second], third), { action: third });
});
