"""Text that enters or leaves holds no character a reader cannot see and none that turns the others around.

A model obeys Unicode tags that no screen shows, and a bidi control makes a card read as what it is not. NFKC is
no help: it leaves both in place and changes honest text. So the characters are named here and taken out.
"""

import re
import unicodedata

_REMOVED_RANGES = (
    (0x0000, 0x0008), (0x000B, 0x001F), (0x007F, 0x009F),  # C0 and C1 controls but for tab and line feed
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160), (0x3164, 0x3164), (0xFFA0, 0xFFA0),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors and vowel separator
    (0x200B, 0x200B), (0x200E, 0x200F),  # zero-width space, direction marks
    (0x202A, 0x202E), (0x2060, 0x206F),  # embeddings, overrides; word joiner, isolates, deprecated
    (0xD800, 0xDFFF),  # surrogates: in a Python string each one is alone
    (0xFDD0, 0xFDEF),  # noncharacters; markup.py marks citations with them, so no input may hold one
    (0xFE00, 0xFE0D),  # variation selectors but for the two that choose between text and emoji
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFF0, 0xFFFB),  # reserved, and the interlinear annotation
    (0x13430, 0x1343F),  # Egyptian format controls
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),  # shorthand and musical format controls
    (0xE0000, 0xE0FFF),  # tags, variation selectors supplement, and what Unicode keeps free for more of them
    *((plane | 0xFFFE, plane | 0xFFFF) for plane in range(0x0000, 0x110000, 0x10000)),
)  # fmt: skip
"""Controls, format characters without a shape, surrogates, noncharacters, and every Default_Ignorable code point
of Unicode 16 (DerivedCoreProperties.txt) but the joiners and the two emoji selectors. The Arabic number signs and
their kind (0600-0605, 06DD, 070F, 0890, 0891, 08E2, 110BD, 110CD) are format characters with a shape and stay."""

_JOINING_SCRIPTS = (
    (0x0620, 0x08FF),  # Arabic, Syriac, N'Ko, Mandaic and their extensions
    (0x0900, 0x0DFF),  # Indic scripts of the plane, Sinhala
    (0x1000, 0x109F), (0x1780, 0x17FF), (0x1800, 0x18AF),  # Myanmar, Khmer, Mongolian
    (0x1A20, 0x1AAF), (0x1B00, 0x1C4F), (0x1CD0, 0x1CFF),  # Tai Tham, Balinese to Lepcha, Vedic
    # Phags-pa to Meetei
    (0xA840, 0xA8FF), (0xA930, 0xA9FF), (0xAA60, 0xAA7F), (0xAAE0, 0xAAFF), (0xABC0, 0xABFF),
    (0xFB50, 0xFDFF), (0xFE70, 0xFEFC),  # Arabic presentation forms
    (0x10AC0, 0x10AFF), (0x10B80, 0x10BAF), (0x10D00, 0x10D3F), (0x10F30, 0x10FDF),  # Manichaean to Sogdian
    (0x11000, 0x11FFF), (0x1E900, 0x1E95F),  # Brahmic scripts beyond the plane, Adlam
)  # fmt: skip
"""Scripts in which a joiner changes what is read (Unicode 16, sections 9 to 14 and 23.2)."""

_EMOJI = (
    (0x00A9, 0x00A9), (0x00AE, 0x00AE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122),
    (0x2139, 0x2139), (0x2190, 0x21FF), (0x2300, 0x23FF), (0x25A0, 0x27BF), (0x2900, 0x297F), (0x2B00, 0x2BFF),
    (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297), (0x3299, 0x3299), (0x1F000, 0x1FAFF),
)  # fmt: skip
"""Blocks that hold the emoji which a zero-width joiner may bind (emoji-zwj-sequences.txt)."""


def _characters(ranges: tuple[tuple[int, int], ...]) -> str:
    """The inside of a regular expression's character class."""
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


_SPECIAL_ASCII = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_REMOVED = re.compile(f"[{_characters(_REMOVED_RANGES)}]")
_JOINERS_OR_SELECTORS = re.compile("[\u200c\u200d\ufe0e\ufe0f]")
_LONE_SELECTORS = re.compile("(^|[\\s\u200c\u200d])[\ufe0e\ufe0f]+|([\ufe0e\ufe0f])[\ufe0e\ufe0f]+")
_JOINERS = re.compile("([\u200c\u200d])[\u200c\u200d]*")
_JOINING_SCRIPT = re.compile(f"[{_characters(_JOINING_SCRIPTS)}]")
_IS_EMOJI = re.compile(f"[{_characters(_EMOJI)}]")


def visible(text: str) -> str:
    """The text without invisible and direction-changing characters; idempotent."""
    if text.isascii() and not _SPECIAL_ASCII.search(text):
        return text
    text = _REMOVED.sub("", _LINE_ENDS.sub("\n", text))
    if not _JOINERS_OR_SELECTORS.search(text):
        return text
    # Selectors first: a joiner may stand on a selector, never a selector on a joiner.
    text = _LONE_SELECTORS.sub(r"\1\2", text)
    return _JOINERS.sub(_needed_joiner, text)


def _needed_joiner(run: re.Match[str]) -> str:
    """The first joiner of a run where the script or the emoji around it needs one."""
    text, start, end = run.string, run.start(), run.end()
    if start == 0 or end == len(text):
        return ""
    before, after = text[start - 1], text[end]
    in_script = bool(_JOINING_SCRIPT.match(before)) and unicodedata.category(before)[0] in "LM"
    in_emoji = bool(before in "\ufe0e\ufe0f" or _IS_EMOJI.match(before)) and bool(_IS_EMOJI.match(after))
    return run[1] if in_script or in_emoji else ""


def one_line(text: str, limit: int) -> str:
    """The visible text on one line, at most `limit` code points, the last of them "…" where some were cut."""
    line = " ".join(visible(text).split())
    if len(line) <= limit:
        return line
    # A cut may leave a joiner or a space at the end, which nothing needs any more.
    return line[: max(limit - 1, 0)].rstrip(" \u200c\u200d") + "…" if limit > 0 else ""
