// Follows an answer's actions one after the other, each checked against what is there now, and says what came of it.

import { besides } from "../rules/limits.js";
import { isSameScreen } from "../rules/asked.js";
import { checkOpenScreen } from "../rules/screens.js";
import { checkNow, confirmCard, offerButton, refusalOf } from "./command-card.js";
import { DECIDED, FOLLOWED, tell, UNDER_WAY } from "./decided.js";
import { h } from "./dom.js";
import { editCard } from "./edit-card.js";
import { isShown, whenTakenOut } from "./on-screen.js";
import { line, linkTo, moveTo, say } from "./outcome.js";
import { inTurn } from "./turns.js";

/**
 * @typedef {import("../types.js").Action} Action
 * @typedef {import("../types.js").ScreenCommand} ScreenCommand
 * @typedef {import("../types.js").ScreenContext} ScreenContext
 * @typedef {object} At
 * @property {HTMLElement} place
 * @property {Action[]} accepted
 * @property {ScreenContext} asked   the screen as it was sent with the question
 * @property {boolean} isElsewhere   whether that screen was left before the first of the actions
 * @property {import("../types.js").Desk} desk
 */

/**
 * Answers take turns: those of a later one wait until an earlier one's are through, a leave guard's question with them.
 * An answer that is no longer shown, as another conversation was begun, does nothing more.
 * @param {import("../types.js").Reply} reply   only its `actions` are read: nothing that its text says
 * @param {ScreenContext} asked   the screen as it was sent with the question
 * @param {HTMLElement} under   where lines, buttons and cards go
 * @param {import("../types.js").Desk} desk
 */
export async function actionsOf(reply, asked, under, desk) {
  if (reply.actions.length === 0) return;
  const place = h("div", { class: "acts" });
  const statement = under.querySelector(".statement");
  if (statement === null) under.prepend(place);
  else statement.after(place);
  const { gone, stop } = whenTakenOut(place);
  await inTurn(desk, "actions", () => followAll(reply, { place, asked, desk }), gone).finally(stop);
}

/**
 * @param {import("../types.js").Reply} reply
 * @param {Pick<At, "place" | "asked" | "desk">} around
 */
async function followAll({ actions }, around) {
  const at = { ...around, accepted: /** @type {Action[]} */ ([]), isElsewhere: isElsewhere(around) };
  for (const action of actions) {
    // Nothing opens or runs that did not yet: the answer no longer says that it does.
    if (!isShown(at.place)) return tell(at.place, FOLLOWED);
    await follow(action, at);
  }
}

/**
 * Whether the screen is another one than the question was asked on, or cannot be told.
 * @param {Pick<At, "asked" | "desk">} at
 */
function isElsewhere({ asked, desk }) {
  const now = desk.page.screen();
  return now === null || !isSameScreen(asked, now);
}

/**
 * @param {Action} action
 * @param {At} at
 */
async function follow(action, at) {
  if (action.type === "open_screen") return openScreen(action, at);
  if (action.type === "edit_question") return editQuestion(action, at);
  return command(action, at);
}

/**
 * @param {import("../types.js").OpenScreen} action
 * @param {At} at
 */
async function openScreen(action, at) {
  const { place, accepted, desk } = at;
  const ruled = checkOpenScreen(desk.screens(), action, desk.language());
  if ("refused" in ruled || ruled.action.path !== action.path || "refused" in besides(accepted, ruled.action)) {
    return say(place, desk.words()("action.not_opened"), desk);
  }
  accepted.push(ruled.action);
  if (!isElsewhere(at)) return moveTo(ruled.action, place, desk);
  const said = desk.words()("action.waits");
  place.append(line(`${said} `, linkTo(ruled.action, place, desk)));
  tell(place, FOLLOWED);
  desk.announce(`${said} ${ruled.action.title}`);
}

/**
 * @param {import("../types.js").EditQuestion} action
 * @param {At} at
 */
function editQuestion(action, { place, asked, isElsewhere, desk }) {
  // This answer's own screen may be on screen by now: then the card waits until the person is back.
  if (isElsewhere) return notDone(place, desk.words()("edit.left"), desk);
  place.append(editCard(action, asked, desk));
}

/**
 * @param {ScreenCommand} action
 * @param {At} at
 */
async function command(action, { place, accepted, asked, desk }) {
  const ruled = checkNow(action, asked, desk);
  if ("refused" in ruled) return notDone(place, refusalOf(ruled.refused, action.label, desk), desk);
  if ("refused" in besides(accepted, ruled.action)) return notDone(place, refusalOf("gone", action.label, desk), desk);
  accepted.push(ruled.action);
  const { type, label } = ruled.action;
  if (type === "offer_command") return offerButton(ruled.action, asked, place, desk);
  if (type === "confirm_command") return confirmCard(ruled.action, asked, place, desk);
  tell(place, DECIDED);
  const told = h("div", { class: UNDER_WAY });
  place.append(told);
  const came = await desk.page.runCommand(ruled.command);
  told.classList.remove(UNDER_WAY);
  say(told, desk.words()(`action.${came}`, { label }), desk);
}

/**
 * Of what the answer said would wait.
 * @param {HTMLElement} place
 * @param {string} text
 * @param {import("../types.js").Desk} desk
 */
function notDone(place, text, desk) {
  tell(place, DECIDED);
  say(place, text, desk);
}
