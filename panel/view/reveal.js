// A finished answer comes into view block by block, at once under reduced motion; it is whole before any of it shows.

const BLOCK_MILLISECONDS = 90;

/** However long an answer is, it is there after this. */
const LONGEST_MILLISECONDS = 1500;

/**
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
