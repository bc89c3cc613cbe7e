// The panel's sentences: the same in each language, and one for everything that the service may say.

import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import test from "node:test";

import { isSpoken, languageOf, speak, wordsOf } from "../../panel/words.js";
import { en } from "../../panel/words/en.js";
import { fil } from "../../panel/words/fil.js";
import { fr } from "../../panel/words/fr.js";
import { given } from "./given.mjs";

/** @type {Record<string, Record<string, string>>} */
const LANGUAGES = { en, fr, fil };

/** Words that are the same in two languages, and no forgotten translation. */
const SAME = new Set(given("words").same);

/** @param {string} sentence */
const placeholders = (sentence) => [...sentence.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

for (const [language, table] of Object.entries(LANGUAGES)) {
  test(`${language} has every sentence and no other`, () => {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(en).sort());
  });
  test(`${language} has the same places for values`, () => {
    for (const [key, sentence] of Object.entries(table)) {
      assert.deepEqual(placeholders(sentence), placeholders(/** @type {Record<string, string>} */ (en)[key] ?? ""), key);
    }
  });
  test(`${language} says something everywhere, in one line`, () => {
    for (const [key, sentence] of Object.entries(table)) assert.match(sentence, /^\S(.*\S)?$/, key);
  });
  for (const key of given("words").keys) {
    test(`${language} has words for ${key}`, () => assert.ok(Object.hasOwn(table, key)));
  }
}

for (const language of ["fr", "fil"]) {
  test(`${language} is no copy of the English`, () => {
    const copied = Object.entries(LANGUAGES[language] ?? {}).filter(([key, text]) => text === Object.entries(en).find(([each]) => each === key)?.[1]);
    assert.deepEqual(copied.map(([key]) => key).filter((key) => !SAME.has(`${language} ${key}`)), []);
  });
}

test("every tool is told in words and never by its name", () => {
  for (const tool of given("words").tools) {
    for (const table of Object.values(LANGUAGES)) assert.doesNotMatch(table[`tool.${tool}`] ?? "", /_/);
  }
});

test("a language is spoken once it was loaded, and until then another one is", async () => {
  assert.throws(() => wordsOf("fr"), /no language/);
  await speak("fr-CH");
  assert.deepEqual(["en", "fr", "fil"].map(isSpoken), [false, true, false]);
  assert.equal(wordsOf("fil")("panel.close"), fr["panel.close"]);
  await speak("fil");
  assert.equal(wordsOf("fil")("panel.close"), fil["panel.close"]);
});

test("a value is put in as it is, whatever stands in it", async () => {
  await speak("en");
  assert.equal(wordsOf("en")("history.delete", { title: "$& {title} <b>" }), "Delete “$& {title} <b>”");
});

test("a language of a region is that language, and one that is not spoken is English", () => {
  assert.deepEqual(["fr-CH", "FIL", "de", "__proto__", "", "constructor"].map(languageOf), ["fr", "fil", "en", "en", "en", "en"]);
});

/**
 * The words as a page has them to whom French is sent otherwise; null: not at all.
 * @param {string} name
 * @param {string | null} source
 * @returns {Promise<typeof import("../../panel/words.js")>}
 */
async function withFrench(name, source) {
  const own = `../../panel/words.js?${name}`;
  registerHooks({
    resolve(specifier, context, next) {
      if (context.parentURL?.endsWith(`?${name}`) !== true || specifier !== "./words/fr.js") return next(specifier, context);
      if (source === null) throw new Error("not to be had");
      return { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true };
    },
  });
  return import(own);
}

test("where the page's language cannot be had at first, English is spoken", async () => {
  const words = await withFrench("gone", null);
  await words.speak("fr");
  assert.equal(words.wordsOf("fr")("panel.close"), en["panel.close"]);
});

test("a sentence that another release's language lacks is the first language's, and one that nobody has its key", async () => {
  const words = await withFrench("newer", 'export const fr = { "panel.open": "Ouvre" };');
  await words.speak("en");
  await words.speak("fr");
  const said = words.wordsOf("fr");
  assert.deepEqual([said("panel.open"), said("panel.close")], ["Ouvre", en["panel.close"]]);
  assert.equal(said(/** @type {any} */ ("panel.never")), "panel.never");
});
