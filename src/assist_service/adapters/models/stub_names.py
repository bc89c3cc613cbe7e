"""Which records a question names, as far as a stub can tell: by quotes, by small words before them, by capitals."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assist_service.domain.live.query import SEARCH_CHARACTERS, RecordKind


@dataclass(frozen=True)
class Mention:
    """A record that a question speaks of: its name, its kind where a word says that, or either alone."""

    words: str | None
    kind: RecordKind | None


def plain(text: str) -> str:
    """Folded, without accents, and letter for letter as long as the text: what is found in it has the same place."""
    return "".join(_plain(letter) for letter in text)


def _plain(letter: str) -> str:
    if letter in "’ʼ‘":
        return "'"
    folded = unicodedata.normalize("NFKD", letter.casefold())
    return folded[0] if folded else letter


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LEADS = _words(
    "of in for from at on within among de du des d' dans en à au aux pour sur parmi ng sa ni si nina sina kay kina"
)
"""What stands before a name, folded with its accents: `à` leads to one, and `a` does not."""

_JOINS = _words("of de du des d' ng")
"""Those that stand within a name, too: *History of Art*."""

_ENDS = _words("have has had is are was were did does who that which by per with ont est sont qui par")
"""Words that a name ends before."""

_BESIDE = _words(
    "pinakamataas pinakamababa pinakamababang leaderboard leaderboards ranking classement marks results resulta "
    "para bawat the a an i my our your this that these those each every all any it its he she they him her them "
    "his their selected le la les l' un une mon ma mes ton ta tes son sa ses ce cet cette ces c' il elle ils "
    "elles toute toutes tous tout choisi choisie selectionne selectionnee ang mga na ba nang yung iyong itong "
    "ito iyon siya sila aking ko niya nila napiling please yet now today so far still already too ever encore "
    "deja svp po lang pa doing do done"
)
"""Words that are no part of a name where it begins or ends."""

KIND_WORDS: Mapping[RecordKind, frozenset[str]] = {
    RecordKind.CLASS: _words("class classes classe klase klaseng"),
    RecordKind.STUDENT: _words(
        "student students learner learners pupil pupils eleve eleves etudiant etudiante etudiants etudiantes "
        "estudyante estudyanteng mag-aaral"
    ),
    RecordKind.EXAM: _words(
        "exam exams examen examens test tests quiz quizzes evaluation evaluations controle controles pagsusulit eksamen"
    ),
}

_TOKEN = re.compile(
    r"[«“\"]\s*(?P<quoted>[^«»“”\"\n]{1,200}?)\s*[»”\"]"
    r"|(?P<elided>\b(?:[ldnsjmtc]|qu)['’](?=\w))|(?P<word>\w+(?:[-.'’]\w+)*)|(?P<mark>[^\w\s])"
)
_POSSESSIVE = re.compile(r"['’]s$")


@dataclass
class _Reading:
    """Reads one stretch of a question from left to right; `is_open` where a name may follow."""

    is_open: bool
    by_capital: bool = False
    """The name under way was begun by a capital alone, and ends with the first small word."""
    words: list[str] = field(default_factory=list)
    found: list[Mention] = field(default_factory=list)

    def quote(self, text: str) -> None:
        """It is a name, and the word before it may say of what kind."""
        kind = _kind_within(self.words[-1:])
        self.words = []
        self.found.append(Mention(text[:SEARCH_CHARACTERS], kind))
        self.close()

    def lead(self, word: str, following: str | None) -> None:
        begun = [each for each in self.words if plain(each) not in _BESIDE and _kind_of(each) is None]
        if word in _JOINS and begun and following is not None and _is_of_a_name(following):
            self.words.append(word)
            return
        self.close()
        self.is_open = True

    def word(self, word: str) -> None:
        is_large = word[0].isupper() or word[0].isdigit()
        if self.by_capital and not is_large:
            self.close()
        if not self.is_open and is_large and not word[0].isdigit():
            self.is_open = self.by_capital = True
        if self.is_open:
            self.words.append(_POSSESSIVE.sub("", word))
            if _POSSESSIVE.search(word):
                self.close(RecordKind.STUDENT)

    def close(self, kind: RecordKind | None = None) -> None:
        """The name under way has ended."""
        mention = _mentioned(self.words, kind)
        self.found += [mention] if mention is not None else []
        self.words, self.is_open, self.by_capital = [], False, False


def mentions(text: str, *, is_named: bool) -> tuple[Mention, ...]:
    """What a stretch of a question names, in its order; `is_named` where it begins with a name.

    A question's own first capital tells nothing: the stretch it stands in is given without it.
    """
    reading = _Reading(is_named)
    tokens = list(_TOKEN.finditer(text))
    for at, token in enumerate(tokens):
        said = token[0]
        following = tokens[at + 1][0] if at + 1 < len(tokens) else None
        folded = said.casefold().replace("’", "'")
        if token["quoted"] is not None:
            reading.quote(token["quoted"])
        elif token["mark"] is not None or folded in _ENDS:
            reading.close()
        elif folded in _LEADS:
            reading.lead(folded, following)
        elif token["word"] is not None:
            reading.word(said)
    reading.close()
    return tuple(reading.found)


def _kind_of(word: str) -> RecordKind | None:
    return next((kind for kind, words in KIND_WORDS.items() if plain(word) in words), None)


def _kind_within(words: Sequence[str]) -> RecordKind | None:
    return next((kind for word in words if (kind := _kind_of(word)) is not None), None)


def _is_of_a_name(word: str) -> bool:
    return plain(word) not in _BESIDE and _kind_of(word) is None


def _mentioned(words: Sequence[str], kind: RecordKind | None) -> Mention | None:
    """What these words name, without what stands around a name; None where they name nothing."""
    left = list(words)
    while left and plain(left[0]) in _BESIDE:
        left.pop(0)
    while left and plain(left[-1]) in _BESIDE:
        left.pop()
    kind = kind or _kind_within((*left[:1], *left[-1:]))
    for end in (0, -1):  # *the class 7A*, *the Fractions quiz*; but *Class 7A* and *quiz 1* are names as they stand
        rest = left[1:] if end == 0 else left[:-1]
        if left and left[end].islower() and _kind_of(left[end]) is not None and _is_telling(rest):
            left = rest
    while left and plain(left[0]) in _BESIDE:
        left.pop(0)
    if all(_kind_of(word) is not None for word in left):
        return Mention(None, kind) if kind is not None else None
    return Mention(" ".join(left)[:SEARCH_CHARACTERS].strip(), kind)


def _is_telling(words: Sequence[str]) -> bool:
    """Whether these are a name without the word for its kind: a number alone is none."""
    return any(len(word) > 1 and any(letter.isalpha() for letter in word) for word in words)
