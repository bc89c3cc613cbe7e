"""People's names kept from the model: a placeholder each, and the names put back on the way out.

A placeholder carries the tag of its conversation, which is random and never shown to anybody: no title, no
message and no person can write one that is taken for real. Who has which placeholder stays the same over a
conversation, so that "the second one" means the same person in its next question.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any
from uuid import UUID

from assist_service.domain.roll import Roll, Word, words_of

TAG_CHARACTERS = "bcdfghjkmnpqrstvwxz"
"""No vowels, so that a tag is no word, and nothing that is read as a digit."""

TAG_LENGTH = 8

NAME_CHARACTERS = 200

_DASH = "[-\u2010-\u2014\u2212]"
"""Models change one dash for another."""

_AT_END = re.compile(rf"Person\W*+[{TAG_CHARACTERS}]*+\W*+[0-9]*+\Z", re.IGNORECASE)
"""As much of a placeholder as a cut may have left."""

NOBODY = "?"
"""Stands where a model wrote a placeholder that nobody has."""

_SHOWN = frozenset("LMN")  # letters, marks, numbers: the Unicode categories by their first letter
_BESIDE = frozenset(" '\u2019\u02bb\u02bc-\u2010.,()\u00b7\u200c\u200d")


@dataclass(frozen=True)
class KnownName:
    """A person's name as an LMS gave it."""

    person: UUID
    name: str


@dataclass(frozen=True)
class Names:
    """Who has which placeholder in a conversation: the position in `people`, counted from 1."""

    tag: str
    people: tuple[KnownName, ...] = ()
    former: tuple[KnownName, ...] = ()
    """What some of them were called before: hidden too, and not shown any more."""


def shown(name: str) -> str:
    """A name as it is put into an answer: no character of it can be markup, or make an address of it.

    It goes in behind the checks of the model's words, so it may hold nothing they would have to look at.
    """
    kept = "".join(c for c in name if unicodedata.category(c)[0] in _SHOWN or c in _BESIDE)
    # A point inside would make a bare address of two names.
    parted = re.sub(r"\.(?=\S)", ". ", re.sub(r"www\.", "www", kept, flags=re.IGNORECASE))
    line = " ".join(parted.split())[:NAME_CHARACTERS].strip()
    # At the start of a line a dash, or a number with a point, would begin a list; alone, a rule or a heading.
    line = re.sub(r"^(?:[-.,()\u00b7\s]|[0-9]+[.)](?:\s|$))+", "", line)
    return line if any(character.isalpha() for character in line) else NOBODY


