// <assist-panel>: a round button and the assistant behind it; the page gives it a host, and it does the rest.

import { AssistClient, AssistProblem } from "./assist-client.js";
import { Talk } from "./talk.js";
import { composer } from "./view/composer.js";
import { h, icon } from "./view/dom.js";
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
  static observedAttributes = ["language", "hidden"];

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
  #standing = standing(this.#frame.panel, [this.#frame.log, this.#frame.side]);

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.append(...STYLES.map((href) => h("link", { rel: "stylesheet", href })), this.#frame.button, this.#frame.panel);
    this.#frame.foot.append(this.#composer.element);
    this.#frame.panel.addEventListener("close", () => this.#expand());
    this.#frame.panel.addEventListener("keydown", (event) => this.#onKey(event));
  }

  connectedCallback() {
    this.#standing.start();
    this.#word();
  }

  disconnectedCallback() {
    this.#talk?.stop();
    this.#standing.stop();
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    // A sheet that is not to be seen would still keep the page from being used.
    if (name === "hidden" && this.hidden) this.close();
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
      announce: this.#frame.announce,
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
    if (this.hidden) return;
    this.#word();
    this.#standing.open();
    this.#expand();
    this.#composer.field.focus();
    void this.#learn();
  }

  /** Closes it, and hands the focus back to the button if it was in there: from elsewhere on the page none is taken. */
  close() {
    const isInside = this.#frame.panel.matches(":focus-within");
    this.#standing.close();
    if (isInside) this.#frame.button.focus();
  }

  #expand() {
    this.#frame.button.setAttribute("aria-expanded", String(this.#frame.panel.open));
  }

  /** @param {KeyboardEvent} event   Escape is the panel's own here, unless it ends a composed character */
  #onKey(event) {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    this.close();
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
    this.#frame.transcript.add(shown.element);
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
    this.#frame.hideSide();
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
    this.#frame.hideSide();
    this.#frame.transcript.fill(found.items.map((each) => keptExchange(each, this.desk)));
  }

  /** @param {Promise<HTMLElement>} part   shown beside the conversation */
  async #show(part) {
    const element = await this.#tried(part);
    if (element === null) return;
    const leave = { type: "button", class: "back", onclick: () => this.#frame.hideSide() };
    this.#frame.showSide(h("button", leave, icon("back"), this.#words()("panel.back")), element);
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
