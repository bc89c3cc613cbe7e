// A proposal for the open draft: each text before and after, and Apply, which makes it one edit that undo takes back.

import { card, labelOf } from "./card.js";
import { diff } from "./diff.js";
import { h } from "./dom.js";
import { line, replaceBy } from "./outcome.js";

/**
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {import("../types.js").EditQuestion} EditQuestion
 */

/**
 * @param {EditQuestion} edit
 * @param {Desk} desk
 */
export function editCard(edit, desk) {
  /** @type {import("../words.js").Words} the language may be another one by then */
  const words = (key, values) => desk.words()(key, values);
  const shown = card({
    heading: () => words("edit.heading"),
    about: edit.changes.map((change) =>
      h("div", { class: "change" }, h("h5", {}, () => nameOf(change, words)), ...diff(change, words)),
    ),
    primary: { label: () => words("card.apply"), onclick: () => void apply() },
    secondary: { label: () => words("card.cancel"), onclick: () => end(words("edit.cancelled")) },
  });

  async function apply() {
    shown.wait(true);
    const came = await applied(edit, desk);
    shown.wait(false);
    if (came === "applied" || came === "changed") return end(words(`edit.${came}`));
    shown.tell(words(`edit.${came}`));
    desk.announce(words(`edit.${came}`));
  }

  /** @param {string} text */
  function end(text) {
    shown.tell("");
    shown.element.classList.add("over");
    replaceBy(shown.foot, line(text), desk);
  }

  return shown.element;
}

/**
 * What the editor that is open now made of it. Words typed since are written first, so that the base tells of them.
 * @param {EditQuestion} edit
 * @param {Desk} desk
 * @returns {Promise<"applied" | "changed" | "unsaved" | "failed">}
 */
async function applied({ question_id, base, config, explanation }, desk) {
  const editor = desk.host().editor?.() ?? null;
  if (editor === null || editor.draft().question_id !== question_id) return "changed";
  try {
    await editor.flush();
  } catch {
    return "unsaved";
  }
  if (editor.draft().base !== base) return "changed";
  return editor.apply({ base, config, explanation }).catch(() => "failed");
}

/**
 * Its label, and of several in a list which one.
 * @param {import("../types.js").TextChange} change
 * @param {import("../words.js").Words} words
 */
function nameOf({ label, path }, words) {
  const place = path.split("/").findLast((step) => /^\d+$/.test(step));
  const name = labelOf(label, words);
  return place === undefined ? name : `${name} ${Number(place) + 1}`;
}
