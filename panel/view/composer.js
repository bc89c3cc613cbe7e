// Where a question is written: what it asks on about, what room is left, and Send, which is Stop while it runs.

import { h, icon, iconButton } from "./dom.js";

/** A longer question scrolls in its field. */
const MOST_LINES = 8;

/** From how many characters before the limit on the person is told. */
const WARNED_CHARACTERS = 200;

/** Those who listen are told in steps, not with every key. */
const TOLD_CHARACTERS = 50;

/** @typedef {() => import("../words.js").Words} Wording */

/**
 * @param {object} given
 * @param {Wording} given.words
 * @param {(asking: import("../types.js").Asking) => void} given.send   the question, and what it asks on about
 * @param {() => void} given.stop
 */
export function composer({ words, send, stop }) {
  // A keyboard on the screen has no Shift-Enter to speak of: there Enter breaks the line, and the button sends.
  const touch = matchMedia("(pointer: coarse)");
  const { form, field, about, show, state, maySend } = parts(words, touch);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state.running) {
      stop();
      if (!touch.matches) field.focus();
      return;
    }
    if (!maySend()) return field.focus();
    const on = about.get();
    const question = field.value.trim();
    send(on === null ? { question } : { question, reference: on.token, label: on.label });
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    if (touch.matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (!state.running) form.requestSubmit();
  });

  return {
    element: form,
    field,
    ...settings(field, touch, state, show),
    show,
    askAbout: about.ask,
    dropAbout: about.drop,
    get question() {
      return field.value;
    },
    /** Another conversation: what it would ask on about is not there, nor what says how long to wait. */
    anew() {
      about.ask(null);
      clearTimeout(state.held);
      state.held = undefined;
      show();
    },
    /** Nothing that was written here is left to the next one. */
    forget() {
      state.asked = field.value = "";
      show();
    },
  };
}

/**
 * `asked`: the question that runs, or ran last; `held`: set while nothing may be sent.
 * @typedef {{limit: number, running: boolean, asked: string, held: ReturnType<typeof setTimeout> | undefined}} State
 */

/**
 * What there is to see, and how it shows what is so now.
 * @param {Wording} words
 * @param {MediaQueryList} touch
 */
function parts(words, touch) {
  /** @type {State} */
  const state = { limit: 2000, running: false, asked: "", held: undefined };
  const field = h("textarea", { rows: 1, class: "field", "aria-describedby": "left", oninput: show });
  const submit = h("button", { type: "submit", class: "send" });
  const left = counter(words);
  const about = aboutChip(words, () => field.focus());
  const writing = h("div", { class: "writing" }, field, submit);
  const form = h("form", { class: "composer" }, about.element, writing, ...left.elements);

  /** In code points, as the service counts them. */
  function room() {
    return state.limit - [...field.value.trim()].length;
  }

  function maySend() {
    return state.held === undefined && room() >= 0 && field.value.trim() !== "";
  }

  function show() {
    left.show(room());
    grow(field);
    field.setAttribute("aria-label", words()("composer.label"));
    field.setAttribute("enterkeyhint", touch.matches ? "enter" : "send");
    field.placeholder = words()("composer.placeholder");
    const does = state.running ? "stop" : "send";
    submit.replaceChildren(icon(does));
    submit.title = words()(`composer.${does}`);
    submit.setAttribute("aria-label", submit.title);
    submit.classList.toggle("stop", state.running);
    // Not `disabled`: the focus would be lost from the button that has just been pressed.
    submit.setAttribute("aria-disabled", String(!state.running && !maySend()));
  }

  show();
  return { form, field, about, show, state, maySend };
}

/**
 * What the panel tells it.
 * @param {HTMLTextAreaElement} field
 * @param {MediaQueryList} touch
 * @param {State} state
 * @param {() => void} show
 */
function settings(field, touch, state, show) {
  return {
    /** @param {string | null} asked   the question that runs, while the next one may be written; null: none does */
    run(asked) {
      state.running = asked !== null;
      state.asked = asked ?? state.asked;
      if (field.value.trim() === asked) field.value = "";
      // What is answered is read without a keyboard over it.
      if (state.running && touch.matches) field.blur();
      show();
    },
    /**
     * The question was not answered: it is there again, unless the next one is written; then that is false. If it stands
     * nowhere else it goes before that one, and the counter says where both are too long to be sent as one.
     * @param {boolean} stands   whether it is still in the conversation that is shown
     */
    giveBack(stands) {
      const { asked } = state;
      const isOther = asked !== "" && field.value !== "" && field.value.trim() !== asked;
      if (isOther && !stands) field.value = `${asked}\n\n${field.value}`;
      if (field.value === "") field.value = asked;
      show();
      return !isOther;
    },
    /** @param {HTMLElement} otherwise   has the focus where the field would bring up a keyboard over what there is to read */
    takeFocus(otherwise) {
      (touch.matches ? otherwise : field).focus({ preventScroll: true });
    },
    /** @param {number} seconds   for so long nothing can be sent */
    hold(seconds) {
      clearTimeout(state.held);
      state.held = setTimeout(() => {
        state.held = undefined;
        show();
      }, seconds * 1000);
      show();
    },
    /** @param {number} characters   the longest question there may be */
    bound(characters) {
      state.limit = characters;
      show();
    },
  };
}

/**
 * What the next question asks on about: it stands above the field until it was asked or taken away.
 * @param {Wording} words
 * @param {() => void} onDrop   the person has taken it away
 */
function aboutChip(words, onDrop) {
  const element = h("p", { class: "asks-about", hidden: true });
  /** @type {import("../types.js").About | null} */
  let about = null;

  /** @param {import("../types.js").About | null} next */
  function ask(next) {
    about?.show(false);
    about = next;
    about?.show(true);
    const label = about?.label ?? "";
    element.hidden = about === null;
    element.replaceChildren(words()("chips.about", { label }), iconButton("close", words()("chips.remove", { label }), leave));
  }

  function leave() {
    ask(null);
    onDrop();
  }

  /** @param {string | undefined} token   what was asked on about: the next question does no more, and this is what did */
  function drop(token) {
    const dropped = about;
    if (dropped === null || dropped.token !== token) return null;
    ask(null);
    return dropped;
  }

  return { element, ask, drop, get: () => about };
}

/**
 * How many characters a question has left, once it is near its limit.
 * @param {Wording} words
 */
function counter(words) {
  const left = h("p", { class: "left", id: "left" });
  const told = h("p", { class: "unseen", "aria-live": "polite" });
  return {
    elements: [left, told],
    /** @param {number} room   negative: so many too many */
    show(room) {
      const said = words()(room < 0 ? "composer.over" : "composer.left", { count: Math.abs(room) });
      const isNear = room <= WARNED_CHARACTERS;
      left.textContent = isNear ? said : "";
      left.classList.toggle("over", room < 0);
      if (!isNear) told.textContent = "";
      else if (room <= 0 || room % TOLD_CHARACTERS === 0) told.textContent = said;
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
