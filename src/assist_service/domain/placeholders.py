"""Who has which placeholder in a conversation, and the names put back where the placeholders stand.

A placeholder carries the tag of its conversation, which is random and never shown to anybody: no title, no
message and no person can write one that is taken for real.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from assist_service.domain.roll import words_of
from assist_service.domain.text import visible

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
_BESIDE = frozenset(" '\u2018\u2019\u201b\u02bb\u02bc-\u2010.,()\u00b7\u200c\u200d")
_UNSEEN = frozenset({"Cf", "Cs", "Cn", "Co"})

CASES: Mapping[str, Callable[[str], str]] = {"person": str.lower, "PERSON": str.upper}
"""How the first word of a placeholder is written for a name of one word that is written so, and so it is put back.

Such a name may be a word of a title: "what will be" is to read so again, whoever is called Will.
"""


@dataclass(frozen=True)
class KnownName:
    """A person's name as an LMS gave it."""

    person: UUID
    name: str


@dataclass(frozen=True)
class Names:
    """Who has which placeholder, of those people of a conversation that are kept."""

    tag: str
    people: Mapping[int, KnownName] = field(default_factory=dict)
    """By the number in the placeholder, from 1. Not every number that was given is somebody's still."""
    former: tuple[KnownName, ...] = ()
    """What some of them were called before: hidden too, and not shown any more."""
    given: int = 0
    """The highest number given so far: the next person gets one above it, so that no text means two people."""


def united(kept: Sequence[Names]) -> Names | None:
    """What several exchanges of a conversation keep, oldest first, as one. The newest name of a person wins.

    An older one with another tag does not count: its numbers are other people's.
    """
    if not kept:
        return None
    alike = [names for names in kept if names.tag == kept[-1].tag]
    people: dict[int, KnownName] = {}
    newest: dict[UUID, KnownName] = {}
    former: dict[KnownName, None] = {}
    for names in alike:
        former |= dict.fromkeys(names.former)
        people |= names.people
        for known in names.people.values():
            before = newest.get(known.person, known)
            if before != known:
                former[before] = None
            newest[known.person] = known
    return Names(
        kept[-1].tag,
        {number: newest[people[number].person] for number in sorted(people)},
        tuple(former),
        max(names.given for names in alike),
    )


def shown(name: str) -> str:
    """A name as it is put into an answer: no character of it can be markup, or make an address of it.

    It goes in behind the checks of the model's words, so it may hold nothing they would have to look at.
    """
    kept = "".join(map(_shown_character, visible(name)))
    # A point inside would make a bare address of two names.
    parted = re.sub(r"\.(?=\S)", ". ", re.sub(r"www\.", "www", kept, flags=re.IGNORECASE))
    line = " ".join(parted.split())[:NAME_CHARACTERS].strip()
    # At the start of a line a dash, or a number with a point, would begin a list; alone, a rule or a heading.
    line = re.sub(r"^(?:[-.,()\u00b7\s]|[0-9]+[.)](?:\s|$))+", "", line)
    if any(character.isalpha() for character in line):
        return line
    # Bare digits would begin a list where a point follows, and be a citation in brackets.
    digits = " ".join(re.findall(r"[^\W_]+", kept))[:NAME_CHARACTERS].strip()
    return f"\u2116 {digits}" if digits else NOBODY


def _shown_character(character: str) -> str:
    """What parts a name is a space then: what stood apart stays so."""
    category = unicodedata.category(character)
    if category[0] in _SHOWN or character in _BESIDE:
        return character
    return "" if category in _UNSEEN else " "


def is_one_word(name: str) -> bool:
    return len(words_of(unicodedata.normalize("NFD", name))) == 1


def replaced(text: str, names: Names, put: Callable[[str], str]) -> str:
    """The text with each placeholder of these names as `put` writes the name; one that nobody has as NOBODY."""
    # A tag that is seen could be written by whoever saw it.
    left = rf"{_placeholder(names.tag)}|(?:Person\W{{0,4}})?{re.escape(names.tag)}"
    return re.sub(left, NOBODY, put_back(text, names, put), flags=re.IGNORECASE)


def _placeholder(tag: str) -> str:
    return rf"(?<![^\W_])(Person)\s*{_DASH}\s*{re.escape(tag)}\s*{_DASH}\s*([0-9]+)(?![0-9])"


def numbers_in(text: str, tag: str) -> Iterator[int]:
    """The numbers of the placeholders of a text."""
    return (_number_of(found) for found in re.finditer(_placeholder(tag), text, flags=re.IGNORECASE))


def one_word_each(text: str, tag: str) -> str:
    """The text with each placeholder as one word that no other text has, for finding words in it."""
    return re.sub(_placeholder(tag), lambda found: f"{tag}{_number_of(found)}", text, flags=re.IGNORECASE)


def _number_of(found: re.Match[str]) -> int:
    return int(found[2]) if len(found[2]) < 7 else 0


def put_back(text: str, names: Names, put: Callable[[str], str]) -> str:
    """The text with the names; what is nobody's placeholder stays."""
    if not names.people:  # a tag is new for each conversation, and its pattern takes longer to make than to find
        return text

    def name_of(found: re.Match[str]) -> str:
        known = names.people.get(_number_of(found))
        if known is None:
            return found[0]
        case = CASES.get(found[1])
        return case(put(known.name)) if case is not None and is_one_word(known.name) else put(known.name)

    return re.sub(_placeholder(names.tag), name_of, text, flags=re.IGNORECASE)


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
