// A command of the page that waits for the person: a button, or a card; taken away once the page has it no more.

import { checkCommand } from "../rules/commands.js";
import { card } from "./card.js";
import { h } from "./dom.js";
import { whenScreenChanges } from "./on-screen.js";
import { line, replaceBy } from "./outcome.js";

/**
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {import("../types.js").ScreenCommand} ScreenCommand
 */

/**
 * @param {ScreenCommand} action   as the rule gives it now
 * @param {HTMLElement} place
 * @param {Desk} desk
 */
export function offerButton(action, place, desk) {
  let running = false;
  const element = h("button", { type: "button", class: "act offered", onclick: () => void click() }, action.label);
  const waiting = waits(action, element, desk);
  place.append(element);
  waiting.watch();

  async function click() {
    if (running) return;
    running = true;
    await waiting.run();
    running = false;
  }
}

/**
 * @param {ScreenCommand} action   as the rule gives it now
 * @param {HTMLElement} place
 * @param {Desk} desk
 */
export function confirmCard(action, place, desk) {
  const { label } = action;
  /** @param {import("../words.js").Key} key */
  const words = (key) => desk.words()(key, { label });
  const asks = registered(action, desk)?.danger === true;
  const shown = card({
    heading: () => words("command.heading"),
    about: [h("p", {}, () => words(asks ? "command.danger" : "command.write"))],
    primary: { label: () => words("card.confirm"), onclick: () => void confirm() },
    secondary: { label: () => words("card.cancel"), onclick: cancel },
  });
  const waiting = waits(action, shown.element, desk);
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
 * The command of the page as it is now; null where it is gone, or is to be treated in another way.
 * @param {ScreenCommand} action
 * @param {Desk} desk
 */
function registered(action, desk) {
  const { commands } = desk.host().screen();
  const ruled = checkCommand(commands, action.id);
  if ("refused" in ruled || ruled.action.type !== action.type) return null;
  return commands.find((each) => each.id === action.id) ?? null;
}

/**
 * @param {ScreenCommand} action
 * @param {HTMLElement} element   that stands for it, and makes room for what came of it
 * @param {Desk} desk
 */
function waits(action, element, desk) {
  const { id, label } = action;
  const effect = registered(action, desk)?.effect;
  let running = false;
  /** @type {HTMLElement | null} */
  let failed = null;
  const isThere = () => effect !== undefined && registered(action, desk)?.effect === effect;
  /** @param {"action.gone" | "action.done"} key */
  const end = (key) => {
    failed?.remove();
    replaceBy(element, line(desk.words()(key, { label })), desk);
  };
  return {
    watch() {
      // A command may take itself away as it runs, as publishing does: that is no reason to say that it is gone.
      whenScreenChanges(element, () => running || isThere() || end("action.gone"));
    },
    /** Within the person's click: nothing is awaited before the command runs, or a browser would block its window. */
    async run() {
      if (!isThere()) return end("action.gone");
      running = true;
      try {
        await desk.host().runCommand(id);
        end("action.done");
      } catch {
        failed?.remove();
        failed = line(desk.words()("action.failed", { label }));
        element.after(failed);
        desk.announce(failed.textContent ?? "");
      } finally {
        running = false;
      }
    },
  };
}
