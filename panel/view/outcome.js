// What came of something, as one line under the answer, told to those who listen and never louder than what they do.

import { parsePath } from "../rules/screens.js";
import { DECIDED, FOLLOWED, tell } from "./decided.js";
import { h } from "./dom.js";
import { ownAddress } from "./html.js";
import { tellScreenChange } from "./on-screen.js";

/** @typedef {import("../types.js").Desk} Desk */

/**
 * @param {string} text
 * @param {...Node} more   after the text
 */
export function line(text, ...more) {
  return h("p", { class: "outcome", tabindex: -1 }, text, ...more);
}

/**
 * Puts a line where a part stands, and the focus on it if the part had it: never if the page took it meanwhile.
 * @param {HTMLElement} part
 * @param {HTMLElement} said
 * @param {Desk} desk
 */
export function replaceBy(part, said, desk) {
  const root = part.getRootNode();
  // Where the session is another by now it is nothing to the next person.
  if (!(root instanceof ShadowRoot)) return;
  const hadFocus = part.contains(root.activeElement);
  part.replaceWith(said);
  tell(said, DECIDED);
  if (hadFocus) said.focus();
  desk.announce(said.textContent ?? "");
}

/**
 * @param {HTMLElement} place
 * @param {string} text
 * @param {Desk} desk
 */
export function say(place, text, desk) {
  place.append(line(text));
  tell(place, FOLLOWED);
  desk.announce(text);
}

/**
 * Goes to a path of the page's own, and says whether the page moved.
 * @param {{path: string, title: string}} target
 * @param {HTMLElement} place   where the line goes
 * @param {Desk} desk
 */
export async function moveTo({ path, title }, place, desk) {
  const words = desk.words();
  const came = await desk.page.navigate(path);
  if (came === "moved") say(place, words("action.opened", { title }), desk);
  else say(place, words(came === "stayed" ? "action.stayed" : "action.not_opened"), desk);
  if (came === "moved") tellScreenChange(place);
}

/**
 * A link that the page's own router follows; the bare title where the path would lead elsewhere.
 * @param {{path: string, title: string}} target
 * @param {HTMLElement} place   where it is told whether the page moved
 * @param {Desk} desk
 */
export function linkTo({ path, title }, place, desk) {
  const target = ownAddress(path);
  if (target === null) return document.createTextNode(title);
  const own = target.pathname + target.search + target.hash;
  const onclick = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !desk.page.hasRouter()) return;
    event.preventDefault();
    void moveTo({ path: own, title }, place, desk);
  };
  return h("a", { href: own, onclick }, title);
}

/**
 * Follows the links of a text, and says what came of the last one under it, by its screen's own title or by its address:
 * what the link is called there, anybody may have written. Where the page has no router, the browser does.
 * @param {HTMLElement} place   has nothing else in it
 * @param {Desk} desk
 */
export function follower(place, desk) {
  return (/** @type {string} */ path) => {
    if (!desk.page.hasRouter()) return false;
    const told = h("div", {});
    place.replaceChildren(told);
    void moveTo({ path, title: titleOf(path, desk) }, told, desk).then(() => told.scrollIntoView({ block: "nearest" }));
    return true;
  };
}

/**
 * @param {string} path
 * @param {Desk} desk
 */
function titleOf(path, desk) {
  const [address = path] = path.split(/[?#]/);
  const at = parsePath(desk.screens(), address)?.screen;
  const titles = desk.screens().find(({ screen }) => screen === at)?.titles;
  return titles?.[desk.language()] ?? titles?.["en"] ?? address;
}
