// Questions the page asks the person, in a modal dialog of its own.

/** @type {Record<string, string>} */
const words = JSON.parse(document.body.dataset["words"] ?? "{}");

/**
 * A word of the page's language.
 * @param {string} key
 */
export function word(key) {
  return words[key] ?? key;
}

/**
 * An element with its text or children.
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Resolves to whether the person said yes; Escape is a no.
 * @param {{title: string, text: string, yes: string, no: string, danger?: boolean}} asked
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no, danger = false }) {
  const buttons = element(
    "form",
    { method: "dialog", class: "row" },
    element("button", { value: "no", class: "quiet" }, no),
    element("button", { value: "yes", class: danger ? "danger" : "first" }, yes),
  );
  const heading = element("h2", { id: "question-asked" }, title);
  const attributes = { class: "question", role: "alertdialog", "aria-labelledby": "question-asked" };
  const dialog = /** @type {HTMLDialogElement} */ (
    element("dialog", attributes, heading, element("p", {}, text), buttons)
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

/** Asks whether unsaved work may be left behind. */
export function askToLeave() {
  return ask({ title: word("leave_title"), text: word("leave_text"), yes: word("leave"), no: word("stay") });
}

const SAID_MS = 6000;

/**
 * @param {Element} dialog
 * @param {string} text
 */
function sayWithin(dialog, text) {
  dialog.querySelector("[role='alert']")?.remove();
  dialog.append(element("p", { role: "alert", class: "alert" }, text));
}

/**
 * Says something to the person without asking, read out too.
 * @param {string} text
 */
export function say(text) {
  const dialog = document.querySelector("dialog[open]");
  // Behind a modal dialog nothing is seen or read out.
  if (dialog) return sayWithin(dialog, text);
  const place = document.getElementById("said");
  if (!place) return;
  place.textContent = text;
  setTimeout(() => {
    if (place.textContent === text) place.textContent = "";
  }, SAID_MS);
}
