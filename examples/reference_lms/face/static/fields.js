// The editor's fields: shows a draft in them, reads one of them, says which of them has a fault. By their data attributes.

import { at, same } from "./draft.js";
import { rowsOf } from "./rows.js";

/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("./saving.js").Fault} Fault */
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */
/** @typedef {Readonly<Record<string, string>>} Words */
/** @typedef {{read: (field: Field) => unknown, show: (field: Field, value: unknown) => void}} Kind */

/** @param {Field} field @param {unknown} value */
const showText = (field, value) => void (field.value = String(value ?? ""));

/** @type {Readonly<Record<string, Kind>>} */
const KINDS = {
  text: { read: (field) => plain(field.value), show: showText },
  lines: {
    read: (field) => plain(field.value).split("\n"),
    show: (field, value) => showText(field, Array.isArray(value) ? value.join("\n") : ""),
  },
  number: { read: (field) => numberOf(field.value), show: showText },
  tick: {
    read: (field) => field instanceof HTMLInputElement && field.checked,
    show: (field, value) => void (field instanceof HTMLInputElement && (field.checked = value === true)),
  },
  pick: { read: (field) => (field.value === "" ? null : Number(field.value)), show: showText },
};

/**
 * The field of the draft that an event came from; null where it came from none.
 * @param {EventTarget | null} target
 * @returns {Field | null}
 */
export function fieldOf(target) {
  const isField =
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
  return isField && target.dataset["path"] !== undefined ? target : null;
}

/**
 * Where the field's value stands in the draft, what it is, and whether it is typed key by key.
 * @param {Field} field
 */
export function readField(field) {
  const kind = field.dataset["kind"] ?? "";
  const isTyped = kind === "text" || kind === "lines" || kind === "number";
  return { path: field.dataset["path"] ?? "", value: KINDS[kind]?.read(field), isTyped };
}

/**
 * Shows the draft in all fields. One that reads as the draft has it stays as it is: a number may be half typed.
 * @param {ParentNode} root
 * @param {Content} content
 */
export function showContent(root, content) {
  for (const list of root.querySelectorAll("[data-rows]")) {
    if (list instanceof HTMLElement) showRows(list, content);
  }
  for (const found of root.querySelectorAll("[data-path]")) {
    const field = fieldOf(found);
    if (field === null) continue;
    const { path, value } = readField(field);
    const drafted = at(content, path);
    if (field instanceof HTMLSelectElement) showColumns(field, content);
    if (!same(value, drafted)) KINDS[field.dataset["kind"] ?? ""]?.show(field, drafted);
  }
}

/**
 * Says each fault beside its field, or at the nearest place around it.
 * @param {ParentNode} root
 * @param {readonly Fault[]} faults
 * @param {Words} words
 */
export function showFaults(root, faults, words) {
  const places = new Map(faults.map((fault) => [placeOf(root, fault.path), fault]));
  for (const place of root.querySelectorAll("[data-fault]")) {
    if (!(place instanceof HTMLElement)) continue;
    const fault = places.get(place);
    place.hidden = fault === undefined;
    const text = fault === undefined ? "" : (words[`fault.${fault.rule}`] ?? words["fault.other"] ?? "");
    if (place.textContent !== text) place.textContent = text;
    fieldAt(root, place.dataset["fault"] ?? "")?.setAttribute("aria-invalid", String(fault !== undefined));
  }
}

/**
 * The list that a button is of, and which row of it.
 * @param {HTMLElement} button
 */
export function rowAt(button) {
  const list = button.closest("[data-rows]");
  const row = button.closest("li");
  const index = row?.parentElement ? [...row.parentElement.children].indexOf(row) : -1;
  return { path: list instanceof HTMLElement ? (list.dataset["rows"] ?? "") : "", index };
}

/**
 * @param {HTMLElement} list
 * @param {Content} content
 */
function showRows(list, content) {
  const rows = rowsOf(content, list.dataset["rows"] ?? "");
  const shown = list.querySelector("[data-list]");
  const template = list.querySelector("template");
  if (shown === null || template === null) return;
  while (shown.children.length > rows.length) shown.lastElementChild?.remove();
  while (shown.children.length < rows.length) shown.append(newRow(template, shown.children.length));
  rows.forEach((row, index) => {
    for (const place of shown.children[index]?.querySelectorAll("[data-shows]") ?? []) {
      place.textContent = String(at(row, "/id") ?? "");
    }
  });
  for (const button of list.querySelectorAll("button[data-do]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const { least, most } = list.dataset;
    button.disabled = button.dataset["do"] === "add" ? rows.length >= Number(most) : rows.length <= Number(least);
  }
}

/**
 * A row of the list's template, numbered: `*` in attributes counts from 0, `#` in texts from 1.
 * @param {HTMLTemplateElement} template
 * @param {number} index
 */
function newRow(template, index) {
  const row = document.importNode(template.content, true);
  for (const element of row.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      if (value.includes("*")) element.setAttribute(name, value.replaceAll("*", String(index)));
    }
  }
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    text.nodeValue = (text.nodeValue ?? "").replaceAll("#", String(index + 1));
  }
  return row;
}

/**
 * The columns a card may be in, by the names they have now.
 * @param {HTMLSelectElement} field
 * @param {Content} content
 */
function showColumns(field, content) {
  const names = rowsOf(content, field.dataset["of"] ?? "").map((name, index) => String(name) || `${index + 1}`);
  if (same(names, [...field.options].map((option) => option.text))) return;
  field.replaceChildren(...names.map((name, index) => new Option(name, String(index))));
  field.selectedIndex = -1;
}

/**
 * @param {ParentNode} root
 * @param {string} path
 * @returns {Element | null}
 */
function placeOf(root, path) {
  const place = root.querySelector(`[data-fault="${CSS.escape(path)}"]`);
  return place ?? (path === "" ? null : placeOf(root, path.slice(0, path.lastIndexOf("/"))));
}

/**
 * @param {ParentNode} root
 * @param {string} path
 */
function fieldAt(root, path) {
  return root.querySelector(`[data-path="${CSS.escape(path)}"]`);
}

/**
 * What can be stored and sent: no half of a character, no NUL.
 * @param {string} text
 */
function plain(text) {
  return text.toWellFormed().replaceAll("\0", "");
}

/**
 * Null for what is no number: the LMS says so, beside the field.
 * @param {string} text
 */
function numberOf(text) {
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? null : number;
}
