// A question's draft as values: what is there, what the server has, and what Undo goes back to.

/** @typedef {{config: Record<string, unknown>, explanation: string}} Content */

/**
 * `base` is the server's revision of `saved`. `past` are the contents that edits replaced, the last one last.
 * `typing` is the path of the text that is being typed: its keys so far are one edit.
 * @typedef {{base: string, saved: Content, now: Content, past: readonly Content[], typing: string | null}} Draft
 */

/** How many edits Undo remembers; the oldest give way. */
export const PAST_EDITS = 100;

/**
 * A draft as the server gave it; there is nothing to undo.
 * @param {string} base
 * @param {Content} content
 * @returns {Draft}
 */
export function opened(base, content) {
  return { base, saved: content, now: content, past: [], typing: null };
}

/**
 * The draft after one edit. With `typing`, keys in the text at that path go on being one edit.
 * @param {Draft} draft
 * @param {Content} content
 * @param {string | null} [typing]
 * @returns {Draft}
 */
export function edited(draft, content, typing = null) {
  if (same(draft.now, content)) return draft;
  const goesOn = typing !== null && typing === draft.typing;
  const past = goesOn ? draft.past : [...draft.past, draft.now].slice(-PAST_EDITS);
  return { ...draft, now: content, past, typing };
}

/**
 * The draft without its last edit; the same one where there is none.
 * @param {Draft} draft
 * @returns {Draft}
 */
export function undone(draft) {
  const before = draft.past.at(-1);
  return before === undefined ? draft : { ...draft, now: before, past: draft.past.slice(0, -1), typing: null };
}

/**
 * The server has stored `content`, and calls it `base`. What is typed from here on is another edit.
 * @param {Draft} draft
 * @param {string} base
 * @param {Content} content
 * @returns {Draft}
 */
export function stored(draft, base, content) {
  return { ...draft, base, saved: content, typing: null };
}

/**
 * Whether the server has all that is there.
 * @param {Draft} draft
 */
export function isSaved(draft) {
  return same(draft.now, draft.saved);
}

/**
 * Whether a proposal made for `base` is one for the draft as it stands: no key since, and no other's save.
 * @param {Draft} draft
 * @param {string} base
 */
export function takes(draft, base) {
  return base === draft.base && isSaved(draft);
}

/**
 * Equal as JSON, whatever the order of keys.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function same(one, other) {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  );
}

/**
 * What stands at a JSON Pointer; undefined where nothing does.
 * @param {unknown} root
 * @param {string} path
 * @returns {unknown}
 */
export function at(root, path) {
  /** @type {unknown} */
  let found = root;
  for (const step of stepsOf(path)) {
    if (!isObject(found) || !Object.hasOwn(found, step)) return undefined;
    found = found[step];
  }
  return found;
}

/**
 * A copy in which this value stands at a JSON Pointer; nothing else of it is copied or changed.
 * @template Root
 * @param {Root} root
 * @param {string} path
 * @param {unknown} value
 * @returns {Root}
 */
export function put(root, path, value) {
  return /** @type {Root} */ (putAt(root, stepsOf(path), value));
}

/**
 * @param {unknown} node
 * @param {string[]} steps
 * @param {unknown} value
 * @returns {unknown}
 */
function putAt(node, steps, value) {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (!isObject(node) || !Object.hasOwn(node, step)) throw new RangeError("there is no such place in the draft");
  const child = putAt(node[step], rest, value);
  if (Array.isArray(node)) return node.with(Number(step), child);
  return { ...node, [step]: child };
}

/** @param {string} path */
function stepsOf(path) {
  return path.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null;
}
