// One thing after the other: what is begun while another of its kind still runs waits for it, and no failure stops the line.

/** @type {WeakMap<object, Map<string, Promise<unknown>>>} */
const lines = new WeakMap();

/**
 * Does this once all that was begun before under this name is over.
 * @template Result
 * @param {object} owner   of the line: the desk, so that each panel has its own
 * @param {"actions" | "confirm"} name
 * @param {() => Promise<Result>} act
 * @returns {Promise<Result>}
 */
export function inTurn(owner, name, act) {
  const line = lines.get(owner) ?? new Map();
  lines.set(owner, line);
  const mine = (line.get(name) ?? Promise.resolve()).then(act);
  line.set(name, mine.catch(() => undefined));
  return mine;
}
