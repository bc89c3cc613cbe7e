// One question being edited: its draft, its saving, Undo, and what the assistant's panel may do with it. No DOM.

import { Autosave, NotSaved } from "./autosave.js";
import { edited, isSaved, opened, same, stored, takes, undone } from "./draft.js";

/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("./saving.js").Fault} Fault */
/** @typedef {import("./saving.js").Saved} Saved */
/** @typedef {{save: (base: string, content: Content) => Promise<Saved>}} Server */
/** @typedef {{base: string} & Content} Proposal */
/** @typedef {{status: import("./autosave.js").Status, faults: readonly Fault[], content: Content, canUndo: boolean}} View */
/**
 * @typedef {object} Desk
 * @property {string} question
 * @property {string} type
 * @property {string} base
 * @property {Content} content
 * @property {Server} server
 * @property {(view: View) => void} show Called after each change, with all there is to show.
 * @property {import("./autosave.js").Timers} [timers]
 */

/** Of how many saves without an answer it is remembered what they sent. */
const UNANSWERED = 20;

/** One question in the editor. */
export class Editing {
  #desk;
  #draft;
  #autosave;
  /** @type {readonly Fault[]} */
  #faults = [];
  /** What was sent and may have been stored. @type {Content[]} */
  #unanswered = [];
  /** @type {{base: string, content: Content} | null} */
  #theirs = null;

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#draft = opened(desk.base, desk.content);
    this.#autosave = new Autosave({
      save: () => this.#save(),
      isSaved: () => isSaved(this.#draft),
      tell: () => this.#show(),
      ...(desk.timers ? { timers: desk.timers } : {}),
    });
  }

  get content() {
    return this.#draft.now;
  }

  get base() {
    return this.#draft.base;
  }

  /** Whether leaving would lose something. */
  get hasUnsaved() {
    return !isSaved(this.#draft);
  }

  /** @returns {View} */
  get view() {
    return {
      status: this.#autosave.status,
      faults: isSaved(this.#draft) ? [] : this.#faults,
      content: this.#draft.now,
      canUndo: this.#draft.past.length > 0,
    };
  }

  /**
   * One edit; keys in the text at `typing` are one.
   * @param {Content} content
   * @param {string | null} [typing]
   */
  edit(content, typing = null) {
    this.#become(edited(this.#draft, content, typing));
  }

  undo() {
    this.#become(undone(this.#draft));
  }

  /** The host's editor, as the panel has it. */
  flush() {
    return this.#autosave.flush();
  }

  /** While the person is asked about what is not saved, it stays so: nothing is saved by itself until `release`. */
  hold() {
    return this.#autosave.hold();
  }

  release() {
    this.#autosave.release();
  }

  /** What goes with a question to the assistant: a copy, so that nobody edits by it. */
  draft() {
    const { base, now } = this.#draft;
    return { question_id: this.#desk.question, type: this.#desk.type, base, ...structuredClone(now) };
  }

  /**
   * Puts a proposal in as one edit and saves it. It is taken back where somebody else has saved meanwhile.
   * @param {Proposal} proposal
   * @returns {Promise<"applied" | "changed">}
   */
  async apply({ base, config, explanation }) {
    if (!takes(this.#draft, base) || this.#autosave.status === "changed") return "changed";
    const proposed = structuredClone({ config, explanation });
    this.edit(proposed);
    try {
      await this.flush();
    } catch (fault) {
      // Any other reason is the editor's own to tell: the texts are in the draft, marked as not saved.
      if (fault instanceof NotSaved && fault.why === "changed") {
        if (this.#draft.now === proposed) this.undo();
        return "changed";
      }
    }
    return "applied";
  }

  /** After "changed": what is stored takes the place of what is here. */
  takeTheirs() {
    if (this.#theirs !== null) this.#resume(opened(this.#theirs.base, this.#theirs.content));
  }

  /** After "changed": what is here is stored over it. */
  keepMine() {
    if (this.#theirs !== null) this.#resume(stored(this.#draft, this.#theirs.base, this.#theirs.content));
  }

  /** The page is left: nothing is saved from here on. */
  stop() {
    this.#autosave.stop();
  }

  /** @param {import("./draft.js").Draft} draft */
  #become(draft) {
    if (draft === this.#draft) return;
    this.#draft = draft;
    this.#autosave.touch();
    this.#show();
  }

  /** @param {import("./draft.js").Draft} draft */
  #resume(draft) {
    this.#draft = draft;
    this.#theirs = null;
    this.#faults = [];
    this.#autosave.resume();
    this.#show();
  }

  /** @returns {Promise<import("./autosave.js").Outcome>} */
  async #save() {
    const { base, now } = this.#draft;
    const answer = await this.#desk.server.save(base, now);
    if (answer.outcome === "failed") {
      this.#unanswered = [...this.#unanswered, now].slice(-UNANSWERED);
      return "failed";
    }
    const unanswered = this.#unanswered;
    this.#unanswered = [];
    this.#faults = answer.outcome === "invalid" ? answer.faults : [];
    if (answer.outcome === "saved") this.#draft = stored(this.#draft, answer.base, now);
    if (answer.outcome !== "changed") return answer.outcome;
    if (unanswered.some((sent) => same(sent, answer.content))) {
      // Nobody else's: it is what was sent before, and only the answer was lost.
      this.#draft = stored(this.#draft, answer.base, answer.content);
      return this.#save();
    }
    this.#theirs = { base: answer.base, content: answer.content };
    return "changed";
  }

  #show() {
    this.#desk.show(this.view);
  }
}
