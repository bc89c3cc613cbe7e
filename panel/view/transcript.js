// How a conversation moves before its reader: it follows what is new until they go elsewhere, and answers come block by block.

/** So near the end counts as at the end. */
const NEAR_PIXELS = 48;

/** A question that takes more of the height than this is scrolled past: the answer's beginning matters. */
const QUESTION_SHARE = 0.4;

/** Between two blocks of an answer. */
const BLOCK_MILLISECONDS = 90;

/** However long an answer is, it is there after this. */
const LONGEST_MILLISECONDS = 1500;

/** An element of a conversation tells this when its answer is there, whole, before any of it shows, and when its actions are. */
export const ANSWERED = "answered";

/** @param {HTMLElement} log   scrolls; its children are exchanges and lines */
export function transcript(log) {
  let follows = true;
  const toEnd = () => {
    follows = true;
    log.scrollTop = log.scrollHeight;
  };
  const isMore = () => log.classList.toggle("has-more", !isAtEnd(log));
  log.addEventListener("scroll", () => (follows = !isMore()), { passive: true });
  log.addEventListener(ANSWERED, (event) => {
    if (follows) log.scrollTop += startOf(/** @type {Element} */ (event.target), log.clientHeight) - topOf(log);
    isMore();
  });
  return {
    /** @param {HTMLElement} element   what the person has just asked: they want to see it */
    add(element) {
      log.append(element);
      toEnd();
    },
    toEnd,
  };
}

/**
 * Where to scroll to for an answer: so far that the buttons of its cards are seen, if the answer's beginning still is.
 * @param {Element} exchange
 * @param {number} height   what is seen of the conversation
 */
function startOf(exchange, height) {
  const start = beginningOf(exchange, height);
  const foot = [...exchange.querySelectorAll(".card-foot")].at(-1)?.getBoundingClientRect().bottom ?? 0;
  const answer = exchange.querySelector(".answer");
  return answer !== null && foot - height > start && foot - height <= topOf(answer) ? foot - height : start;
}

/**
 * Where an answer begins, with its question if that is short.
 * @param {Element} exchange
 * @param {number} height   what is seen of the conversation
 */
function beginningOf(exchange, height) {
  const question = exchange.querySelector(".question")?.getBoundingClientRect();
  const isLong = question !== undefined && question.height > height * QUESTION_SHARE;
  return isLong ? question.bottom : exchange.getBoundingClientRect().top;
}

/** @param {Element} element */
function topOf(element) {
  return element.getBoundingClientRect().top;
}

/** @param {HTMLElement} scroller */
function isAtEnd(scroller) {
  return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop <= NEAR_PIXELS;
}

/**
 * Where the reader is, kept over a change of the panel's size or over its being away.
 * @param {HTMLElement} scroller
 * @returns {() => void} brings them back
 */
export function placeOf(scroller) {
  const isLast = scroller.scrollTop > 0 && isAtEnd(scroller);
  const read = readIn(scroller);
  const before = read === null ? 0 : topOf(read) - topOf(scroller);
  return () => {
    if (isLast) scroller.scrollTop = scroller.scrollHeight;
    else if (read !== null) scroller.scrollTop += topOf(read) - topOf(scroller) - before;
  };
}

/**
 * The first block that is seen; of exchanges out of sight nothing is laid out for it.
 * @param {HTMLElement} scroller
 */
function readIn(scroller) {
  const top = topOf(scroller);
  const isSeen = (/** @type {Element} */ each) => each.getBoundingClientRect().bottom > top;
  const part = [...scroller.querySelectorAll(":scope > :not(.earlier), :scope > .earlier > *")].find(isSeen);
  if (part === undefined) return null;
  return [...part.querySelectorAll(".question, .prose > *, .under > *")].find(isSeen) ?? part;
}

/**
 * A finished answer comes into view block by block, at once under reduced motion; it is whole before any of it shows.
 * Nothing moves: each block has its place from the start, and cannot be clicked before it shows.
 * @param {HTMLElement} exchange   a click in it shows all at once
 * @param {Element[]} blocks   of it, in their order
 * @param {boolean} calm   without motion
 * @returns {Promise<void>} settled once all of it shows
 */
export async function reveal(exchange, blocks, calm) {
  if (calm || blocks.length < 2) return;
  const skip = new AbortController();
  exchange.addEventListener("click", () => skip.abort(), { once: true, signal: skip.signal });
  for (const block of blocks) block.classList.add("unrevealed");
  for (const block of blocks) {
    block.classList.remove("unrevealed");
    block.classList.toggle("revealed", !skip.signal.aborted);
    if (!skip.signal.aborted) await pause(Math.min(BLOCK_MILLISECONDS, LONGEST_MILLISECONDS / blocks.length), skip.signal);
  }
  skip.abort();
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} skip   ends it at once
 * @returns {Promise<void>}
 */
function pause(milliseconds, skip) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    skip.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
