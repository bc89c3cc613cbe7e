// The limits of one answer: one screen, three commands, each once, and no command after a screen.

/** @typedef {import("../types.js").Action} Action */

const COMMANDS = 3;

/**
 * The action where it finds room beside those that were accepted, or why it does not. An edit always does.
 *
 * @param {readonly Action[]} accepted in their order
 * @param {Action} action
 * @returns {{action: Action} | {refused: "second_screen" | "command_after_screen" | "command_twice" | "too_many_commands"}}
 */
export function besides(accepted, action) {
  if (action.type === "edit_question") {
    return { action };
  }
  const opens = accepted.some((each) => each.type === "open_screen");
  if (action.type === "open_screen") {
    return opens ? { refused: "second_screen" } : { action };
  }
  if (opens) {
    // Its commands are of the screen that opening leaves.
    return { refused: "command_after_screen" };
  }
  const ids = accepted.flatMap((each) => ("id" in each ? [each.id] : []));
  if (ids.includes(action.id)) {
    return { refused: "command_twice" };
  }
  return ids.length >= COMMANDS ? { refused: "too_many_commands" } : { action };
}
