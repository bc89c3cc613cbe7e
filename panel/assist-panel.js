// <assist-panel>: a round button and the assistant behind it; the page gives it a host, and it does the rest.

import { AssistClient, AssistProblem } from "./assist-client.js";
import { hosted } from "./hosted.js";
import { Learning } from "./learning.js";
import { presence } from "./presence.js";
import { Shelf } from "./shelf.js";
import { Speaking } from "./speaking.js";
import { Talk } from "./talk.js";
import { composer } from "./view/composer.js";
import { h, reword } from "./view/dom.js";
import { door } from "./view/door.js";
import { onEscape } from "./view/escape.js";
import { exchange } from "./view/exchange.js";
import { frame } from "./view/frame.js";
import { notice } from "./view/notice.js";
import { problemBox, problemOf } from "./view/problem.js";
import { section } from "./view/section.js";
import { standing } from "./view/sheet.js";
import { side } from "./view/side.js";
import { Thread } from "./view/thread.js";
import { speak } from "./words.js";

/** @import {Asking, Availability, Desk, Host, Person} from "./types.js" */

/** Where the service is: whoever served this module. */
const SERVICE = new URL(import.meta.url).origin;

const STYLES = ["panel", "talk", "prose", "parts", "cards"].map((name) => new URL(`./styles/${name}.css`, import.meta.url).href);

class AssistPanel extends HTMLElement {
  static observedAttributes = ["language", "hidden"];

