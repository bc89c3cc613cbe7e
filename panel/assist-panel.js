// <assist-panel>: a round button and the assistant behind it; the page gives it a host, and it does the rest.

import { AssistClient, AssistProblem } from "./assist-client.js";
import { Talk } from "./talk.js";
import { composer } from "./view/composer.js";
import { h } from "./view/dom.js";
import { exchange, keptExchange } from "./view/exchange.js";
import { frame } from "./view/frame.js";
import { history } from "./view/history.js";
import { problemBox } from "./view/problem.js";
import { section } from "./view/section.js";
import { standing } from "./view/sheet.js";
import { wordsOf } from "./words.js";

/**
 * @typedef {import("./types.js").Host} Host
 * @typedef {import("./types.js").Asking} Asking
 * @typedef {import("./types.js").Availability} Availability
 */

/** Where the service is: whoever served this module. */
const SERVICE = new URL(import.meta.url).origin;

const STYLES = ["panel", "prose", "parts"].map((name) => new URL(`./styles/${name}.css`, import.meta.url).href);

class AssistPanel extends HTMLElement {
  static observedAttributes = ["language"];

  /** @type {Host | null} */
  #host = null;
  /** @type {Availability | null} */
  #availability = null;
  /** @type {Talk | null} */
  #talk = null;
  /** @type {import("./types.js").Desk | null} */
  #desk = null;
  #frame = frame({
    toggle: () => (this.#frame.panel.open ? this.close() : this.open()),
    close: () => this.close(),
    begin: () => this.#begin(),
    history: () => void this.#showHistory(),
  });
  #composer = composer({
    words: () => this.#words(),
    send: (asking) => void this.#ask(asking),
    stop: () => this.#talk?.stop(),
  });
  #standing = standing(this.#frame.panel);

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.append(...STYLES.map((href) => h("link", { rel: "stylesheet", href })), this.#frame.button, this.#frame.panel);
    this.#frame.foot.append(this.#composer.element);
    this.#frame.panel.addEventListener("close", () => this.#frame.button.setAttribute("aria-expanded", "false"));
    this.#frame.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  connectedCallback() {
    this.#word();
  }

  disconnectedCallback() {
    this.#talk?.stop();
    this.#standing.stop();
  }

  attributeChangedCallback() {
    this.#word();
  }

  get host() {
    if (this.#host === null) throw new TypeError("<assist-panel> was given no host");
    return this.#host;
  }

  set host(host) {
    this.#host = host;
    const client = new AssistClient({ service: SERVICE, token: () => this.host.token() });
    this.#talk = new Talk(client, () => this.host);
    this.#desk = {
      client,
      host: () => this.host,
      screens: () => this.#availability?.screens ?? [],
      words: () => this.#words(),
      ask: (asking) => this.#ask(asking),
      about: (about) => this.#askAbout(about),
      openSection: (citation) => void this.#show(section(citation, this.desk)),
      openPath: (path) => this.host.navigate(path),
      calm: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
      announce: (sentence) => (this.#frame.announcer.textContent = sentence),
      now: () => Date.now(),
    };
    this.#word();
  }

  get desk() {
    if (this.#desk === null) throw new TypeError("<assist-panel> was given no host");
    return this.#desk;
  }

  /** Opens the panel, as the person's click on the button does. */
  open() {
    this.#word();
    this.#standing.open();
    this.#frame.button.setAttribute("aria-expanded", "true");
    this.#composer.field.focus();
    void this.#learn();
  }

  close() {
    this.#standing.close();
    this.#frame.button.focus();
  }

  /** What this session may do, asked for when the panel opens. */
  async #learn() {
    const found = await this.#tried(this.desk.client.availability(this.#language()));
    if (found === null) return;
    this.#availability = found;
    this.#composer.bound(found.limits.question_characters);
    this.#frame.notice.textContent = found.notice;
    if (this.#frame.log.childElementCount === 0) this.#frame.log.append(this.#frame.notice);
  }

  /** @param {import("./types.js").About | null} about */
  #askAbout(about) {
    this.#composer.askAbout(about);
    this.#composer.field.focus();
  }

  /**
   * @param {Asking} asking
   * @returns {Promise<import("./types.js").Asked>}
   */
  async #ask(asking) {
    const talk = this.#talk;
    if (talk === null || talk.isRunning) return "busy";
    const shown = exchange(asking, this.desk);
    this.#frame.log.append(shown.element);
    shown.element.scrollIntoView({ block: "end" });
    this.#composer.run(true);
    try {
      // While an answer's actions wait, the next question may be asked: only this one has ended here.
      const reply = await talk.ask(asking, shown.step).finally(() => this.#composer.run(false));
      if (this.#composer.question.trim() === asking.question) this.#composer.question = "";
      this.#dropAbout(asking.reference);
      await shown.answer(reply);
      return "answered";
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      if (error.code === "reference_invalid") this.#dropAbout(asking.reference)?.end();
      if (talk.id === null) this.#composer.askAbout(null);
      shown.fail(error);
      return error;
    }
  }

  /** @param {string | undefined} token   the next question asks on about something else, or nothing */
  #dropAbout(token) {
    const { about } = this.#composer;
    if (about === null || about.token !== token) return null;
    this.#composer.askAbout(null);
    return about;
  }

  #begin() {
    this.#talk?.goOn(null);
    this.#composer.askAbout(null);
    this.#frame.log.replaceChildren(this.#frame.notice);
    this.#hideSide();
    this.#composer.field.focus();
  }

  async #showHistory() {
    await this.#show(history(this.desk, (line) => void this.#reopen(line)));
  }

  /** @param {import("./types.js").ConversationLine} line */
  async #reopen(line) {
    const found = await this.#tried(this.desk.client.conversation(line.id));
    if (found === null) return;
    this.#talk?.goOn(line.active ? line.id : null);
    this.#composer.askAbout(null);
    this.#frame.log.replaceChildren(...found.items.map((each) => keptExchange(each, this.desk)));
    this.#hideSide();
  }

  /** @param {Promise<HTMLElement>} part   shown beside the conversation */
  async #show(part) {
    const element = await this.#tried(part);
    if (element === null) return;
    const back = h("button", { type: "button", class: "back", onclick: () => this.#hideSide() }, this.#words()("panel.back"));
    this.#frame.side.replaceChildren(back, element);
    this.#frame.side.hidden = false;
    this.#frame.panel.classList.add("with-side");
    back.focus();
  }

  #hideSide() {
    this.#frame.side.hidden = true;
    this.#frame.panel.classList.remove("with-side");
  }

  /**
   * @template Found
   * @param {Promise<Found>} asked
   * @returns {Promise<Found | null>} null after a problem, which is told
   */
  async #tried(asked) {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      this.#frame.log.append(problemBox(error, this.desk));
      return null;
    }
  }

  #language() {
    return this.getAttribute("language") ?? this.#host?.screen().language ?? "en";
  }

  #words() {
    return wordsOf(this.#language());
  }

  #word() {
    this.#frame.word(this.#words());
    this.#composer.show();
    this.setAttribute("lang", this.#language());
  }
}

customElements.define("assist-panel", AssistPanel);

export { AssistClient, AssistProblem } from "./assist-client.js";
