// The one way for HTML into the page: what the service sanitised, taken apart here and let in element by element.

import { h } from "./dom.js";

/** What an answer may hold; the service lets through no more. Whatever else comes is a fault, and shown as text. */
const ALLOWED = new Set(
  "P BR STRONG EM S CODE PRE UL OL LI BLOCKQUOTE H3 H4 H5 H6 HR TABLE THEAD TBODY TR TH TD A SUP".split(" "),
);

const ATTRIBUTES = new Map([
  ["A", new Set(["href", "rel"])],
  ["SUP", new Set(["class", "data-marker"])],
  ["OL", new Set(["start"])],
]);

/** @typedef {{createHTML: (html: string) => any}} HtmlPolicy */

/** @type {HtmlPolicy} */
const policy = (/** @type {any} */ (globalThis).trustedTypes ?? { createPolicy: (/** @type {string} */ _, /** @type {HtmlPolicy} */ rules) => rules })
  .createPolicy("assist-panel", { createHTML: (/** @type {string} */ html) => html });

/**
 * The service's HTML as elements, made in a document that loads nothing and runs nothing.
 * @param {string} html   of a reply, a transcript or a section
 * @param {{cite: (marker: number) => Node | null, follow: (path: string) => boolean}} links
 *   `cite`: what stands for a citation's number; `follow`: opens a path of the LMS's own, or leaves it to the browser
 * @returns {DocumentFragment}
 */
export function fragmentOf(html, links) {
  const parsed = new DOMParser().parseFromString(policy.createHTML(html), "text/html");
  const elements = [...parsed.body.querySelectorAll("*")];
  const fragment = document.createDocumentFragment();
  if (!elements.every(isAllowed)) {
    fragment.append(h("p", {}, parsed.body.textContent ?? ""));
    return fragment;
  }
  for (const sup of parsed.body.querySelectorAll("sup[data-marker]")) {
    sup.replaceWith(links.cite(Number(sup.getAttribute("data-marker"))) ?? "");
  }
  for (const link of parsed.body.querySelectorAll("a")) link.replaceWith(linkOf(link, links.follow));
  for (const table of parsed.body.querySelectorAll("table")) letScroll(table);
  for (const lines of parsed.body.querySelectorAll("pre")) lines.tabIndex = 0;
  fragment.append(...document.adoptNode(parsed.body).childNodes);
  return fragment;
}

/** @param {Element} element */
function isAllowed(element) {
  const names = ATTRIBUTES.get(element.tagName);
  return ALLOWED.has(element.tagName) && element.getAttributeNames().every((name) => names?.has(name) === true);
}

/**
 * A link within the page's own origin; any other is its text.
 * @param {HTMLAnchorElement} link
 * @param {(path: string) => boolean} follow
 */
function linkOf(link, follow) {
  const text = link.textContent ?? "";
  const target = ownAddress(link.getAttribute("href") ?? "");
  if (target === null) return document.createTextNode(text);
  const path = target.pathname + target.search + target.hash;
  const onclick = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (follow(path)) event.preventDefault();
  };
  return h("a", { href: path, onclick }, text);
}

/**
 * An address on the page's own origin; a path that begins with two slashes is none: alone it names a host.
 * @param {string} href
 * @returns {URL | null}
 */
export function ownAddress(href) {
  const base = document.location.origin;
  if (!URL.canParse(href, base)) return null;
  const target = new URL(href, base);
  return target.origin === base && !target.pathname.startsWith("//") ? target : null;
}

/** @param {HTMLTableElement} table   a wide one scrolls by itself, with the keyboard too */
function letScroll(table) {
  const frame = h("div", { class: "scrolling", tabindex: 0, role: "group" });
  table.replaceWith(frame);
  frame.append(table);
}
