// A finished answer comes into view block by block, at once under reduced motion; it is whole before any of it shows.

const BLOCK_MILLISECONDS = 90;

/** However long an answer is, it is there after this. */
const LONGEST_MILLISECONDS = 1500;

/**
 * @param {HTMLElement} answer   its children are the blocks
 * @param {boolean} calm   without motion
 * @returns {Promise<void>} settled once all of it shows
 */
export async function reveal(answer, calm) {
  const blocks = [...answer.children];
  if (calm || blocks.length < 2) return;
  const pause = Math.min(BLOCK_MILLISECONDS, LONGEST_MILLISECONDS / blocks.length);
  for (const block of blocks) block.classList.add("unrevealed");
  for (const block of blocks) {
    block.classList.remove("unrevealed");
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
