// Waits for something no longer than its caller wishes, or than a time, whatever that something does itself.

/**
 * @template Found
 * @param {Promise<Found>} awaited
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Found>} rejected with the signal's reason as soon as it stops, though what is awaited may still go on
 */
export async function unlessStopped(awaited, signal) {
  if (signal === undefined) return awaited;
  /** @type {() => void} */
  let leave = () => {};
  const stopped = new Promise((_, reject) => {
    leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave);
  });
  try {
    return await Promise.race([awaited, /** @type {Promise<never>} */ (stopped)]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/**
 * Gives what is begun a signal that stops it after a while.
 * @template Found
 * @param {number} milliseconds
 * @param {unknown} late   the signal's reason
 * @param {(signal: AbortSignal) => Promise<Found>} begin
 * @returns {Promise<Found>}
 */
export async function within(milliseconds, late, begin) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(late), milliseconds);
  try {
    return await begin(stop.signal);
  } finally {
    clearTimeout(timer);
  }
}
