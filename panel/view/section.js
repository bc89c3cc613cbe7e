// A section of the manual beside the answer that cites it; of an older manual it says so.

import { pageName } from "./account.js";
import { h } from "./dom.js";
import { fragmentOf } from "./html.js";
import { follower } from "./outcome.js";

/**
 * @param {import("../types.js").Citation} citation
 * @param {import("../types.js").Desk} desk
 * @returns {Promise<HTMLElement>}
 */
export async function section(citation, desk) {
  const found = await desk.client.section(citation.href);
  const followed = h("div", { class: "followed" });
  const follow = follower(followed, desk);
  return h(
    "article",
    { class: "section" },
    h("h3", { class: "beside-title", tabindex: -1 }, found.title),
    h("p", { class: "page" }, () => desk.words()("section.page", { page: pageName(found.page) })),
    !found.active && h("p", { class: "older" }, () => desk.words()("section.older")),
    h("div", { class: "prose" }, fragmentOf(found.html, { cite: () => null, follow })),
    followed,
  );
}
