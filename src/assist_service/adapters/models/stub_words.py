"""The words of a text as the stub compares them: folded, without accents, in their order."""

import re
import unicodedata


def folded_words(text: str) -> list[str]:
    """Letters only, so `Ai-je` is two words and `à` is one of a single letter."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    return re.findall(r"[a-z]+", plain)
