// The rule of a screen's commands: one is run only if it says that it changes nothing, needs no click and asks nothing.

/**
 * @typedef {import("../types.js").Command} Command
 * @typedef {import("../types.js").ScreenCommand} ScreenCommand
 */

const DELETING = new Set(["delete", "remove", "erase", "destroy", "purge"]);

/**
 * Whether a command deletes, by a word of its id, and does not say that it asks its own danger confirmation.
 *
 * @param {Command} command
 */
const isUnaskedDeletion = ({ id, danger }) => !danger && id.split(/[.-]/).some((word) => DELETING.has(word));

/**
 * @param {Command} command
 * @returns {ScreenCommand["type"]}
 */
function actOf({ effect, gesture, danger }) {
  // An effect nobody knows is taken for a change.
  if (effect !== "none" || danger) {
    return "confirm_command";
  }
  return gesture ? "offer_command" : "run_command";
}

/**
 * What the browser does with a command of those that are registered now: runs it, offers it, or asks the person first.
 *
 * @param {readonly Command[]} commands
 * @param {string} id
 * @returns {{action: ScreenCommand} | {refused: "unknown_command" | "unasked_deletion"}}
 */
export function checkCommand(commands, id) {
  const command = commands.find((each) => each.id === id);
  if (!command) {
    return { refused: "unknown_command" };
  }
  if (isUnaskedDeletion(command)) {
    return { refused: "unasked_deletion" };
  }
  return { action: { type: actOf(command), id, label: command.label } };
}
