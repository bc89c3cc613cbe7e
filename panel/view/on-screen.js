// Whether a part is before the person's eyes, and when the page behind the panel says that its screen has changed.

/**
 * The panel's element that a part stands in; null once it was taken out.
 * @param {HTMLElement} part
 */
function panelOf(part) {
  const root = part.getRootNode();
  return root instanceof ShadowRoot && root.host instanceof HTMLElement ? root.host : null;
}

/**
 * Not where its conversation was left, nor where the page hides the panel: what nobody can see must do nothing.
 * @param {HTMLElement} part
 */
export function isShown(part) {
  const panel = panelOf(part);
  return panel !== null && panel.isConnected && !panel.hidden;
}

/**
 * Settled once the part was taken out, as when another conversation is begun. `stop` ends the watching.
 * @param {HTMLElement} part
 * @returns {{gone: Promise<void>, stop: () => void}}
 */
export function whenTakenOut(part) {
  const root = part.getRootNode();
  /** @type {() => void} */
  let tell = () => {};
  const gone = new Promise((/** @type {(nothing: void) => void} */ resolve) => (tell = resolve));
  const watching = new MutationObserver(() => part.getRootNode() === root || tell());
  watching.observe(root, { childList: true, subtree: true });
  return { gone, stop: () => watching.disconnect() };
}

/**
 * Tells each `screenchange` that the page, or this panel after a move, dispatches on the panel's element.
 * @param {HTMLElement} part   once it is taken out, nothing is told any more
 * @param {() => void} react
 */
export function whenScreenChanges(part, react) {
  const panel = panelOf(part);
  const stop = new AbortController();
  panel?.addEventListener(
    "screenchange",
    () => {
      if (part.isConnected) react();
      else stop.abort();
    },
    { signal: stop.signal },
  );
}

/** @param {HTMLElement} part   that stands in the panel whose page has moved */
export function tellScreenChange(part) {
  panelOf(part)?.dispatchEvent(new Event("screenchange"));
}
