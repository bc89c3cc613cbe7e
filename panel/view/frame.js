// The round button, the panel it opens, and its voice for those who listen: what the element fills, with no rule of its own.

import { h, icon, iconButton } from "./dom.js";

/** How long a sentence stays where those who read by line could meet it a second time. */
const KEPT_MILLISECONDS = 5000;

/** Elements after which a listener needs a pause: without one, two cells of a table are one word. */
const BLOCKS = "p, li, td, th, pre, blockquote, h3, h4, h5, h6, br, hr, button";

/**
 * @typedef {object} Does   what each button does
 * @property {() => void} toggle
 * @property {() => void} close
 * @property {() => void} begin   a new conversation
 * @property {() => void} history
 */

/** @param {Does} does */
export function frame(does) {
  const { button, title, tools } = head(does);
  const hint = invitation();
  const notice = h("div", { class: "notice" });
  // Not live itself: what is new in it the announcer says, once.
  const log = h("div", { class: "log", role: "log", "aria-live": "off", tabindex: 0 });
  const foot = h("div", { class: "foot" });
  const side = h("div", { class: "side", hidden: true });
  const voice = announcer();
  const panel = h(
    "dialog",
    { class: "panel", id: "panel", tabindex: -1, "aria-labelledby": "title" },
    h("header", { class: "head" }, title, tools.history, tools.begin, tools.close),
    h("div", { class: "body" }, h("div", { class: "main" }, hint.element, log, foot), side),
    voice.element,
  );
  /** Whether an answer came while nobody could see it. */
  let hasNews = false;
  const name = (/** @type {HTMLElement} */ each, /** @type {string} */ said) => {
    each.title = said;
    each.setAttribute("aria-label", said);
  };
  return {
    ...{ button, panel, notice, log, foot, side },
    invite: hint.invite,
    announce: voice.announce,
    /** @param {import("../words.js").Words} words */
    word(words) {
      title.textContent = words("panel.title");
      hint.word(words);
      log.setAttribute("aria-label", words("panel.log"));
      for (const [each, key] of /** @type {const} */ ([
        [tools.history, "panel.history"],
        [tools.begin, "panel.new"],
        [tools.close, "panel.close"],
      ])) {
        name(each, words(key));
      }
      this.expand(words);
    },
    /**
     * Says what a press of the button does now.
     * @param {import("../words.js").Words} words
     * @param {boolean} [isAnswered]   an answer has just come
     */
    expand(words, isAnswered = false) {
      hasNews = !panel.open && (hasNews || isAnswered);
      button.classList.toggle("news", hasNews);
      button.setAttribute("aria-expanded", String(panel.open));
      name(button, words(panel.open ? "panel.away" : hasNews ? "panel.news" : "panel.open"));
    },
  };
}

/**
 * Whatever is named in the language of now.
 * @param {Does} does
 */
function head({ toggle, close, begin, history }) {
  return {
    button: h(
      "button",
      { type: "button", class: "toggle", hidden: true, "aria-expanded": "false", "aria-controls": "panel", onclick: toggle },
      icon("ask", "when-closed"),
      icon("down", "when-open"),
    ),
    title: h("h2", { class: "title", id: "title" }),
    tools: {
      history: iconButton("list", "", history),
      begin: iconButton("plus", "", begin),
      close: iconButton("close", "", close),
    },
  };
}

/** Says in an empty conversation what may be asked: no more than there is to answer from. */
function invitation() {
  const element = h("p", { class: "hint" });
  /** @type {"manual" | "live" | "both" | null} */
  let from = null;
  const word = (/** @type {import("../words.js").Words} */ words) => {
    element.textContent = from === null ? "" : words(`panel.empty.${from}`);
  };
  return {
    element,
    word,
    /**
     * @param {import("../words.js").Words} words
     * @param {{manual: boolean, live: boolean} | null} found   null: nothing, or it is not known yet
     */
    invite(words, found) {
      from = found?.manual ? (found.live ? "both" : "manual") : found?.live ? "live" : null;
      word(words);
    },
  };
}

/** Says to those who listen what is new: each sentence once, and in turn. */
function announcer() {
  const element = h("div", { class: "unseen announcer", "aria-live": "polite" });
  return {
    element,
    /** @param {string} sentence   the same one is said again when it is given again */
    announce(sentence) {
      const line = h("p", {}, sentence);
      element.append(line);
      setTimeout(() => line.remove(), KEPT_MILLISECONDS);
    },
  };
}

/**
 * What an element says, its blocks apart.
 * @param {Element} element
 */
export function spoken(element) {
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const each of copy.querySelectorAll(".mark")) each.remove();
  for (const each of copy.querySelectorAll(BLOCKS)) each.after(" ");
  return (copy.textContent ?? "").replace(/\s+/gu, " ").trim();
}
