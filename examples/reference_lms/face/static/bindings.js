// Reads a page's commands and sheets out of its HTML: what an element says of itself is what it does.

import * as commands from "./commands.js";
import { ask, say, word } from "./dialogs.js";
import { Stayed, navigate, submit } from "./router.js";

/** @param {HTMLElement} main */
export function bindPage(main) {
  for (const each of main.querySelectorAll("[data-command]")) {
    if (each instanceof HTMLElement) commands.register(commandOf(each));
  }
}

/**
 * @param {HTMLElement} element
 * @returns {commands.Command}
 */
function commandOf(element) {
  const { command = "", effect, gesture, danger, label } = element.dataset;
  return {
    id: command,
    label: label ?? element.textContent.trim(),
    effect: effect === "write" ? "write" : "none",
    gesture: gesture !== undefined,
    danger: danger !== undefined,
    run: () => runOf(element),
  };
}

/**
 * What the element does: opens a sheet or a window, sends its form, or is followed.
 * @param {HTMLElement} element
 */
async function runOf(element) {
  const { sheet, opens, question } = element.dataset;
  if (sheet) return openSheet(sheet);
  if (opens) {
    if (!window.open(opens, "_blank")) throw new Error("the window was blocked");
    return;
  }
  if (element instanceof HTMLAnchorElement) {
    const outcome = await navigate(element.pathname + element.search);
    if (outcome === "stayed") throw new Stayed();
    if (outcome !== "moved") throw new Error(outcome);
    return;
  }
  if (question && !(await askDanger(element, question))) throw new Stayed();
  await send(element);
}

/**
 * @param {HTMLElement} element
 * @param {string} question
 */
function askDanger(element, question) {
  const title = element.textContent.trim();
  return ask({ title, text: question, yes: title, no: word("keep"), danger: true });
}

/** @param {HTMLElement} element */
async function send(element) {
  const form = element.closest("form");
  if (!form) throw new Error("nothing to send");
  const arrival = await submit(form, element);
  if (arrival.status >= 400) throw new Error(arrival.problem ?? word("failed"));
}

/** @param {string} id */
function openSheet(id) {
  const sheet = document.getElementById(id);
  if (!(sheet instanceof HTMLDialogElement)) throw new Error(`no sheet ${id}`);
  if (sheet.open) return;
  sheet.showModal();
  // Who opens a sheet fills it in: its first field, and not the cross that closes it.
  /** @type {HTMLElement | null} */ (sheet.querySelector("input:not([type='hidden']), textarea, select"))?.focus();
}

/**
 * Says why something was not done, unless it was the person who would not.
 * @param {Error} error
 */
export function sayWhy(error) {
  if (!(error instanceof Stayed)) say(error.message || word("failed"));
}

/** @param {Event} event */
function onClick(event) {
  if (!(event.target instanceof Element) || event.defaultPrevented) return;
  if (event.target.closest("[data-close]")) event.target.closest("dialog")?.close();
  const element = event.target.closest("[data-command]");
  if (!(element instanceof HTMLElement) || element instanceof HTMLAnchorElement) return;
  event.preventDefault();
  runOf(element).catch(sayWhy);
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset["full"] !== undefined) return;
  if (form.method === "dialog" || event.defaultPrevented) return;
  event.preventDefault();
  submit(form, event.submitter)
    .then((arrival) => {
      if (arrival.status >= 400) say(arrival.problem ?? word("failed"));
    })
    .catch(sayWhy);
}

document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);
