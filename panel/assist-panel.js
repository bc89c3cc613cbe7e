// <assist-panel>: a round button and the assistant behind it; the page gives it a host, and it does the rest.

import { AssistClient, AssistProblem } from "./assist-client.js";
import { Learning } from "./learning.js";
import { Shelf } from "./shelf.js";
import { Talk } from "./talk.js";
import { composer } from "./view/composer.js";
import { h, reword } from "./view/dom.js";
import { exchange } from "./view/exchange.js";
import { frame } from "./view/frame.js";
import { notice } from "./view/notice.js";
import { problemBox } from "./view/problem.js";
import { section } from "./view/section.js";
import { standing } from "./view/sheet.js";
import { side } from "./view/side.js";
import { Thread } from "./view/thread.js";
import { isSpoken, languageOf, speak, wordsOf } from "./words.js";

/**
 * @typedef {import("./types.js").Host} Host
 * @typedef {import("./types.js").Asking} Asking
 * @typedef {import("./types.js").Availability} Availability
 */

/** Where the service is: whoever served this module. */
const SERVICE = new URL(import.meta.url).origin;

const STYLES = ["panel", "talk", "parts"].map((name) => new URL(`./styles/${name}.css`, import.meta.url).href);

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
  #isStyled = false;
  /** In which language all stands that stands. */
  #language = languageOf(document.documentElement.lang);
  #frame = frame({
    toggle: () => (this.#frame.panel.open ? this.close() : this.open()),
    close: () => this.close(),
    begin: () => this.#begin(),
    history: () => void this.#side.show(() => this.#shelf.list()),
  });
  #composer = composer({
    words: () => this.#words(),
    send: (asking) => void this.#ask(asking),
    stop: () => this.#talk?.stop(),
  });
  #standing = standing(this.#frame.panel, [this.#frame.log, this.#frame.side]);
  #notice = notice(this.#frame.notice, () => this.#words());
  #thread = new Thread(this.#frame.log, this.#notice, () => this.desk);
  #side = side(this.#frame, () => this.desk, () => this.#composer.field);
  /** Stands in the composer's place where nothing may be asked. */
  #shut = h("div", { class: "shut", tabindex: -1, hidden: true });
  #learning = new Learning(() => this.desk.client.availability(this.#language), (found) => this.#know(found));
  #shelf = new Shelf({
    desk: () => this.desk,
    talk: () => this.#talk,
    thread: this.#thread,
    cleared: () => this.#composer.askAbout(null),
    chosen: () => {
      this.#side.hide();
      this.#composer.field.focus();
    },
  });

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.append(...STYLES.map((href) => h("link", { rel: "stylesheet", href })), this.#frame.button, this.#frame.panel);
    root.querySelector("link")?.addEventListener("load", () => {
      this.#isStyled = true;
      this.#appear();
    });
    this.#frame.foot.append(this.#notice.folded, this.#composer.element, this.#shut);
    this.#frame.panel.addEventListener("close", () => this.#expand());
    this.#frame.panel.addEventListener("keydown", (event) => this.#onKey(event));
    this.addEventListener("screenchange", () => this.#word());
  }

  /** Without a host a click could do nothing, and without its styles the button would flash by bare. */
  #appear() {
    this.#frame.button.hidden = !this.#isStyled || this.#host === null;
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
    this.#talk?.stop();
    this.#host = host;
    this.#appear();
    const client = new AssistClient({ service: SERVICE, token: () => this.host.token() });
    this.#talk = new Talk(client, () => this.host, {
      ready: () => this.#ready(),
      onConversation: (id) => this.#shelf.goesOn(id),
      onAnew: () => this.#thread.anew(),
    });
    this.#desk = {
      client,
      host: () => this.host,
      screens: () => this.#availability?.screens ?? [],
      words: () => this.#words(),
      language: () => this.#language,
      ask: (asking) => this.#ask(asking),
      about: (about) => this.#askAbout(about),
      openSection: (citation) => void this.#side.show(() => section(citation, this.desk)),
      openPath: (path) => this.host.navigate(path),
      calm: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
      announce: this.#frame.announce,
      now: () => Date.now(),
    };
    this.#talk.goOn(this.#shelf.putAside());
    this.#learning.forget();
    this.#word();
    if (this.#frame.panel.open) void this.#learnt();
  }

  get desk() {
    if (this.#desk === null) throw new TypeError("<assist-panel> was given no host");
    return this.#desk;
  }

  /** Opens the panel, as the person's click on the button does. */
  open() {
    if (this.hidden || this.#host === null) return;
    this.#word();
    this.#standing.open();
    this.#expand();
    if (this.#composer.element.hidden) this.#shut.focus();
    else this.#composer.takeFocus(this.#frame.panel);
    void this.#learnt();
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
    if (this.#side.isShown()) this.#side.hide();
    else this.close();
  }

  /** Learns what this session may do, and says what went wrong. */
  async #learnt() {
    try {
      await this.#learning.anew();
      this.#thread.tell(null);
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      // A question that waits for it says so itself.
      if (this.#talk?.isRunning !== true) this.#thread.tell(problemBox(error, this.desk, () => void this.#learnt()));
    }
  }

  /** @param {Availability} found */
  async #know(found) {
    this.#availability = found;
    this.#composer.bound(found.limits.question_characters);
    this.#notice.say(found.notice);
    this.#offer(found.offered ? null : (found.reason ?? "not_offered"));
    if (found.offered) await this.#shelf.resume();
  }

  /** Nothing is sent before it was said what is sent, nor where nothing may be asked. */
  async #ready() {
    const { offered, reason } = await this.#learning.known();
    if (!offered) throw new AssistProblem(reason ?? "not_offered");
  }

  /** @param {string | null} why   nothing may be asked, a key of its sentence; null: it may */
  #offer(why) {
    const had = this.#composer.element.contains(/** @type {ShadowRoot} */ (this.shadowRoot).activeElement);
    this.#composer.element.hidden = why !== null;
    this.#shut.hidden = why === null;
    if (why === null) return this.#shut.replaceChildren();
    this.#shut.replaceChildren(problemBox(new AssistProblem(why), this.desk));
    if (had) this.#shut.focus();
    // An answer from before may be of help in an exam. It is there again afterwards.
    this.#shelf.putAside();
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
    this.#thread.ask(shown.element);
    this.#composer.run(true);
    if (this.shadowRoot?.activeElement === null) this.#composer.takeFocus(this.#frame.panel);
    try {
      // While an answer's actions wait, the next question may be asked: only this one has ended here.
      const reply = await talk.ask(asking, shown.step).finally(() => this.#composer.run(false));
      this.#thread.keep();
      if (this.#composer.question.trim() === asking.question) this.#composer.question = "";
      this.#dropAbout(asking.reference);
      await shown.answer(reply);
      return "answered";
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      if (error.code === "reference_invalid") this.#dropAbout(asking.reference)?.end();
      if (talk.id === null) this.#composer.askAbout(null);
      shown.fail(error, () => void this.#ask(asking));
      if (error.code === "rate_limited") this.#composer.hold(error.retryAfterSeconds ?? 0);
      if (error.code === "not_offered" || error.code === "exam_in_progress") this.#offer(error.code);
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
    this.#shelf.clear();
    this.#side.hide();
    this.#composer.field.focus();
  }

  #words() {
    return wordsOf(this.#language);
  }

  /** Says all that stands in the language of now, once its words are there. */
  #word() {
    const language = this.#wanted;
    if (isSpoken(language)) return this.#speak(language);
    void speak(language).then(() => language === this.#wanted && this.#speak(language));
  }

  get #wanted() {
    return languageOf(this.getAttribute("language") ?? this.#host?.screen().language ?? document.documentElement.lang);
  }

  /** @param {import("./types.js").Language} language   what the service worded is asked for again in another */
  #speak(language) {
    const isAnother = language !== this.#language;
    this.#language = language;
    this.#frame.word(this.#words());
    this.#composer.show();
    this.setAttribute("lang", language);
    if (!isAnother) return;
    reword(/** @type {ShadowRoot} */ (this.shadowRoot));
    this.#notice.say("");
    this.#learning.forget();
    if (this.#frame.panel.open) void this.#learnt();
  }
}

// The page's language is most often the panel's: it has its words before it shows.
await speak(document.documentElement.lang);
customElements.define("assist-panel", AssistPanel);

export { AssistClient, AssistProblem } from "./assist-client.js";
