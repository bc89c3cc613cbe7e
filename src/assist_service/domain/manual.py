"""The manual as values: pages cut at their headings, who may read which, and one publication of it all."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from assist_service.domain.search import Glossary

NAME_CHARACTERS = 500
"""Of a page's path and of a section's anchor, wherever they are named. A row of the database's index of both holds
2,704 bytes, and a character can take four."""


class Audience(StrEnum):
    """Who a page is for: its folder, and for administrators which of them."""

    SHARED = "shared"
    STUDENT = "student"
    TEACHER = "teacher"
    ADMINISTRATOR_FULL = "administrator:full"
    ADMINISTRATOR_TRAINER = "administrator:trainer"
    ADMINISTRATOR_ALL = "administrator:all"


@dataclass(frozen=True)
class Section:
    """A piece of a page under one heading. `anchor` names it within its page; `id` names it anywhere."""

    page: str
    page_title: str
    language: str
    audience: Audience
    anchor: str
    title: str
    text: str

    @cached_property
    def id(self) -> str:
        """20 hexadecimal digits, the same as long as page, language and heading are."""
        named = "\n".join((self.page, self.language, self.anchor))
        return hashlib.sha256(named.encode()).hexdigest()[:20]

    @property
    def full_title(self) -> str:
        return self.title if self.title == self.page_title else f"{self.page_title}: {self.title}"


@dataclass(frozen=True)
class ManualPage:
    """One file of the manual, cut into sections. `path` has no ending and no language."""

    path: str
    language: str
    title: str
    audience: Audience
    sections: tuple[Section, ...]

    @property
    def help_topic(self) -> str | None:
        """The screen this page is the help of: it stands in a `help` folder under its topic's name."""
        parts = self.path.split("/")
        return parts[-1] if len(parts) > 1 and parts[-2] == "help" else None


DEFAULT_LANGUAGE = "en"
"""The language of a page whose file name carries none, unless the mapping of its manual says another."""


@dataclass(frozen=True)
class Publication:
    """One whole, immutable version of the manual. `id` is the hash of all its content: the corpus version.

    `published_as` is the id it was published under, for one that is read again and may lack what was withdrawn since.
    """

    pages: tuple[ManualPage, ...]
    glossary: Glossary = field(default_factory=Glossary, hash=False)
    published_as: str | None = field(default=None, kw_only=True)
    _by_section: Mapping[str, Section] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sections = {section.id: section for page in self.pages for section in page.sections}
        object.__setattr__(self, "_by_section", sections)

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits over every section's place, audience and text, and the glossary if there is one."""
        if self.published_as is not None:
            return self.published_as
        digest = hashlib.sha256()
        for page in sorted(self.pages, key=lambda page: (page.path, page.language)):
            for section in page.sections:
                for part in (
                    section.page,
                    section.page_title,
                    section.language,
                    section.audience,
                    section.anchor,
                    section.title,
                    section.text,
                ):
                    digest.update(part.encode() + b"\0")
        if self.glossary.groups:
            # It ends without the NUL that every part of a section ends with: no section reads like it.
            digest.update(b"glossary\0" + json.dumps(self.glossary.groups, sort_keys=True).encode())
        return digest.hexdigest()[:16]

    @cached_property
    def language(self) -> str:
        """The manual's own first language: that of most of its pages, `DEFAULT_LANGUAGE` where none has more."""
        count = Counter(page.language for page in self.pages)
        return max(count, key=lambda each: (count[each], each == DEFAULT_LANGUAGE, each), default=DEFAULT_LANGUAGE)

    def section(self, section_id: str, audiences: frozenset[Audience]) -> Section | None:
        """The section for a reader of these audiences; None for one that is not theirs or is not there at all."""
        section = self._by_section.get(section_id)
        return section if section is not None and section.audience in audiences else None

    def readable(self, audiences: frozenset[Audience]) -> tuple[ManualPage, ...]:
        """The pages of these audiences, in the order of their paths."""
        return tuple(page for page in self._in_order if page.audience in audiences)

    @cached_property
    def _in_order(self) -> tuple[ManualPage, ...]:
        return tuple(sorted(self.pages, key=lambda page: (page.path, page.language != self.language, page.language)))

    @cached_property
    def _help(self) -> Mapping[str, tuple[ManualPage, ...]]:
        """The help pages of each topic, in order."""
        topics: dict[str, list[ManualPage]] = {}
        for page in self._in_order:
            if page.help_topic is not None:
                topics.setdefault(page.help_topic, []).append(page)
        return {topic: tuple(pages) for topic, pages in topics.items()}

    @cached_property
    def _variants(self) -> Mapping[str, tuple[ManualPage, ...]]:
        """The languages of each page, the manual's own first."""
        paths: dict[str, list[ManualPage]] = {}
        for page in self._in_order:
            paths.setdefault(page.path, []).append(page)
        return {path: tuple(pages) for path, pages in paths.items()}

    def page(self, path: str, audiences: frozenset[Audience], language: str) -> ManualPage | None:
        """The page in this language, else in its first; None where the reader has no such page."""
        variants = [page for page in self._variants.get(path, ()) if page.audience in audiences]
        matching = [page for page in variants if page.language == language]
        return next(iter(matching + variants), None)

    def help_page(self, topic: str, audiences: frozenset[Audience], language: str) -> ManualPage | None:
        """A screen's help for this reader: of several, the one for the narrowest audience."""
        paths = {page.path: page for page in self._help.get(topic, ()) if page.audience in audiences}
        narrowest = max(paths.values(), key=lambda page: (_NARROWNESS[page.audience], page.path), default=None)
        return None if narrowest is None else self.page(narrowest.path, audiences, language)


_NARROWNESS: Mapping[Audience, int] = {
    Audience.SHARED: 0,
    Audience.STUDENT: 1,
    Audience.TEACHER: 2,
    Audience.ADMINISTRATOR_ALL: 3,
    Audience.ADMINISTRATOR_TRAINER: 4,
    Audience.ADMINISTRATOR_FULL: 5,
}


@dataclass(frozen=True)
class ManualFault:
    """What is wrong with a file of the manual: its path under the manual's root, the line (from 1), the words."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class ManualInvalid(Exception):
    """A manual that cannot be published as it is; every fault found is listed."""

    def __init__(self, faults: Iterable[ManualFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault) for fault in self.faults))
