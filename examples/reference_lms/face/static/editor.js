// The question's page, once it is on screen.

/**
 * Called with the page's <main>; returns what is to be done when the page is left.
 * @param {HTMLElement} _main
 * @returns {() => void}
 */
export function enter(_main) {
  return () => {};
}
