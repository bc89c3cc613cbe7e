// Tells an answer what came of what it asked for or prepared: from then on it speaks of that as of what was.

/** It is told what came of something that the page was asked for. */
export const FOLLOWED = "followed";

/** Something of it was confirmed, applied, run, cancelled or is over: nothing is certain to be as it was before. */
export const DECIDED = "decided";

/**
 * The class of what is being carried out. Where its conversation is left meanwhile it goes along: what comes of it is to
 * be seen.
 */
export const UNDER_WAY = "under-way";

/**
 * @param {Element} part   of the answer, that stands under it
 * @param {typeof FOLLOWED | typeof DECIDED} what
 */
export function tell(part, what) {
  part.dispatchEvent(new Event(what, { bubbles: true }));
}
