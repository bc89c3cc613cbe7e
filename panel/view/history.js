// Earlier conversations, to read again or to delete.

import { h } from "./dom.js";

/**
 * @param {import("../types.js").Desk} desk
 * @param {(line: import("../types.js").ConversationLine) => void} choose
 */
export async function history(desk, choose) {
  const { items } = await desk.client.conversations();
  const lines = items.map((each) => h("li", {}, h("button", { type: "button", onclick: () => choose(each) }, each.title)));
  return h("ul", { class: "conversations" }, ...lines);
}
