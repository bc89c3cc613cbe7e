// The question's page once it is on screen: its fields and buttons are those of one draft, which is saved as it is typed.

import * as commands from "./commands.js";
import { askToLeave, say, word } from "./dialogs.js";
import { Editing } from "./editing.js";
import { fieldOf, readField, rowAt, showContent, showFaults } from "./fields.js";
import { offerEditor } from "./host.js";
import { put } from "./draft.js";
import { guard, submit } from "./router.js";
import { withRow, withoutRow } from "./rows.js";
import { DraftServer } from "./saving.js";
import { studentView } from "./student-view.js";

/** @typedef {import("./fields.js").Words} Words */

/** Where Ctrl-Z is not the page's. */
const OWN_UNDO = "assist-panel, dialog, input:not([type='checkbox']), textarea, select";

/**
 * Called with the page's <main>; returns what is to be done when the page is left.
 * @param {HTMLElement} main
 * @returns {() => void}
 */
export function enter(main) {
  const root = main.querySelector("[data-editor]");
  return root instanceof HTMLElement ? new QuestionPage(root).open() : () => {};
}

/** One question on screen. */
class QuestionPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    const { question_id: question, type, status: _, base, ...content } = JSON.parse(root.dataset["draft"] ?? "{}");
    this.root = root;
    this.question = String(question);
    this.type = String(type);
    /** @type {Words} */
    this.words = JSON.parse(root.dataset["words"] ?? "{}");
    const server = new DraftServer(this.question, document.body.dataset["session"] ?? "");
    this.mayBeLost = false;
    this.over = new AbortController();
    const show = (/** @type {import("./editing.js").View} */ view) => this.show(view);
    this.editing = new Editing({ question, type, base, content, server, show });
  }

  get isEditable() {
    return this.root.dataset["editable"] !== undefined;
  }

  open() {
    const { root, editing } = this;
    const { signal } = this.over;
    showContent(root, editing.content);
    root.addEventListener("click", (event) => this.onClick(event), { signal });
    // The page's buttons are commands already; what they do here is more than a page without scripts could.
    const runs = { preview: () => this.preview(), "try-it": () => this.tryIt(), publish: () => this.setStatus(), unpublish: () => this.setStatus() };
    for (const command of commands.list()) {
      if (Object.hasOwn(runs, command.id)) commands.register({ ...command, run: runs[/** @type {keyof typeof runs} */ (command.id)] });
    }
    if (!this.isEditable) return () => this.over.abort();
    root.addEventListener("input", (event) => this.onInput(event), { signal });
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
    window.addEventListener("beforeunload", (event) => this.onUnload(event), { signal });
    offerEditor({
      flush: () => editing.flush(),
      draft: () => editing.draft(),
      apply: (proposal) => editing.apply(proposal),
    });
    guard((again) => this.mayLeave(again));
    return () => {
      editing.stop();
      this.over.abort();
    };
  }

  /** @param {Event} event */
  onInput(event) {
    const field = fieldOf(event.target);
    if (field === null) return;
    const { path, value, isTyped } = readField(field);
    this.mayBeLost = false;
    this.editing.edit(put(this.editing.content, path, value), isTyped ? path : null);
  }

  /** @param {Event} event */
  onClick(event) {
    const button = event.target instanceof Element ? event.target.closest("button[data-do]") : null;
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const { path, index } = rowAt(button);
    const { editing } = this;
    /** @type {Readonly<Record<string, () => unknown>>} */
    const acts = {
      undo: () => editing.undo(),
      "take-theirs": () => editing.takeTheirs(),
      "keep-mine": () => editing.keepMine(),
      preview: () => this.preview(),
      "try-it": () => this.tryIt(),
      status: () => this.setStatus(),
      add: () => editing.edit(withRow(editing.content, path)),
      remove: () => editing.edit(withoutRow(editing.content, path, index)),
    };
    Promise.resolve(acts[button.dataset["do"] ?? ""]?.()).catch((/** @type {Error} */ error) => say(error.message));
    if (path !== "") this.focusRow(path, button.dataset["do"] === "add" ? -1 : index);
  }

  /**
   * To the row that was added, or to the one now in the place of the row that went.
   * @param {string} path
   * @param {number} index
   */
  focusRow(path, index) {
    const rows = [...this.root.querySelectorAll(`[data-rows="${CSS.escape(path)}"] [data-list] > li`)];
    const field = (rows[index] ?? rows.at(-1))?.querySelector("[data-path]");
    if (field instanceof HTMLElement) field.focus();
  }

  /**
   * Ctrl-Z in a field is the field's own.
   * @param {KeyboardEvent} event
   */
  onKey(event) {
    const isPlain = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const isElsewhere = event.target instanceof Element && event.target.closest(OWN_UNDO) !== null;
    if (event.key.toLowerCase() !== "z" || !isPlain || isElsewhere || event.defaultPrevented) return;
    event.preventDefault();
    this.editing.undo();
  }

  /** @param {BeforeUnloadEvent} event */
  onUnload(event) {
    if (this.editing.hasUnsaved && !this.mayBeLost) event.preventDefault();
  }

  /** @param {boolean} again   what was allowed to be lost stays so until more is typed */
  async mayLeave(again) {
    await this.editing.hold();
    try {
      if (!this.editing.hasUnsaved || (again && this.mayBeLost)) return true;
      this.mayBeLost = await askToLeave();
      return this.mayBeLost;
    } finally {
      this.editing.release();
    }
  }

  preview() {
    const sheet = this.root.querySelector("dialog");
    const { element } = studentView(this.type, this.editing.content, this.words);
    this.root.querySelector("[data-preview]")?.replaceChildren(element);
    if (sheet && !sheet.open) sheet.showModal();
  }

  /** Shows what is stored: so what is here is stored first, where it can be. */
  async tryIt() {
    if (this.isEditable) await this.editing.flush().catch(() => {});
    const opened = window.open(`/questions/${this.question}/try`, "_blank");
    if (opened === null) throw new Error(this.words["not_opened"]);
  }

  /** Publishes it, or makes a draft of it: what is here is saved first, and nothing is typed meanwhile. */
  async setStatus() {
    const form = this.root.querySelector("form");
    const base = form?.querySelector("input[name='base']");
    if (!form || !(base instanceof HTMLInputElement)) return;
    this.root.inert = true;
    try {
      await this.editing.flush().catch(() => {
        throw new Error(this.words["not_done"]);
      });
      base.value = this.editing.base;
      const arrival = await submit(form);
      if (arrival.status >= 400) throw new Error(arrival.problem ?? word("failed"));
    } finally {
      this.root.inert = false;
    }
  }

  /** @param {import("./editing.js").View} view */
  show({ status, faults, content, canUndo }) {
    const { root, words } = this;
    const said = root.querySelector("[data-status]");
    if (said instanceof HTMLElement && said.dataset["status"] !== status) {
      said.dataset["status"] = status;
      said.textContent = words[status] ?? "";
    }
    showContent(root, content);
    showFaults(root, faults, words);
    const undo = root.querySelector("[data-do='undo']");
    if (undo instanceof HTMLButtonElement) undo.disabled = !canUndo;
    const conflict = root.querySelector("[data-conflict]");
    if (conflict instanceof HTMLElement) conflict.hidden = status !== "changed";
  }
}
