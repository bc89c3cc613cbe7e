// The commands of the page that is on screen: registered by the page, run by the palette, a button or the panel.

/**
 * @typedef {object} Command
 * @property {string} id
 * @property {string} label
 * @property {"none" | "write"} effect
 * @property {boolean} [gesture] needs a real click
 * @property {boolean} [danger] asks its own confirmation
 * @property {() => void | Promise<void>} run throws where it failed
 */

/** @type {Map<string, Command>} */
const registered = new Map();

/** @type {Set<() => void>} */
const listeners = new Set();
let isTold = true;

/**
 * Called after commands came or went, once for all that did so together.
 * @param {() => void} listener
 */
export function onChange(listener) {
  listeners.add(listener);
}

function changed() {
  if (!isTold) return;
  isTold = false;
  queueMicrotask(() => {
    isTold = true;
    for (const listener of listeners) listener();
  });
}

/**
 * Registers for as long as the page is on screen; one of the same id gives way.
 * @param {...Command} commands
 */
export function register(...commands) {
  for (const command of commands) registered.set(command.id, command);
  changed();
}

export function clear() {
  registered.clear();
  changed();
}

/** @returns {Command[]} */
export function list() {
  return [...registered.values()];
}

/**
 * Throws for one that is not registered now, and where it failed.
 * @param {string} id
 */
export async function run(id) {
  const command = registered.get(id);
  if (!command) throw new Error(`no command ${id}`);
  await command.run();
}
