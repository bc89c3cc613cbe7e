// How many characters a question has left, once it is near its limit.

import { h } from "./dom.js";

/** From how many characters before the limit on the person is told. */
const WARNED_CHARACTERS = 200;

/** Those who listen are told in steps, not with every key. */
const TOLD_CHARACTERS = 50;

/** @param {() => import("../words.js").Words} words */
export function counter(words) {
  const left = h("p", { class: "left", id: "left" });
  const told = h("p", { class: "unseen", "aria-live": "polite" });
  return {
    elements: [left, told],
    /** @param {number} room   negative: so many too many */
    show(room) {
      const said = room < 0 ? words()("composer.over", { count: -room }) : words()("composer.left", { count: room });
      const isNear = room <= WARNED_CHARACTERS;
      left.textContent = isNear ? said : "";
      left.classList.toggle("over", room < 0);
      if (!isNear) told.textContent = "";
      else if (room <= 0 || room % TOLD_CHARACTERS === 0) told.textContent = said;
    },
  };
}
