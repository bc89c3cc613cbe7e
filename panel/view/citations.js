// Citations: a mark in the text, a line under it, and both open the section beside the answer.

import { h } from "./dom.js";

/**
 * @typedef {import("../types.js").Citation} Citation
 * @typedef {import("../types.js").Desk} Desk
 */

/**
 * @param {Citation | undefined} citation   of the reply; a number without one is left out
 * @param {Desk} desk
 */
export function citationMark(citation, desk) {
  if (citation === undefined) return null;
  const onclick = () => desk.openSection(citation);
  return h("button", { type: "button", class: "mark", title: citation.title, onclick }, `${citation.marker}`);
}

/**
 * @param {Citation[]} citations
 * @param {Desk} desk
 */
export function citationList(citations, desk) {
  if (citations.length === 0) return null;
  const lines = citations.map((each) =>
    h("li", {}, h("button", { type: "button", class: "cited", onclick: () => desk.openSection(each) }, `${each.marker} ${each.title}`)),
  );
  return h("ul", { class: "citations" }, ...lines);
}
