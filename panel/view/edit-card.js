// A proposal for the open draft: each text before and after, and Apply, which makes it one edit that undo takes back.

import { isSameScreen } from "../rules/asked.js";
import { card, labelOf } from "./card.js";
import { diff } from "./diff.js";
import { h } from "./dom.js";
import { line, replaceBy } from "./outcome.js";

/**
 * @typedef {import("../types.js").Desk} Desk
 * @typedef {import("../types.js").EditQuestion} EditQuestion
 * @typedef {import("../types.js").ScreenContext} ScreenContext
 */

/**
 * @param {EditQuestion} edit
 * @param {ScreenContext} asked   the screen as it was sent with the question
 * @param {Desk} desk
 */
export function editCard(edit, asked, desk) {
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
    const came = await applied(edit, asked, desk);
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
 * What the editor that is open now made of it. Words typed since are written first, so that the base tells of them. Where
 * the person has gone elsewhere it stays as it is: they may come back.
 * @param {EditQuestion} edit
 * @param {ScreenContext} asked
 * @param {Desk} desk
 * @returns {Promise<"applied" | "changed" | "unsaved" | "failed" | "silent" | "left">}
 */
async function applied({ question_id, base, config, explanation }, asked, { page }) {
  const before = whereItStands(question_id, asked, page);
  if (typeof before === "string") return before;
  if ((await page.flush()) === "failed") return "unsaved";
  const draft = whereItStands(question_id, asked, page);
  if (typeof draft === "string") return draft;
  return draft.base === base ? page.apply({ base, config, explanation }) : "changed";
}

/**
 * The draft of this question, on the screen that was asked on; else why there is none.
 * @param {string} id
 * @param {ScreenContext} asked
 * @param {import("../hosted.js").Hosted} page
 */
function whereItStands(id, asked, page) {
  const [now, draft] = [page.screen(), page.draft()];
  if (now === null || draft === undefined) return "failed";
  if (!isSameScreen(asked, now)) return "left";
  return draft?.question_id === id ? draft : "changed";
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