  /** @type {Host | null} */
  #host = null;
  #page = hosted(() => this.host);
  /** @type {Availability | null} */
  #availability = null;
  /** @type {Talk | null} */
  #talk = null;
  /** @type {Desk | null} */
  #desk = null;
  // When the person was another the last time.
  #changed = 0;
  #speaking = new Speaking(
    () => this.getAttribute("language") ?? this.#page.screen()?.language ?? document.documentElement.lang,
    (isAnother) => this.#speak(isAnother),
  );
  #isStyled = false;
  #frame = frame({
    toggle: () => (this.#frame.panel.open ? this.close() : this.open()),
    close: () => this.close(),
    begin: () => this.#begin(),
    history: () => void this.#side.show(() => this.#shelf.list()),
  });
  #composer = composer({
    words: () => this.#speaking.words(),
    send: (asking) => void this.#ask(asking),
    stop: () => this.#talk?.stop(),
  });
  #standing = standing(this.#frame.panel, [this.#frame.log, this.#frame.side]);
  #notice = notice(this.#frame.notice, () => this.#speaking.words());
  #thread = new Thread(this.#frame.log, this.#notice, () => this.desk);
  #side = side(this.#frame, () => this.desk, () => this.#composer.field);
  #door = door(this.#composer, () => this.desk);
  #presence = presence(this, {
    stands: () => this.#standing.start(),
    left: () => {
      this.#talk?.stop();
      this.#standing.stop();
    },
    seen: () => {
      // Somebody else may have signed in meanwhile.
      this.#desk?.client.forgetToken();
      this.#refresh();
    },
  });
  #expand = (isAnswered = false) => this.#frame.expand(this.#speaking.words(), isAnswered);
  #learning = new Learning(() => this.desk.client.availability(this.#speaking.language), (found) => this.#know(found));
  #shelf = new Shelf({
    desk: () => this.desk,
    talk: () => this.#talk,
    thread: this.#thread,
    cleared: () => this.#composer.anew(),
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
    this.#frame.foot.append(this.#notice.folded, this.#composer.element, this.#door.element);
    this.#frame.panel.addEventListener("close", () => this.#expand());
    this.#frame.panel.addEventListener("keydown", onEscape(() => (this.#side.isShown() ? this.#side.hide() : this.close())));
    this.addEventListener("screenchange", () => this.#speaking.follow());
    this.addEventListener("sessionchange", () => {
      this.#desk?.client.forgetToken();
      this.#changed = 0;
      this.#forget();
    });
  }

  /** Without a host a click could do nothing, and without its styles the button would flash by bare. */
  #appear() {
    this.#frame.button.hidden = !this.#isStyled || this.#host === null;
  }

  connectedCallback() {
    this.#presence.connected();
    this.#speaking.follow();
  }

  disconnectedCallback() {
    this.#presence.disconnected();
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    // A sheet that is not to be seen would still keep the page from being used.
    if (name === "hidden" && this.hidden) this.close();
    this.#speaking.follow();
  }

  get host() {
    if (this.#host === null) throw new TypeError("<assist-panel> was given no host");
    return this.#host;
  }

  set host(host) {
    this.#talk?.stop();
    this.#host = host;
    this.#appear();
    const onPerson = (/** @type {Person} */ now, /** @type {Person} */ before) => this.#forget(now.sub === before.sub);
    const client = new AssistClient({ service: SERVICE, token: () => this.#page.token(), onPerson });
    this.#talk = new Talk(client, () => this.host, {
      ready: () => this.#learning.ready(),
      onConversation: (id) => this.#shelf.goesOn(id),
      onAnew: () => this.#thread.anew(),
    });
    this.#desk = {
      client,
      page: this.#page,
      screens: () => this.#availability?.screens ?? [],
      words: () => this.#speaking.words(),
      language: () => this.#speaking.language,
      ask: (asking) => this.#ask(asking),
      about: (about) => {
        this.#composer.askAbout(about);
        this.#composer.field.focus();
      },
      openSection: (citation) => void this.#side.show(() => section(citation, this.desk)),
      calm: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
      announce: this.#frame.announce,
      now: () => Date.now(),
    };
    this.#talk.goOn(this.#shelf.putAside());
    this.#learning.forget();
    this.#speaking.follow();
    this.#refresh();
  }

  /** Nothing of a session that is over is left to the next one. @param {boolean} [isSamePerson]   what is written is theirs still */
  #forget(isSamePerson = false) {
    const stood = this.#thread.stands || this.#side.isShown() || (!isSamePerson && this.#composer.question !== "");
    this.#availability = null;
    this.#learning.forget();
    this.#side.hide();
    this.#shelf.clear(false);
    if (!isSamePerson) this.#composer.forget();
    this.#offer(null);
    if (stood) this.#thread.another();
    // An LMS that named a session of its own in each token would be asked for ever.
    if (Date.now() - this.#changed > 1000) this.#refresh();
    this.#changed = Date.now();
  }

  get desk() {
    if (this.#desk === null) throw new TypeError("<assist-panel> was given no host");
    return this.#desk;
  }

  /** Opens the panel, as the person's click on the button does. */
  open() {
    if (this.hidden || this.#host === null) return;
    this.#speaking.follow();
    this.#standing.open();
    this.#expand();
    if (this.#door.isShut) this.#door.element.focus();
    else this.#composer.takeFocus(this.#frame.panel);
    void this.#learnt();
  }

  /** Closes it, and hands the focus back to the button if it was in there: from elsewhere on the page none is taken. */
  close() {
    const isInside = this.#frame.panel.matches(":focus-within");
    this.#standing.close();
    if (isInside) this.#frame.button.focus();
  }

  /** Learns it where it is seen; elsewhere once it is opened. */
  #refresh() {
    if (this.#desk !== null && this.#frame.panel.open) void this.#learnt();
  }

  /** Learns what this session may do, and says what went wrong. */
  async #learnt() {
    try {
      await this.#learning.anew();
      this.#thread.tell(null);
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      // Somebody else has come, for whom it is asked anew.
      if (error.code === "stopped") return;
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

  /** @param {string | null} why   nothing may be asked, a key of its sentence; null: it may */
  #offer(why) {
    this.#door.shut(why);
    this.#frame.invite(this.#speaking.words(), why === null ? this.#availability : null);
    // An answer from before may be of help in an exam. It is there again afterwards.
    if (why !== null) this.#shelf.putAside(true);
  }

  /**
   * @param {Asking} asking
   * @param {HTMLElement} [failed]   the exchange for which this is sent again
   * @returns {Promise<import("./types.js").Asked>}
   */
  async #ask(asking, failed) {
    const talk = this.#talk;
    if (talk === null || talk.isRunning) return "busy";
    const shown = exchange(asking, this.desk);
    this.#thread.ask(shown.element, failed);
    this.#composer.run(asking.question);
    if (this.shadowRoot?.activeElement === null) this.#composer.takeFocus(this.#frame.panel);
    try {
      // While an answer's actions wait, the next question may be asked: only this one has ended here.
      const asked = talk.ask(asking, shown.step, { again: failed !== undefined, onSent: shown.sent });
      const reply = await asked.finally(() => this.#composer.run(null));
      this.#thread.keep();
      this.#expand(true);
      this.#composer.dropAbout(asking.reference);
      await shown.answer(reply);
      return "answered";
    } catch (fault) {
      const error = problemOf(fault);
      if (!this.#composer.giveBack(this.#frame.log.contains(shown.element))) this.#thread.keep();
      if (error.code === "reference_invalid") this.#composer.dropAbout(asking.reference)?.end();
      if (talk.id === null) this.#composer.askAbout(null);
      shown.fail(error, () => void this.#ask(asking, shown.element));
      if (error.code === "rate_limited") this.#composer.hold(error.retryAfterSeconds ?? 0);
      if (error.code === "not_offered" || error.code === "exam_in_progress") this.#offer(error.code);
      return error;
    }
  }

  #begin() {
    this.#shelf.clear();
    this.#side.hide();
    this.#composer.field.focus();
  }

  /** @param {boolean} isAnother   language than before: what the service worded is asked for again */
  #speak(isAnother) {
    this.#frame.word(this.#speaking.words());
    this.#composer.show();
    this.setAttribute("lang", this.#speaking.language);
    if (!isAnother) return;
    reword(/** @type {ShadowRoot} */ (this.shadowRoot));
    this.#notice.say("");
    this.#learning.forget();
    this.#refresh();
  }
}

// The page's language is most often the panel's: it has its words before it shows.
await speak(document.documentElement.lang);
customElements.define("assist-panel", AssistPanel);

export { AssistClient, AssistProblem } from "./assist-client.js";
