// A prepared change: every line of its card, Confirm and Cancel, and what came of it.

import { AssistProblem } from "../assist-client.js";
import { firstOf } from "../words.js";
import { card, labelOf } from "./card.js";
import { h } from "./dom.js";
import { line, linkTo, replaceBy } from "./outcome.js";
import { inTurn } from "./turns.js";
import { when } from "./when.js";

/** How long a card may be confirmed at the most. */
const LIFETIME_MILLISECONDS = 10 * 60 * 1000;

/**
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {import("../types.js").PreparedWrite} PreparedWrite
 * @typedef {import("../words.js").Words} Words
 */

/**
 * @param {PreparedWrite} write
 * @param {string} conversationId
 * @param {Desk} desk
 */
export function writeCard(write, conversationId, desk) {
  return new WriteCard(write, conversationId, desk).element;
}

class WriteCard {
  #write;
  #conversation;
  #desk;
  #end;
  #timer;
  #card;
  /** Whether it was sent and nobody has said what came of it. */
  #mayBeMade = false;

  /**
   * @param {PreparedWrite} write
   * @param {string} conversationId
   * @param {Desk} desk
   */
  constructor(write, conversationId, desk) {
    this.#write = write;
    this.#conversation = conversationId;
    this.#desk = desk;
    this.#end = endOf(write, desk.now());
    this.#card = card({
      // What each tool does; of one that came later only that it changes something.
      heading: () => firstOf(this.#words, [`write.${write.tool}`, "write.other"]),
      about: [linesOf(write, this.#words), h("p", { class: "until" }, () => this.#words("write.until", { time: this.#time }))],
      primary: { label: () => this.#words("card.confirm"), onclick: () => void this.#decide(() => this.#confirm()) },
      secondary: { label: () => this.#words("card.cancel"), onclick: () => void this.#decide(() => this.#cancel()) },
    });
    this.#timer = setTimeout(() => this.#card.busy || this.#over("write.expired"), this.#end - desk.now());
  }

  get element() {
    return this.#card.element;
  }

  get #time() {
    return when(new Date(this.#end), this.#desk.language(), { timeStyle: "short" });
  }

  /** @type {Words} in the language of now */
  #words = (key, values) => this.#desk.words()(key, values);

  /** @param {() => Promise<void>} act   while it runs neither button does anything */
  async #decide(act) {
    this.#card.wait(true);
    await act().finally(() => this.#card.wait(false));
  }

  async #confirm() {
    const { client } = this.#desk;
    this.#card.tell(this.#words("write.waiting"));
    try {
      const result = await inTurn(this.#desk, "confirm", () => {
        this.#card.tell(this.#words("write.confirming"));
        return client.confirm(this.#write.id, this.#conversation);
      });
      this.#close(line(`${this.#words("write.done")} `, linkTo(result, this.element, this.#desk)));
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      this.#refused(error);
    }
  }

  async #cancel() {
    try {
      await this.#desk.client.cancel(this.#write.id, this.#conversation);
      this.#over("write.cancelled");
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      if (error.code === "write_not_found") this.#gone();
      else this.#tell(this.#words("write.not_cancelled", { time: this.#time }));
    }
  }

  /** @param {AssistProblem} problem */
  #refused({ code, reason }) {
    if (code === "write_not_found") return this.#gone();
    if (code === "write_failed") {
      return this.#close(line(firstOf(this.#words, [`write.failed.${reason}`, "write.failed.failed"])));
    }
    if (code === "write_unknown") {
      // It was sent: only the same Confirm can find out, for longer than the card says, and no Cancel reaches it.
      clearTimeout(this.#timer);
      this.#card.keepFirstOnly();
    }
    this.#mayBeMade ||= code === "write_unknown" || code === "unreachable";
    if (this.#desk.now() >= this.#end && !this.#mayBeMade) return this.#over("write.expired");
    this.#tell(firstOf(this.#words, [`write.${code}`, `problem.${code}`]));
  }

  #gone() {
    this.#over(this.#mayBeMade ? "write.over_unsure" : "write.over");
  }

  /** @param {import("../words.js").Key} key */
  #over(key) {
    this.#close(line(this.#words(key)));
  }

  /** @param {HTMLElement} said */
  #close(said) {
    clearTimeout(this.#timer);
    this.#card.tell("");
    this.element.querySelector(".until")?.remove();
    this.element.classList.add("over");
    replaceBy(this.#card.foot, said, this.#desk);
  }

  /** @param {string} text */
  #tell(text) {
    this.#card.tell(text);
    this.#desk.announce(text);
  }
}

/**
 * When a card is over, by this device's clock: one that is wrong by more than a card's life counts from the answer on.
 * @param {PreparedWrite} write
 * @param {number} now
 */
function endOf(write, now) {
  const end = Date.parse(write.expires_at);
  return end > now && end - now <= LIFETIME_MILLISECONDS ? end : now + LIFETIME_MILLISECONDS;
}

/**
 * Every line, whole and as it is.
 * @param {PreparedWrite} write
 * @param {Words} words
 */
function linesOf({ lines }, words) {
  const all = lines.flatMap(({ label, value }) => [
    h("dt", { dir: "auto" }, () => labelOf(label, words)),
    h("dd", { dir: "auto" }, value),
  ]);
  return h("dl", { class: "lines" }, ...all);
}
