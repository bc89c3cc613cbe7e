// The limits of one answer: one screen, three commands, each once, and no command after a screen.

const COMMANDS = 3;

/**
 * The action where it finds room beside those that were accepted, or why it does not. An edit always does.
 *
 * @template {{type: string, id?: string}} Action
 * @param {readonly {type: string, id?: string}[]} accepted in their order
 * @param {Action} action
 * @returns {{action: Action} | {refused: "second_screen" | "command_after_screen" | "command_twice" | "too_many_commands"}}
 */
export function besides(accepted, action) {
  const opens = accepted.some((each) => each.type === "open_screen");
  if (action.type === "edit_question") {
    return { action };
  }
  if (action.type === "open_screen") {
    return opens ? { refused: "second_screen" } : { action };
  }
  if (opens) { // its commands are of the screen that opening leaves
    return { refused: "command_after_screen" };
  }
  const commands = accepted.filter((each) => each.type.endsWith("_command"));
  if (commands.some((each) => each.id === action.id)) {
    return { refused: "command_twice" };
  }
  return commands.length >= COMMANDS ? { refused: "too_many_commands" } : { action };
}
