"""The language of a message, among those of the contract, where a detector is sure."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from threading import Lock

from py3langid.langid import MODEL_FILE, LanguageIdentifier

SURE = 0.9
"""The probability from which a guess counts. Below it the screen's language is the better one."""

ITS_NAMES: Mapping[str, str] = {"en": "en", "fr": "fr", "fil": "tl"}
"""The detector's names of our languages: it knows Filipino as Tagalog."""

_QUOTED = re.compile(r"“[^”]*”|«[^»]*»|„[^“”]*[“”]|\"[^\"]*\"")


_LOADING = Lock()


def load_identifier(languages: tuple[str, ...]) -> LanguageIdentifier:
    """The detector of these languages; reading its model takes half a second, once. Whoever comes meanwhile waits."""
    with _LOADING:
        return _identifier(languages)


@lru_cache(maxsize=8)
def _identifier(languages: tuple[str, ...]) -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages([ITS_NAMES[language] for language in languages])
    return identifier


class LangidDetector:
    """Implements ports.LanguageDetector."""

    def detect(self, text: str, languages: Sequence[str]) -> str | None:
        known = tuple(language for language in languages if language in ITS_NAMES)
        # A title that is quoted is in its own language, whoever speaks of it.
        text = _QUOTED.sub(" ", text)
        if not known or not any(character.isalpha() for character in text):
            return None
        name, probability = load_identifier(known).classify(text)
        ours = {ITS_NAMES[language]: language for language in known}
        return ours.get(name) if probability >= SURE else None
