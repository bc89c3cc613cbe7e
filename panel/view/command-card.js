// A command of the page that waits for the person: a button, or a card; taken away once it is not what was asked for.

import { checkAsked } from "../rules/asked.js";
import { card } from "./card.js";
import { DECIDED, tell, UNDER_WAY } from "./decided.js";
import { h } from "./dom.js";
import { whenScreenChanges } from "./on-screen.js";
import { line, replaceBy } from "./outcome.js";

/**
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {import("../types.js").ScreenCommand} ScreenCommand
 * @typedef {import("../types.js").ScreenContext} ScreenContext
 */

/**
 * @param {ScreenCommand} action   as the rule gives it now
 * @param {ScreenContext} asked
 * @param {HTMLElement} place
 * @param {Desk} desk
 */
export function offerButton(action, asked, place, desk) {
  let running = false;
  const element = h("button", { type: "button", class: "act offered", onclick: () => void click() }, action.label);
  const waiting = waits(action, asked, element, desk);
  place.append(element);
  waiting.watch();

  async function click() {
    if (running) return;
    running = true;
    element.classList.add(UNDER_WAY);
    await waiting.run();
    element.classList.remove(UNDER_WAY);
    running = false;
  }
}

/**
 * @param {ScreenCommand} action   as the rule gives it now
 * @param {ScreenContext} asked
 * @param {HTMLElement} place
 * @param {Desk} desk
 */
export function confirmCard(action, asked, place, desk) {
  const { label } = action;
  /** @param {import("../words.js").Key} key */
  const words = (key) => desk.words()(key, { label });
  const asks = asked.commands.some(({ id, danger }) => id === action.id && danger);
  const shown = card({
    heading: () => words("command.heading"),
    about: [h("p", {}, () => words(asks ? "command.danger" : "command.write"))],
    primary: { label: () => words("card.confirm"), onclick: () => void confirm() },
    secondary: { label: () => words("card.cancel"), onclick: cancel },
  });
  const waiting = waits(action, asked, shown.element, desk);
  place.append(shown.element);
  waiting.watch();

  async function confirm() {
    shown.wait(true);
    await waiting.run();
    shown.wait(false);
  }

  function cancel() {
    replaceBy(shown.element, line(words("card.cancelled")), desk);
  }
}

/**
 * The command that was asked for, if this is still its screen and it is still what it was.
 * @param {ScreenCommand} action
 * @param {ScreenContext} asked   the screen as it was sent with the question
 * @param {Desk} desk
 * @returns {{action: ScreenCommand, command: import("../types.js").Command} | {refused: "left" | "gone"}}
 */
export function checkNow(action, asked, desk) {
  const now = desk.page.screen();
  if (now === null) return { refused: "gone" };
  const ruled = checkAsked(asked, now, action.id);
  if ("refused" in ruled) return { refused: ruled.refused === "left_screen" ? "left" : "gone" };
  return ruled.action.type === action.type ? ruled : { refused: "gone" };
}

/**
 * @param {"left" | "gone"} why
 * @param {string} label
 * @param {Desk} desk
 */
export function refusalOf(why, label, desk) {
  return desk.words()(`action.${why}`, { label });
}

/**
 * @param {ScreenCommand} action
 * @param {ScreenContext} asked
 * @param {HTMLElement} element   that stands for it, and makes room for what came of it
 * @param {Desk} desk
 */
function waits(action, asked, element, desk) {
  const { label } = action;
  let running = false;
  /** @type {HTMLElement | null} */
  let failed = null;
  /** @param {"left" | "gone" | "done" | "declined" | "silent"} how */
  const end = (how) => {
    failed?.remove();
    replaceBy(element, line(desk.words()(`action.${how}`, { label })), desk);
  };
  const check = () => {
    const ruled = checkNow(action, asked, desk);
    if ("refused" in ruled) end(ruled.refused);
  };
  return {
    watch() {
      // A command may take itself away as it runs, as publishing does: that is no reason to say that it is gone.
      whenScreenChanges(element, () => running || check());
    },
    /** Within the person's click: nothing is awaited before the command runs, or a browser would block its window. */
    async run() {
      const ruled = checkNow(action, asked, desk);
      if ("refused" in ruled) return end(ruled.refused);
      running = true;
      tell(element, DECIDED);
      const came = await desk.page.runCommand(ruled.command);
      running = false;
      if (came !== "failed") return end(came);
      failed?.remove();
      failed = line(desk.words()("action.failed", { label }));
      element.after(failed);
      desk.announce(failed.textContent ?? "");
    },
  };
}
