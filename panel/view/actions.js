// Follows an answer's actions one after the other, each checked against what is there now, and says what came of it.

import { besides } from "../rules/limits.js";
import { checkCommand } from "../rules/commands.js";
import { checkOpenScreen } from "../rules/screens.js";
import { confirmCard, offerButton } from "./command-card.js";
import { h } from "./dom.js";
import { editCard } from "./edit-card.js";
import { isShown } from "./on-screen.js";
import { moveTo, say } from "./outcome.js";
import { inTurn } from "./turns.js";

/**
 * @typedef {import("../types.js").Action} Action
 * @typedef {import("../types.js").ScreenCommand} ScreenCommand
 * @typedef {{place: HTMLElement, accepted: Action[], language: string, desk: import("../types.js").Desk}} At
 */

/**
 * Answers take turns: those of a later one wait until an earlier one's are through, a leave guard's question with them.
 * An answer that is no longer shown, as another conversation was begun, does nothing more.
 * @param {import("../types.js").Reply} reply   only its `actions` are read: nothing that its text says
 * @param {HTMLElement} under   where lines, buttons and cards go
 * @param {import("../types.js").Desk} desk
 */
export async function actionsOf(reply, under, desk) {
  if (reply.actions.length === 0) return;
  const place = h("div", { class: "acts" });
  const statement = under.querySelector(".statement");
  if (statement === null) under.prepend(place);
  else statement.after(place);
  const at = { place, accepted: /** @type {Action[]} */ ([]), language: reply.language, desk };
  await inTurn(desk, "actions", async () => {
    for (const action of reply.actions) {
      if (!isShown(place)) return;
      await follow(action, at);
    }
  });
}

/**
 * @param {Action} action
 * @param {At} at
 */
async function follow(action, at) {
  if (action.type === "open_screen") return openScreen(action, at);
  if (action.type === "edit_question") return void at.place.append(editCard(action, at.desk));
  return command(action, at);
}

/**
 * @param {import("../types.js").OpenScreen} action
 * @param {At} at
 */
async function openScreen(action, { place, accepted, language, desk }) {
  const ruled = checkOpenScreen(desk.screens(), action, language);
  if ("refused" in ruled || ruled.action.path !== action.path || "refused" in besides(accepted, ruled.action)) {
    return say(place, desk.words()("action.not_opened"), desk);
  }
  accepted.push(ruled.action);
  await moveTo(ruled.action, place, desk);
}

/**
 * @param {ScreenCommand} action
 * @param {At} at
 */
async function command(action, { place, accepted, desk }) {
  const words = desk.words();
  const ruled = checkCommand(desk.host().screen().commands, action.id);
  if ("refused" in ruled || ruled.action.type !== action.type || "refused" in besides(accepted, ruled.action)) {
    return say(place, words("action.gone", { label: action.label }), desk);
  }
  accepted.push(ruled.action);
  const { type, id, label } = ruled.action;
  if (type === "offer_command") return offerButton(ruled.action, place, desk);
  if (type === "confirm_command") return confirmCard(ruled.action, place, desk);
  try {
    await desk.host().runCommand(id);
  } catch {
    return say(place, words("action.failed", { label }), desk);
  }
  say(place, words("action.done", { label }), desk);
}
