"""The words of a text as the stub compares them: folded, without accents, in their order; and its language by them."""

import re
import unicodedata
from collections.abc import Collection, Mapping

QUOTED = re.compile(r"[«“\"]\s*([^«»“”\"\n]{1,200}?)\s*[»”\"]")
"""What stands between quotes, of any of the three languages."""


def folded_words(text: str) -> list[str]:
    """Letters only, so `Ai-je` is two words and `à` is one of a single letter."""
    return re.findall(r"[a-z]+", _folded(text))


def names(text: str) -> list[str]:
    """The same with digits, as titles have them: *2A* is one."""
    return re.findall(r"[a-z0-9]+", _folded(text))


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in folded if not unicodedata.combining(character))


def words(text: str) -> frozenset[str]:
    """A set of them, written as one text."""
    return frozenset(text.split())


TONGUES: Mapping[str, frozenset[str]] = {
    "en": words(
        "the this that these it of in to my me and with as show open go see create add new run link rewrite make "
        "how did do is are which what only ones search please choices two three class results"
    ),
    "fr": words(
        "le la les l un une des du de d ce cet cette ces mes mon ma au aux dans et avec comme en montre moi affiche "
        "ouvre cree ajoute lance execute relie lie associe reecris reformule corrige quelles quels quel est sont "
        "comment seulement uniquement cherche onglet deux trois choix classe resultats bonjour merci salut"
    ),
    "fil": words(
        "ang ng mga sa ko ako ito itong iyon na at may ipakita buksan gumawa lumikha idagdag magdagdag patakbuhin "
        "iugnay isulat muli ano anong alin kumusta paano lang hanapin dalawang tatlong klase resulta salamat"
    ),
}
"""Small words of each language, by its code; the first is that of a question that has as many of each."""


def tongue_of(question: str) -> str:
    """The language of a question: that of which it has the most small words. What it quotes is in any."""
    said = folded_words(QUOTED.sub(" ", question))
    return max(TONGUES, key=lambda tongue: sum(word in TONGUES[tongue] for word in said))


_MARKUP = re.compile(r"([\\`*_<>#|~!])")
_ROUND = str.maketrans("[]", "()")


def as_words(title: str) -> str:
    """A title is quoted, not obeyed: it makes no heading and no link, and no citation, which escaping would leave."""
    return _MARKUP.sub(r"\\\1", title.translate(_ROUND))


def closest(telling: Collection[str], titles: Mapping[str, str]) -> str | None:
    """The key of the title that shares most words with these; the first of several, None where none shares any."""
    shared = {key: len(frozenset(telling) & frozenset(names(title))) for key, title in titles.items()}
    best = max(shared, key=lambda key: shared[key], default=None)
    return best if best is not None and shared[best] else None
