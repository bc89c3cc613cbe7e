// Where a question is written: it stays there until it was answered, and Send is Stop while it runs.

import { h, icon, iconButton } from "./dom.js";

/** From how many characters before the limit on the person is told. */
const WARNED_CHARACTERS = 200;

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
  const field = h("textarea", { rows: 1, class: "field", onkeydown: onKey, oninput: show });
  const left = h("p", { class: "left", "aria-live": "polite" });
  const submit = h("button", { type: "submit", class: "send" });
  const chip = h("p", { class: "asks-about", hidden: true });
  const form = h("form", { class: "composer", onsubmit: onSubmit }, chip, field, submit, left);
  /** @type {import("../types.js").About | null} */
  let about = null;

  function onSubmit(/** @type {Event} */ event) {
    event.preventDefault();
    if (running) return stop();
    const question = field.value.trim();
    if (held !== undefined || question === "" || [...question].length > limit) return;
    send(about === null ? { question } : { question, reference: about.token, label: about.label });
  }

  function onKey(/** @type {KeyboardEvent} */ event) {
    // A composed character is still being written: Enter takes it, and sends nothing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!running) form.requestSubmit();
  }

  /** @param {import("../types.js").About | null} next */
  function askAbout(next) {
    about?.show(false);
    about = next;
    about?.show(true);
    showAbout();
  }

  function showAbout() {
    const label = about?.label ?? "";
    chip.hidden = about === null;
    const drop = () => {
      askAbout(null);
      field.focus();
    };
    chip.replaceChildren(words()("chips.about", { label }), iconButton("close", words()("chips.remove", { label }), drop));
  }

  function show() {
    const over = limit - [...field.value.trim()].length;
    left.textContent = over <= WARNED_CHARACTERS ? words()("composer.left", { count: over }) : "";
    left.classList.toggle("over", over < 0);
    field.setAttribute("aria-label", words()("composer.label"));
    field.placeholder = words()("composer.placeholder");
    const name = words()(running ? "composer.stop" : "composer.send");
    submit.replaceChildren(icon(running ? "stop" : "send"));
    submit.setAttribute("aria-label", name);
    submit.title = name;
    submit.classList.toggle("stop", running);
    // Not `disabled`: what has the focus keeps it.
    submit.setAttribute("aria-disabled", String(held !== undefined && !running));
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
      show();
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
    askAbout,
    get about() {
      return about;
    },
  };
}
