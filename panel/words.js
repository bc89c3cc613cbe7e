// What the panel says, in the person's language: a sentence by its key, with values put in as plain text.

import { en } from "./words/en.js";
import { fil } from "./words/fil.js";
import { fr } from "./words/fr.js";

/** @typedef {keyof typeof en} Key */

/** @typedef {(key: Key, values?: Record<string, string | number>) => string} Words */

/** @type {Record<string, Record<Key, string>>} */
const TABLES = { en, fr, fil };

/**
 * Which of its languages the panel speaks for this one, `fr` for `fr-CH`; English for one it does not speak.
 * @param {string} tag
 * @returns {import("./types.js").Language}
 */
export function languageOf(tag) {
  const language = tag.toLowerCase().split("-")[0] ?? "";
  return Object.hasOwn(TABLES, language) ? /** @type {import("./types.js").Language} */ (language) : "en";
}

/**
 * The sentences of a language; of one that the panel does not speak, the English ones.
 * @param {string} language
 * @returns {Words}
 */
export function wordsOf(language) {
  const table = /** @type {Record<Key, string>} */ (TABLES[languageOf(language)]);
  return (key, values = {}) => table[key].replace(/\{([a-z]+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * A sentence whose key is put together from what the service said: the first of these keys that there is.
 * @param {Words} words
 * @param {string[]} keys
 * @param {Record<string, string | number>} [values]
 */
export function firstOf(words, keys, values) {
  const found = keys.find((key) => Object.hasOwn(en, key)) ?? "problem.internal_error";
  return words(/** @type {Key} */ (found), values);
}
