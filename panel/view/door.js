// Stands in the composer's place where nothing may be asked, and says why.

import { AssistProblem } from "../assist-client.js";
import { h } from "./dom.js";
import { problemBox } from "./problem.js";

/**
 * @param {ReturnType<typeof import("./composer.js").composer>} composer
 * @param {() => import("../types.js").Desk} desk
 */
export function door(composer, desk) {
  const element = h("div", { class: "shut", tabindex: -1, hidden: true });
  /** What was written, to be seen until it can be sent. */
  function kept() {
    const { question } = composer;
    return question.trim() === "" ? "" : h("p", { class: "waiting" }, () => desk().words()("composer.kept"), h("span", {}, question));
  }

  return {
    element,
    get isShut() {
      return !element.hidden;
    },
    /** @param {string | null} why   a key of its sentence; null: it is open */
    shut(why) {
      const { activeElement } = /** @type {ShadowRoot} */ (element.getRootNode());
      const had = composer.element.contains(activeElement);
      composer.element.hidden = why !== null;
      element.hidden = why === null;
      element.replaceChildren(...(why === null ? [] : [problemBox(new AssistProblem(why), desk()), kept()]));
      if (had && why !== null) element.focus();
    },
  };
}
