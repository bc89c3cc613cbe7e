// When something was or will be: as the person's own browser writes it, where that is in the panel's language.

/**
 * @param {Date} moment
 * @param {string} language   of the panel
 * @param {Intl.DateTimeFormatOptions} [how]
 */
export function when(moment, language, how = { dateStyle: "medium", timeStyle: "short" }) {
  const own = navigator.languages.find((each) => each.split("-")[0]?.toLowerCase() === language);
  return new Intl.DateTimeFormat(own ?? language, how).format(moment);
}
