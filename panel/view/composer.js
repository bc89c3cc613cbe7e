// Where a question is written: it stays there until it was answered, and Send is Stop while it runs.

import { aboutChip } from "./about.js";
import { counter } from "./counter.js";
import { h, icon } from "./dom.js";

/** A longer question scrolls in its field. */
const MOST_LINES = 8;

/**
 * @param {object} given
 * @param {() => import("../words.js").Words} given.words
 * @param {(asking: import("../types.js").Asking) => void} given.send   the question, and what it asks on about
 * @param {() => void} given.stop
 */
export function composer({ words, send, stop }) {
  let limit = 2000;
  let running = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} set while nothing may be sent */
  let held;
  // A keyboard on the screen has no Shift-Enter to speak of: there Enter breaks the line, and the button sends.
  const touch = matchMedia("(pointer: coarse)");
  const field = h("textarea", { rows: 1, class: "field", "aria-describedby": "left", onkeydown: onKey, oninput: show });
  const submit = h("button", { type: "submit", class: "send" });
  const left = counter(words);
  const about = aboutChip(words, () => field.focus());
  const writing = h("div", { class: "writing" }, field, submit);
  const form = h("form", { class: "composer", onsubmit: onSubmit }, about.element, writing, ...left.elements);

  function onSubmit(/** @type {Event} */ event) {
    event.preventDefault();
    if (running) return stop();
    if (!maySend()) return field.focus();
    const on = about.get();
    const question = field.value.trim();
    send(on === null ? { question } : { question, reference: on.token, label: on.label });
  }

  function onKey(/** @type {KeyboardEvent} */ event) {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    if (touch.matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (!running) form.requestSubmit();
  }

  /** In code points, as the service counts them. */
  function room() {
    return limit - [...field.value.trim()].length;
  }

  function maySend() {
    return held === undefined && room() >= 0 && field.value.trim() !== "";
  }

  function show() {
    left.show(room());
    grow(field);
    field.setAttribute("aria-label", words()("composer.label"));
    field.setAttribute("enterkeyhint", touch.matches ? "enter" : "send");
    field.placeholder = words()("composer.placeholder");
    const name = words()(running ? "composer.stop" : "composer.send");
    submit.replaceChildren(icon(running ? "stop" : "send"));
    submit.setAttribute("aria-label", name);
    submit.title = name;
    submit.classList.toggle("stop", running);
    // Not `disabled`: the focus would be lost from the button that has just been pressed.
    submit.setAttribute("aria-disabled", String(!running && !maySend()));
  }

  show();
  return {
    element: form,
    field,
    get question() {
      return field.value;
    },
    set question(text) {
      field.value = text;
      show();
    },
    /** @param {boolean} now */
    run(now) {
      running = now;
      field.readOnly = now;
      // What is answered is read without a keyboard over it.
      if (now && touch.matches) field.blur();
      show();
    },
    /** @param {HTMLElement} otherwise   has the focus where the field would bring up a keyboard over what there is to read */
    takeFocus(otherwise) {
      (touch.matches ? otherwise : field).focus({ preventScroll: true });
    },
    /** @param {number} seconds   for so long nothing can be sent */
    hold(seconds) {
      clearTimeout(held);
      held = setTimeout(() => {
        held = undefined;
        show();
      }, seconds * 1000);
      show();
    },
    /** @param {number} characters   the longest question there may be */
    bound(characters) {
      limit = characters;
      show();
    },
    show,
    askAbout: about.ask,
    get about() {
      return about.get();
    },
  };
}

/**
 * A composed character is still being written: Enter takes it, and sends nothing. One browser tells of it by 229 only.
 * @param {KeyboardEvent} event
 */
function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

/** @param {HTMLTextAreaElement} field   where the browser does not size it by what is in it (`field-sizing`) */
function grow(field) {
  if (CSS.supports("field-sizing", "content")) return;
  field.rows = 1;
  while (field.rows < MOST_LINES && field.scrollHeight > field.clientHeight) field.rows += 1;
}