def folded(text: str) -> str:
    """The text for comparing names: without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@dataclass
class Masks:
    """The placeholders of one question, which may give more of them."""

    tag: str
    question: str
    _people: list[KnownName] = field(default_factory=list)
    _former: dict[KnownName, None] = field(default_factory=dict)
    _numbers: dict[UUID, int] = field(default_factory=dict)
    _roll: Roll = field(default_factory=Roll)
    _entered: dict[str, int] = field(default_factory=dict)
    """Every name that somebody has or had, in the order they came."""
    _looked_for: int = 0
    """How many of these are on the roll."""

    @classmethod
    def of(cls, names: Names, question: str) -> "Masks":
        """Goes on with the placeholders that a conversation has."""
        masks = cls(names.tag, question)
        for known in names.people:
            masks.mask(known.person, known.name)
        for known in names.former:
            masks._former[known] = None
            masks._entered.setdefault(known.name, masks._numbers[known.person])
        return masks

    @property
    def names(self) -> Names:
        """What the conversation keeps, sealed."""
        return Names(self.tag, tuple(self._people), tuple(self._former))

    @property
    def known(self) -> int:
        """How many names are hidden: where it grew, an earlier text may name somebody."""
        return len(self._entered)

    def mask(self, person: UUID, name: str) -> str:
        """The person's placeholder; two people of one name have two. The newest name is the one that is shown."""
        if person not in self._numbers:
            self._people.append(KnownName(person, name))
            self._numbers[person] = len(self._people)
        number = self._numbers[person]
        if self._people[number - 1].name != name:
            self._former[self._people[number - 1]] = None
            self._people[number - 1] = KnownName(person, name)
        self._entered.setdefault(name, number)
        return f"Person-{self.tag}-{number}"

    def is_asked_about(self, name: str) -> bool:
        """Whether the question names the person: then the model has that name already."""
        wanted = folded(name)
        if not wanted.strip() or wanted not in self._asked:
            return False
        return bool(re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", self._asked))

    @cached_property
    def _asked(self) -> str:
        return folded(self.question)

    def unforgeable(self, text: str) -> str:
        """Text from elsewhere, in which nothing can be taken for a placeholder."""
        return without_tag(text, self.tag)

    def hidden(self, text: str) -> str:
        """The text with the placeholder of everyone it names whole, however it is written, the longest names first.

        What is a placeholder stays one, whatever people are called.
        """
        decomposed = unicodedata.normalize("NFD", text)
        words = self._unmasked_words(decomposed)
        places = self._whole_roll().places(words)
        if not places:
            return text
        pieces, done = [], 0
        for place in places:
            start, end = words[place.first].start, words[place.first + place.length - 1].end
            pieces += [decomposed[done:start], f"Person-{self.tag}-{place.number}"]
            done = end - 1 if place.has_s else end
        return unicodedata.normalize("NFC", "".join([*pieces, decomposed[done:]]))

    def _whole_roll(self) -> Roll:
        """The roll with those who were entered since; a question that hides nothing does without."""
        for name in islice(self._entered, self._looked_for, None):
            self._roll.add(name, self._entered[name])
        self._looked_for = len(self._entered)
        return self._roll

    def _unmasked_words(self, decomposed: str) -> list[Word]:
        """The words of a text; those of a placeholder are nobody's name."""
        words = words_of(decomposed)
        for place in [place for place, word in enumerate(words) if word.folded == self.tag]:
            for beside in range(max(place - 1, 0), min(place + 2, len(words))):
                words[beside] = replace(words[beside], folded="")
        return words

    def unmasked(self, text: str) -> str:
        """The text with the names as the LMS has them: for what goes to the LMS, never for what is shown."""
        return replaced(text, self.names, lambda name: name)

    def unmasked_json(self, value: Any) -> Any:
        """The same in every text of a JSON value, keys aside."""
        match value:
            case str():
                return self.unmasked(value)
            case list():
                return [self.unmasked_json(inner) for inner in value]
            case dict():
                return {key: self.unmasked_json(inner) for key, inner in value.items()}
            case _:
                return value


def replaced(text: str, names: Names, put: Callable[[str], str]) -> str:
    """The text with each placeholder of these names as `put` writes the name; one that nobody has as NOBODY."""

    def name_of(found: re.Match[str]) -> str:
        number = int(found[1]) if len(found[1]) < 7 else 0
        return put(names.people[number - 1].name) if 0 < number <= len(names.people) else NOBODY

    tag = re.escape(names.tag)
    placeholder = rf"(?<!\w)Person\s*{_DASH}\s*{tag}\s*{_DASH}\s*([0-9]+)(?![0-9])"
    named = re.sub(placeholder, name_of, text, flags=re.IGNORECASE)
    # A tag that is seen could be written by whoever saw it.
    return re.sub(rf"(?:Person\W{{0,4}})?{tag}", NOBODY, named, flags=re.IGNORECASE)


def before_cut(text: str) -> str:
    """A text that was cut, without a placeholder at its end: what is left of the number may be another person's."""
    return _AT_END.sub("", text)


def without_tag(text: str, tag: str) -> str:
    """The text, in which nothing can be taken for a placeholder of this tag."""
    # Something stays in its place, or what stood around it could be one.
    return re.sub(re.escape(tag), "\u00b7", text, flags=re.IGNORECASE)


def with_names(markdown: str, names: Names | None) -> str:
    """Checked Markdown as the person reads it."""
    return markdown if names is None else replaced(markdown, names, shown)
