// A section of the manual beside the answer that cites it.

import { h } from "./dom.js";
import { fragmentOf } from "./html.js";

/**
 * @param {import("../types.js").Citation} citation
 * @param {import("../types.js").Desk} desk
 */
export async function section(citation, desk) {
  const found = await desk.client.section(citation.href);
  const follow = (/** @type {string} */ path, /** @type {string} */ text) => void desk.openPath(path, text);
  return h("div", { class: "section" }, h("h3", {}, found.title), h("div", { class: "prose" }, fragmentOf(found.html, { cite: () => null, follow })));
}
