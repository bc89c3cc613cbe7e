// The rule of what was asked on a screen: it is done on that screen only, by the very command that was there.

import { checkCommand } from "./commands.js";

/**
 * @typedef {import("../types.js").Command} Command
 * @typedef {import("../types.js").ScreenCommand} ScreenCommand
 * @typedef {import("../types.js").ScreenContext} ScreenContext
 */

/**
 * Whether this is the screen that was sent: the same route, of the same things.
 *
 * @param {Pick<ScreenContext, "route" | "entities">} asked
 * @param {Pick<ScreenContext, "route" | "entities">} now
 */
export function isSameScreen(asked, now) {
  const [kinds, others] = [Object.keys(asked.entities), Object.keys(now.entities)];
  const isSame = (/** @type {string} */ kind) =>
    Object.hasOwn(now.entities, kind) && now.entities[kind] === asked.entities[kind];
  return asked.route === now.route && kinds.length === others.length && kinds.every(isSame);
}

/**
 * What the browser does with a command that was asked for: what `checkCommand` says, but only on the screen that was
 * sent with the question, and only if the command is registered as it was then.
 *
 * @param {ScreenContext} asked   as it was sent with the question
 * @param {ScreenContext} now
 * @param {string} id
 * @returns {{action: ScreenCommand, command: Command}
 *   | {refused: "left_screen" | "changed_command" | "unknown_command" | "unasked_deletion"}}
 */
export function checkAsked(asked, now, id) {
  if (!isSameScreen(asked, now)) {
    return { refused: "left_screen" };
  }
  const ruled = checkCommand(now.commands, id);
  if ("refused" in ruled) {
    return ruled;
  }
  const command = now.commands.find((each) => each.id === id);
  const before = asked.commands.find((each) => each.id === id);
  if (!command || !before || !isSameCommand(before, command)) {
    return { refused: "changed_command" };
  }
  return { action: ruled.action, command };
}

/**
 * @param {Command} before
 * @param {Command} now
 */
function isSameCommand(before, now) {
  return (
    before.label === now.label &&
    before.effect === now.effect &&
    before.gesture === now.gesture &&
    before.danger === now.danger
  );
}
