// The round button and the panel it opens: what the element fills, with no rule of its own.

import { announcer } from "./announcer.js";
import { h, icon, iconButton } from "./dom.js";

/**
 * @param {object} given
 * @param {() => void} given.toggle
 * @param {() => void} given.close
 * @param {() => void} given.begin   a new conversation
 * @param {() => void} given.history
 */
export function frame({ toggle, close, begin, history }) {
  const button = h(
    "button",
    { type: "button", class: "toggle", hidden: true, "aria-expanded": "false", "aria-controls": "panel", onclick: toggle },
    icon("ask", "when-closed"),
    icon("down", "when-open"),
  );
  const title = h("h2", { class: "title", id: "title" });
  const tools = {
    history: iconButton("list", "", history),
    begin: iconButton("plus", "", begin),
    close: iconButton("close", "", close),
  };
  const notice = h("div", { class: "notice" });
  const hint = h("p", { class: "hint" });
  // Not live itself: what is new in it the announcer says, once.
  const log = h("div", { class: "log", role: "log", "aria-live": "off", tabindex: 0 });
  const foot = h("div", { class: "foot" });
  const main = h("div", { class: "main" }, hint, log, foot);
  const side = h("div", { class: "side", hidden: true });
  const speaking = announcer();
  const panel = h(
    "dialog",
    { class: "panel", id: "panel", tabindex: -1, "aria-labelledby": "title" },
    h("header", { class: "head" }, title, tools.history, tools.begin, tools.close),
    h("div", { class: "body" }, main, side),
    speaking.element,
  );
  return {
    ...{ button, panel, title, tools, notice, log, foot, main, side },
    announce: speaking.announce,
    /** @param {import("../words.js").Words} words */
    word(words) {
      title.textContent = words("panel.title");
      hint.textContent = words("panel.empty");
      log.setAttribute("aria-label", words("panel.log"));
      for (const [each, key] of /** @type {const} */ ([
        [button, "panel.open"],
        [tools.history, "panel.history"],
        [tools.begin, "panel.new"],
        [tools.close, "panel.close"],
      ])) {
        each.setAttribute("aria-label", words(key));
        each.title = words(key);
      }
    },
  };
}

/** @typedef {ReturnType<typeof frame>} Frame */
