// Where the reader is in the conversation: it follows what is new until they go elsewhere, and then leaves them there.

/** So near the end counts as at the end. */
const NEAR_PIXELS = 48;

/** A question that takes more of the height than this is scrolled past: the answer's beginning matters. */
const QUESTION_SHARE = 0.4;

/** An element of a conversation tells this when its answer is there, whole, before any of it shows. */
export const ANSWERED = "answered";

/** @param {HTMLElement} log   scrolls; its children are exchanges and lines */
export function transcript(log) {
  let follows = true;
  const toEnd = () => {
    follows = true;
    log.scrollTop = log.scrollHeight;
  };
  log.addEventListener("scroll", () => (follows = isAtEnd(log)), { passive: true });
  log.addEventListener(ANSWERED, (event) => {
    if (follows) log.scrollTop += beginningOf(/** @type {Element} */ (event.target), log.clientHeight) - topOf(log);
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
 * Where to scroll to for an answer.
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
