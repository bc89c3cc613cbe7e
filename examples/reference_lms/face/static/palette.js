// The palette: every command of the page and every section, found by a few letters of its name. Ctrl-K opens it.

import { sayWhy } from "./bindings.js";
import * as commands from "./commands.js";
import { element, word } from "./dialogs.js";
import { navigate } from "./router.js";

/** @typedef {{label: string, hint: string, danger: boolean, run: () => unknown}} Entry */

/** @returns {Entry[]} */
function entries() {
  const own = commands.list().map((command) => ({
    label: command.label,
    hint: "",
    danger: command.danger ?? false,
    run: () => commands.run(command.id),
  }));
  const sections = [...document.querySelectorAll(".sections a")].map((link) => ({
    label: link.textContent ?? "",
    hint: word("go_to"),
    danger: false,
    run: () => navigate(link.getAttribute("href") ?? "/"),
  }));
  return [...own, ...sections];
}

/** @param {string} text */
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * @param {Entry} entry
 * @param {HTMLDialogElement} dialog
 */
function choose(entry, dialog) {
  dialog.close();
  Promise.resolve()
    .then(entry.run)
    .catch(sayWhy);
}

/**
 * @param {Entry} entry
 * @param {HTMLDialogElement} dialog
 */
function rowOf(entry, dialog) {
  const hint = element("span", { class: "hint" }, entry.hint);
  const label = element("span", {}, entry.label);
  const button = element("button", { type: "button", class: entry.danger ? "entry danger" : "entry" }, label, hint);
  button.addEventListener("click", () => choose(entry, dialog));
  return element("li", {}, button);
}

/**
 * Arrow keys walk the buttons, and from the field into them.
 * @param {KeyboardEvent} event
 * @param {HTMLDialogElement} dialog
 */
function walk(event, dialog) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = /** @type {HTMLElement[]} */ ([...dialog.querySelectorAll("input, .entry")]);
  const here = stops.findIndex((stop) => stop === document.activeElement);
  stops[(here + step + stops.length) % stops.length]?.focus();
  event.preventDefault();
}

function open() {
  const input = /** @type {HTMLInputElement} */ (
    element("input", { type: "search", "aria-label": word("palette_search"), placeholder: word("palette_search") })
  );
  const list = element("ul", { class: "entries" });
  const none = element("p", { class: "empty", role: "status" });
  const dialog = /** @type {HTMLDialogElement} */ (
    element("dialog", { class: "palette", "aria-label": word("palette_title") }, input, list, none)
  );
  const fill = () => {
    const fitting = entries().filter((entry) => folded(entry.label).includes(folded(input.value.trim())));
    list.replaceChildren(...fitting.map((entry) => rowOf(entry, dialog)));
    none.textContent = fitting.length ? "" : word("palette_none");
  };
  input.addEventListener("input", fill);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    // Or the same key would answer the question that the command asks.
    event.preventDefault();
    list.querySelector("button")?.click();
  });
  dialog.addEventListener("keydown", (event) => walk(event, dialog));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  fill();
  dialog.showModal();
}

export function startPalette() {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) open();
  });
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-open='palette']")) open();
  });
}
