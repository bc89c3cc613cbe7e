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
  const { marker, title } = citation;
  const name = () => desk.words()("citations.mark", { marker, title });
  const onclick = () => desk.openSection(citation);
  return h("button", { type: "button", class: "mark", "aria-label": name, title, onclick }, `${marker}`);
}

/**
 * @param {Citation[]} citations
 * @param {Desk} desk
 */
export function citationList(citations, desk) {
  if (citations.length === 0) return null;
  const lines = citations.map((each) => {
    const onclick = () => desk.openSection(each);
    const number = h("span", { class: "number" }, `${each.marker}`);
    return h("li", {}, h("button", { type: "button", class: "cited", onclick }, number, h("span", { class: "title-of" }, each.title)));
  });
  return h("ul", { class: "citations", "aria-label": () => desk.words()("citations.list") }, ...lines);
}
