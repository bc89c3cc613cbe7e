// What opens beside the conversation, or over it where there is no room: the focus goes there, and back to what opened it.

import { AssistProblem } from "../assist-client.js";
import { h, icon } from "./dom.js";
import { problemBox } from "./problem.js";
import { placeOf } from "./transcript.js";

/**
 * @param {{side: HTMLElement, panel: HTMLElement, log: HTMLElement}} frame
 * @param {() => import("../types.js").Desk} desk
 * @param {() => HTMLElement} otherwise   where the focus goes if what opened it is gone
 */
export function side({ side: place, panel, log }, desk, otherwise) {
  /** @type {Element | null} */
  let opener = null;
  /** @type {object | null} what was asked for last: an answer to anything else comes too late */
  let current = null;

  function hide() {
    if (place.hidden) return;
    current = null;
    const goBack = placeOf(log);
    place.hidden = true;
    place.replaceChildren();
    panel.classList.remove("with-side");
    goBack();
    const next = opener instanceof HTMLElement && opener.isConnected ? opener : otherwise();
    next.focus({ preventScroll: true });
  }

  /** @param {() => Promise<HTMLElement>} make */
  async function show(make) {
    const asked = (current = {});
    if (place.hidden) opener = /** @type {ShadowRoot} */ (place.getRootNode()).activeElement;
    const { back, content } = opening(desk, hide);
    place.replaceChildren(back, content);
    place.hidden = false;
    place.scrollTop = 0;
    panel.classList.add("with-side");
    // The conversation may be narrower now: what was clicked is to be seen still.
    opener?.scrollIntoView({ block: "nearest" });
    back.focus();
    const found = await make().catch((error) => problemOf(error, desk(), () => void show(make)));
    if (current !== asked) return;
    content.replaceChildren(found);
    /** @type {HTMLElement | null} */ (found.querySelector(".beside-title"))?.focus();
  }

  return { show, hide, isShown: () => !place.hidden };
}

/**
 * @param {unknown} error
 * @param {import("../types.js").Desk} desk
 * @param {() => void} again
 */
function problemOf(error, desk, again) {
  if (!(error instanceof AssistProblem)) throw error;
  return problemBox(error, desk, again);
}

/**
 * What stands there until what was asked for has come.
 * @param {() => import("../types.js").Desk} desk
 * @param {() => void} onBack
 */
function opening(desk, onBack) {
  const words = (/** @type {import("../words.js").Key} */ key) => () => desk().words()(key);
  return {
    back: h("button", { type: "button", class: "back", onclick: onBack }, icon("back"), words("panel.back")),
    content: h("div", { class: "beside" }, h("p", { role: "status" }, words("panel.opening"))),
  };
}
