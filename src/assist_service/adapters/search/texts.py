"""What is indexed of a manual: the words of its sections and pages, by language and audience, and counts of them.

A manual is taken apart once; what one reader may read is put together from the parts (`shelf.py`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assist_service.adapters.search.analysis import Terms
from assist_service.domain.manual import Audience, ManualPage, Section
from assist_service.domain.search import fold, path_words, words

TITLE_WEIGHT = 3
HEADING_WEIGHT = 3
PATH_WEIGHT = 1
"""Times a title, a heading, a path counts as said once in the text: how BM25F weighs fields before it saturates."""


@dataclass(frozen=True)
class Entry:
    """A section or a page to be indexed: its number among all of the publication, its id or path, and its terms."""

    place: int
    identity: str
    text: str


@dataclass
class Entries:
    """Sections, or whole pages, and in how many of them each term is."""

    all: list[Entry] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, entry: Entry) -> None:
        self.all.append(entry)
        self.counts.update(set(entry.text.split()))

    def take(self, others: "Entries") -> None:
        self.all += others.all
        self.counts.update(others.counts)


@dataclass
class Batch:
    """The pages of one language for one audience; what a reader may read is several of them taken together."""

    sections: Entries = field(default_factory=Entries)
    pages: Entries = field(default_factory=Entries)
    vocabulary: Counter[str] = field(default_factory=Counter)
    """Words as they are typed without accents, with the number of sections that have them."""


Batches = Mapping[tuple[str, Audience], Batch]
"""By language and audience."""


def batches(pages: Sequence[ManualPage], terms: Mapping[str, Terms]) -> Batches:
    """Every page and section of a publication, numbered as they come."""
    made: dict[tuple[str, Audience], Batch] = {}
    section_place = 0
    for place, page in enumerate(pages):
        of = terms[page.language]
        batch = made.setdefault((page.language, page.audience), Batch())
        batch.pages.add(Entry(place, page.path, of.text(_page_words(page))))
        for section in page.sections:
            said = _section_words(section)
            batch.sections.add(Entry(section_place, section.id, of.text(said)))
            batch.vocabulary.update({fold(word) for word in said})
            section_place += 1
    return made


def together(parts: Iterable[Batch]) -> Batch:
    """One batch of several, its entries in the order of the publication."""
    whole = Batch()
    for part in parts:
        whole.sections.take(part.sections)
        whole.pages.take(part.pages)
        whole.vocabulary.update(part.vocabulary)
    for entries in (whole.sections, whole.pages):
        entries.all.sort(key=lambda entry: entry.place)
    return whole


_MARKUP = re.compile(r"\]\([^)\n]{0,500}\)|<[^<>\n]{1,200}>")
"""Where a link leads and what a tag says are no words of the text."""


def _body(section: Section) -> tuple[str, ...]:
    return words(_MARKUP.sub("] ", section.text))


def _section_words(section: Section) -> tuple[str, ...]:
    """A section's words, what names it said as often as it weighs."""
    heading = words(section.title) if section.title != section.page_title else ()
    return (
        *(words(section.page_title) * TITLE_WEIGHT),
        *(heading * HEADING_WEIGHT),
        *(path_words(section.page) * PATH_WEIGHT),
        *_body(section),
    )


def _page_words(page: ManualPage) -> tuple[str, ...]:
    """All words of a page, what names it and its parts said as often as it weighs."""
    named = words(page.title) * TITLE_WEIGHT + path_words(page.path) * PATH_WEIGHT
    headings = (word for section in page.sections for word in words(section.title) * HEADING_WEIGHT)
    return (*named, *headings, *(word for section in page.sections for word in _body(section)))
