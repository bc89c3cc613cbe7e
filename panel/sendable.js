// A question as the contract takes it: a command that it would refuse is left out, and the page's maker is told.

import { visibleLine } from "./rules/text.js";

/**
 * @typedef {import("./types.js").AskBody} AskBody
 * @typedef {import("./types.js").Command} Command
 */

const ID = /^[a-z0-9.-]{1,64}$/;

/** In code points. */
const LONGEST_LABEL = 80;

export class Sendable {
  /** @type {Set<string>} commands that were told of */
  #told = new Set();

  /**
   * The same, without the commands for which the service would refuse every question on that screen.
   * @param {AskBody} body
   * @returns {AskBody}
   */
  of(body) {
    const { commands } = body.context;
    if (commands?.every(isSendable) !== false) return body;
    commands.filter((each) => !isSendable(each)).forEach((each) => this.#tell(String(each.id)));
    return { ...body, context: { ...body.context, commands: commands.filter(isSendable) } };
  }

  /** @param {string} id */
  #tell(id) {
    if (this.#told.has(id)) return;
    this.#told.add(id);
    const rule = `an id is ${ID.source}, a label 1 to ${LONGEST_LABEL} visible characters in one line`;
    console.warn(`<assist-panel> leaves out the command ${JSON.stringify(id)}: ${rule}`);
  }
}

/** @param {Command} command */
function isSendable({ id, label }) {
  return ID.test(id) && visibleLine(label) && [...label].length <= LONGEST_LABEL;
}
