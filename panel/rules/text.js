// A line that may stand in an address: one line of 1 to 200 code points, none invisible or turning the direction of text.

// The ranges are those of the service (domain/text.py), and tests/panel/text.test.mjs compares every code point.
// They are built from numbers, as a source that holds such characters itself could not be read.

/** @typedef {readonly (readonly [first: number, last: number])[]} Ranges */

/** @type {Ranges} */
const REMOVED = [
  // Controls but for tab and line feed
  [0x0000, 0x0008], [0x000b, 0x001f], [0x007f, 0x009f],
  // Soft hyphen, grapheme joiner, Arabic letter mark
  [0x00ad, 0x00ad], [0x034f, 0x034f], [0x061c, 0x061c],
  // Hangul fillers, Khmer vowels
  [0x115f, 0x1160], [0x3164, 0x3164], [0xffa0, 0xffa0], [0x17b4, 0x17b5],
  // Mongolian selectors, zero-width space, direction marks
  [0x180b, 0x180f], [0x200b, 0x200b], [0x200e, 0x200f],
  // Embeddings, overrides, isolates; lone surrogates
  [0x202a, 0x202e], [0x2060, 0x206f], [0xd800, 0xdfff],
  // Noncharacters, variation selectors; the byte order mark is white space here
  [0xfdd0, 0xfdef], [0xfe00, 0xfe0d],
  // Format controls of scripts
  [0xfff0, 0xfffb], [0x13430, 0x1343f], [0x1bca0, 0x1bca3], [0x1d173, 0x1d17a],
  // Tags
  [0xe0000, 0xe0fff],
  ...Array.from({ length: 17 }, (_, plane) => /** @type {const} */ ([plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff])),
];

/** Scripts in which a joiner changes what is read. @type {Ranges} */
const JOINING_SCRIPTS = [
  [0x0620, 0x08ff], [0x0900, 0x0dff], [0x1000, 0x109f], [0x1780, 0x17ff], [0x1800, 0x18af], [0x1a20, 0x1aaf],
  [0x1b00, 0x1c4f], [0x1cd0, 0x1cff], [0xa840, 0xa8ff], [0xa930, 0xa9ff], [0xaa60, 0xaa7f], [0xaae0, 0xaaff],
  [0xabc0, 0xabff], [0xfb50, 0xfdff], [0xfe70, 0xfefc], [0x10ac0, 0x10aff], [0x10b80, 0x10baf], [0x10d00, 0x10d3f],
  [0x10f30, 0x10fdf], [0x11000, 0x11fff], [0x1e900, 0x1e95f],
];

/** Blocks of the emoji that a joiner may bind. @type {Ranges} */
const EMOJI = [
  [0x00a9, 0x00a9], [0x00ae, 0x00ae], [0x203c, 0x203c], [0x2049, 0x2049], [0x2122, 0x2122], [0x2139, 0x2139],
  [0x2190, 0x21ff], [0x2300, 0x23ff], [0x25a0, 0x27bf], [0x2900, 0x297f], [0x2b00, 0x2bff], [0x3030, 0x3030],
  [0x303d, 0x303d], [0x3297, 0x3297], [0x3299, 0x3299], [0x1f000, 0x1faff],
];

const LONGEST = 200;

const JOINER = "[\\u200c\\u200d]";
const SELECTOR = "[\\ufe0e\\ufe0f]";

/** @param {Ranges} ranges */
const characters = (ranges) =>
  ranges.map((range) => range.map((point) => `\\u{${point.toString(16)}}`).join("-")).join("");

/** @param {...string} parts */
const pattern = (...parts) => new RegExp(parts.join("|"), "u");

const NOT_ONE_LINE = /^ | {2}| $|[^\S ]/u;
const INVISIBLE = pattern(`[${characters(REMOVED)}]`);
const LONE_SELECTOR = pattern(`(?:^|[\\s\\u200c\\u200d])${SELECTOR}`, `${SELECTOR}{2}`);
const NEEDED_JOINER = new RegExp(
  `(?<=(?=[\\p{L}\\p{M}])[${characters(JOINING_SCRIPTS)}])${JOINER}(?!$)`
    + `|(?<=${SELECTOR}|[${characters(EMOJI)}])${JOINER}(?=[${characters(EMOJI)}])`,
  "gu",
);
const ANY_JOINER = pattern(JOINER);

/**
 * Whether a text is one line of 1 to 200 code points, all of them to be seen, no space at an end and no two in a row.
 *
 * @param {string} text
 */
export function visibleLine(text) {
  const length = [...text].length;
  return length >= 1 && length <= LONGEST && !NOT_ONE_LINE.test(text) && !INVISIBLE.test(text)
    && !LONE_SELECTOR.test(text) && !ANY_JOINER.test(text.replace(NEEDED_JOINER, ""));
}
