"""Texts are compared without case, accents and the forms a letter may have: one folding, wherever words are looked for.

What a person types for a letter that no keyboard of theirs has is what it folds to. A transcription is no folding:
"Mueller" is not "Müller", and no script is another.
"""

import unicodedata

_LETTERS = str.maketrans(
    {
        "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "ŋ": "n", "þ": "th", "æ": "ae", "œ": "oe",
        "ə": "e", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ƴ": "y",
    }
)  # fmt: skip
"""Letters that Unicode does not take apart, in lower case; ß and ẞ are ss by their case already."""


def folded(text: str) -> str:
    """The text for comparing; folding it again changes nothing."""
    if text.isascii():
        return text.casefold()
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return bare.casefold().translate(_LETTERS)
