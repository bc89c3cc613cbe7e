// A list that comes in pages: a button brings the next one, and goes when there is none.

import { AssistProblem } from "../assist-client.js";
import { h } from "./dom.js";
import { problemBox } from "./problem.js";

/**
 * @param {HTMLElement} place   where the button stands, and what went wrong
 * @param {string | null} next   the cursor of the next page
 * @param {(cursor: string) => Promise<string | null>} load   shows that page and gives the cursor of the one after it
 * @param {import("../types.js").Desk} desk
 */
export function more(place, next, load, desk) {
  if (next === null) return place.replaceChildren();
  const bring = async () => {
    button.setAttribute("aria-disabled", "true");
    try {
      more(place, await load(next), load, desk);
      place.tabIndex = -1;
      (place.querySelector("button") ?? place).focus();
    } catch (error) {
      if (!(error instanceof AssistProblem)) throw error;
      place.replaceChildren(problemBox(error, desk), button);
      button.removeAttribute("aria-disabled");
    }
  };
  const onclick = () => {
    if (!button.hasAttribute("aria-disabled")) void bring();
  };
  const button = h("button", { type: "button", class: "more", onclick }, () => desk.words()("history.more"));
  place.replaceChildren(button);
}
