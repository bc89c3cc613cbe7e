// An edit stands last and takes no room: the limits are of commands and screens.

import assert from "node:assert/strict";
import { test } from "node:test";

import { besides } from "../../panel/rules/limits.js";

/** @type {import("../../panel/types.js").Action} */
const SCREEN = { type: "open_screen", screen: "pools", ids: {}, params: {}, path: "/pools", title: "Pools" };

/** @type {import("../../panel/types.js").Action} */
const EDIT = { type: "edit_question", question_id: "q", base: "b", changes: [], config: {}, explanation: "" };

/** @param {string} id @returns {import("../../panel/types.js").Action} */
const command = (id) => ({ type: "run_command", id, label: "Label" });

test("an edit finds room after a screen and three commands", () => {
  const accepted = [command("a"), command("b"), command("c"), SCREEN];
  assert.deepEqual(besides(accepted, EDIT), { action: EDIT });
});

test("an edit is none of the three", () => {
  assert.deepEqual(besides([EDIT, command("a"), command("b")], command("c")), { action: command("c") });
});
