// A time is written as the person's browser writes it, where that is in the panel's language; else as that language does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { when } from "../../panel/view/when.js";

const MOMENT = new Date(2026, 10, 30, 22, 20);

for (const { languages, language, said } of [
  { languages: ["en-GB"], language: "en", said: "30 Nov 2026, 22:20" },
  { languages: ["de-CH", "en-GB", "en-US"], language: "en", said: "30 Nov 2026, 22:20" },
  { languages: ["en-GB"], language: "fr", said: "30 nov. 2026, 22:20" },
  { languages: ["fr-CH"], language: "en", said: "Nov 30, 2026, 10:20 PM" },
]) {
  test(`in ${language} for a browser in ${languages}`, () => {
    Object.defineProperty(globalThis, "navigator", { configurable: true, value: { languages } });
    assert.equal(when(MOMENT, language).replaceAll(/\s/gu, " "), said);
  });
}
