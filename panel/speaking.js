// In which language the panel speaks: a wish is followed once its words are there, and of several wishes the last one.

import { isSpoken, languageOf, speak, wordsOf } from "./words.js";

export class Speaking {
  #wish;
  #spoken;
  /** In which language all stands that stands. */
  language = languageOf(document.documentElement.lang);

  /**
   * @param {() => string} wish   as it is now
   * @param {(isAnother: boolean) => void} spoken   says all that stands; `isAnother`: in another language than before
   */
  constructor(wish, spoken) {
    this.#wish = wish;
    this.#spoken = spoken;
  }

  words() {
    return wordsOf(this.language);
  }

  follow() {
    const wanted = languageOf(this.#wish());
    if (isSpoken(wanted)) return this.#speak(wanted);
    void speak(wanted).then(() => wanted === languageOf(this.#wish()) && this.#speak(wanted));
  }

  /** @param {import("./types.js").Language} language */
  #speak(language) {
    const isAnother = language !== this.language;
    this.language = language;
    this.#spoken(isAnother);
  }
}
