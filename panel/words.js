// What the panel says, in the person's language: a sentence by its key, with values put in as plain text.

/** @typedef {keyof typeof import("./words/en.js").en} Key */

/** @typedef {Record<Key, string>} Table */

/** @typedef {(key: Key, values?: Record<string, string | number>) => string} Words */

/** Each language is loaded when it is first spoken: a third of the panel is sentences. @type {Record<string, () => Promise<Table>>} */
const LOADERS = {
  en: async () => (await import("./words/en.js")).en,
  fr: async () => (await import("./words/fr.js")).fr,
  fil: async () => (await import("./words/fil.js")).fil,
};

export const LANGUAGES = /** @type {import("./types.js").Language[]} */ (Object.keys(LOADERS));

/** @type {Map<string, Table>} */
const tables = new Map();

/**
 * Loads a language, so that `wordsOf` speaks it. One that cannot be had is spoken in another that was, or in English.
 * @param {string} language
 * @returns {Promise<void>} rejected where there is no language at all
 */
export async function speak(language) {
  const name = languageOf(language);
  if (tables.has(name)) return;
  try {
    tables.set(name, await /** @type {() => Promise<Table>} */ (LOADERS[name])());
  } catch (error) {
    if (tables.size > 0) return;
    if (name === "en") throw error;
    await speak("en");
  }
}

/**
 * Whether `wordsOf` speaks it already.
 * @param {string} language
 */
export function isSpoken(language) {
  return tables.has(languageOf(language));
}

/**
 * Which of its languages the panel speaks for this one, `fr` for `fr-CH`; English for one it does not speak.
 * @param {string} tag
 * @returns {import("./types.js").Language}
 */
export function languageOf(tag) {
  const language = tag.toLowerCase().split("-")[0] ?? "";
  return Object.hasOwn(LOADERS, language) ? /** @type {import("./types.js").Language} */ (language) : "en";
}

/**
 * The sentences of a language; of one that was not loaded, those of the first that was. A page that was open over a
 * release may load a language of the new one: what that lacks is said in the first too, or by its key.
 * @param {string} language
 * @returns {Words}
 */
export function wordsOf(language) {
  const table = tables.get(languageOf(language)) ?? first();
  return (key, values = {}) =>
    (table[key] ?? first()[key] ?? key).replace(/\{([a-z]+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * Whether there is a sentence of this key.
 * @param {string} key
 * @returns {key is Key}
 */
export function isWorded(key) {
  return Object.hasOwn(first(), key);
}

/**
 * A sentence whose key is put together from what the service said: the first of these keys that there is.
 * @param {Words} words
 * @param {string[]} keys
 * @param {Record<string, string | number>} [values]
 */
export function firstOf(words, keys, values) {
  return words(keys.find(isWorded) ?? "problem.internal_error", values);
}

function first() {
  const [table] = tables.values();
  if (table === undefined) throw new Error("no language was loaded");
  return table;
}
