// What an answer took and what left the service for it, on demand.

/**
 * @param {import("../types.js").Reply} reply
 * @param {import("../types.js").Desk} desk
 * @returns {HTMLElement | null}
 */
export function receipt(reply, desk) {
  void reply;
  void desk;
  return null;
}
