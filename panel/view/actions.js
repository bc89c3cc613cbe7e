// Follows an answer's actions one after the other, each checked against what is there now, and says what came of it.

/**
 * @param {import("../types.js").Reply} reply
 * @param {HTMLElement} under   where lines, buttons and cards go
 * @param {import("../types.js").Desk} desk
 */
export async function actionsOf(reply, under, desk) {
  void reply;
  void under;
  void desk;
}
