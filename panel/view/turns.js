// One thing after the other: what is begun while another of its kind still runs waits for it, unless that is given up.

/** @type {WeakMap<object, Map<string, Promise<unknown>>>} */
const lines = new WeakMap();

/**
 * Does this once all that was begun before under this name is over.
 * @template Result
 * @param {object} owner   of the line: the desk, so that each panel has its own
 * @param {"actions" | "confirm"} name
 * @param {() => Promise<Result>} act   no failure of it stops the line
 * @param {Promise<void>} [givenUp]   the line goes on once this is settled, though what was begun may still run
 * @returns {Promise<Result>}
 */
export function inTurn(owner, name, act, givenUp) {
  const line = lines.get(owner) ?? new Map();
  lines.set(owner, line);
  const mine = (line.get(name) ?? Promise.resolve()).then(act);
  const over = mine.catch(() => undefined);
  line.set(name, givenUp === undefined ? over : Promise.race([over, givenUp]));
  return mine;
}
