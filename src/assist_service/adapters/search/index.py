"""The index of one publication, in memory: sections and whole pages, each reader's audiences inside every query.

A section says where the answer stands, its page says whether it is about the matter at all: both are scored by
the same query, so that a question whose words are spread over a page finds it too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tantivy import Document, Index, Occur, Query, Schema, SchemaBuilder, Searcher

from assist_service.adapters.search.analysis import Terms
from assist_service.adapters.search.glossary import everyday_glossary, translated_glossary
from assist_service.adapters.search.query import (
    EVERYDAY_WEIGHT,
    GLOSSARY_WEIGHT,
    LANGUAGE,
    TEXT,
    TRANSLATION_WEIGHT,
    QueryBuilder,
)
from assist_service.adapters.search.rarity import Rarity, rarities
from assist_service.adapters.search.reading import Reader
from assist_service.domain.manual import DEFAULT_LANGUAGE, Audience, ManualPage, Publication, Section
from assist_service.domain.screens import Language
from assist_service.domain.search import Hit, fold, path_words, words

AUDIENCE = "audience"
IDENTITY = "identity"
PLACE = "place"

TITLE_WEIGHT = 3
HEADING_WEIGHT = 3
PATH_WEIGHT = 1
"""Times a title, a heading, a path counts as said once in the text: how BM25F weighs fields before it saturates."""

PAGE_SHARE = 1.0
"""What the whole page's score adds to its best section's."""

OWN_WEIGHT = 1.2
"""A page written for this reader counts more than one that others need and this reader may read too."""

_CIRCLES = (
    frozenset({Audience.ADMINISTRATOR_FULL, Audience.ADMINISTRATOR_TRAINER, Audience.ADMINISTRATOR_ALL}),
    frozenset({Audience.TEACHER}),
    frozenset({Audience.STUDENT}),
)
"""From the narrowest to the widest; whoever reads one of them reads the wider ones as a guest."""

FOUND_AT_FIRST = 100
"""Sections and pages that are ranked, the best of all that match; more are asked for where pages are still missing."""

HEAP_BYTES = 60_000_000
"""Memory the one writing thread may take while it writes: enough that a large manual is one segment, read faster."""


def build_index(publication: Publication) -> "TantivyIndex":
    """The index of a publication."""
    return TantivyIndex(publication)


class TantivyIndex:
    """Implements ports.SectionIndex. Immutable once made; safe from several threads."""

    def __init__(self, publication: Publication) -> None:
        self._pages = publication.pages
        self._homes = [(place, section) for place, page in enumerate(self._pages) for section in page.sections]
        self._places = {section.id: place for place, (_, section) in enumerate(self._homes)}
        self._variants: dict[str, list[ManualPage]] = defaultdict(list)
        for page in self._pages:
            self._variants[page.path].append(page)
        names = (
            (EVERYDAY_WEIGHT, everyday_glossary()),
            (TRANSLATION_WEIGHT, translated_glossary()),
            (GLOSSARY_WEIGHT, publication.glossary),
        )
        self._readers = {language.value: Reader(language.value, names) for language in Language}
        self._schema = _schema()
        self._fill()

    def _fill(self) -> None:
        terms = {language: Terms(language) for language in dict.fromkeys(page.language for page in self._pages)}
        vocabularies: dict[str, Counter[str]] = {language: Counter() for language in terms}
        sections: list[_Entry] = []
        for home, section in self._homes:
            language = self._pages[home].language
            said = _section_words(section)
            vocabularies[language].update({fold(word) for word in said})
            sections.append(_Entry(section.id, section.audience, language, terms[language].text(said)))
        pages = [
            _Entry(page.path, page.audience, page.language, terms[page.language].text(_page_words(page)))
            for page in self._pages
        ]
        self._sections = _filled(self._schema, sections)
        self._whole = _filled(self._schema, pages)
        in_sections, in_pages = map(_rarities, (sections, pages))
        self._builders = [
            QueryBuilder(
                self._schema,
                language,
                one,
                vocabularies[language],
                in_sections=in_sections[language],
                in_pages=in_pages[language],
            )
            for language, one in terms.items()
            if language in in_sections
        ]

    def search(self, query: str, *, audiences: frozenset[Audience], language: str, limit: int) -> tuple[Hit, ...]:
        """The pages that fit best, each once with its best section, in the language asked for where there is one."""
        reading = (self._readers.get(language) or self._readers[DEFAULT_LANGUAGE]).read(query)
        built = [one for builder in self._builders if (one := builder.build(reading, language)) is not None]
        if not built or not audiences or limit < 1:
            return ()
        of_sections, of_pages = (
            self._filtered(Query.boolean_query([(Occur.Should, one) for one in each]), audiences)
            for each in zip(*built, strict=True)
        )
        asked = max(FOUND_AT_FIRST, limit)
        while True:
            sections = _scores(self._sections, of_sections, asked)
            pages = _scores(self._whole, of_pages, asked)
            hits = self._grouped(sections, pages, _written_for(audiences))
            # Fewer than asked for were there: whoever matches at all has been seen.
            if len(hits) >= limit or (len(sections) < asked and len(pages) < asked):
                return tuple(self._in_language(hit, sections, audiences, language) for hit in hits[:limit])
            asked *= 4

    def holds(self, section_id: str, *, audiences: frozenset[Audience]) -> bool:
        """Whether a reader of these audiences can find the section: a query through the filter of every search."""
        if not audiences or section_id not in self._places:
            return False
        identity = Query.term_query(self._schema, IDENTITY, section_id)
        return bool(_scores(self._sections, self._filtered(identity, audiences), 1))

    def _filtered(self, query: Query, audiences: frozenset[Audience]) -> Query:
        """The query with the reader's audiences inside: it ranks nothing that is not theirs, and counts nothing."""
        # A term set would do too, at thirty times the cost.
        each = [Query.term_query(self._schema, AUDIENCE, one.value, index_option="basic") for one in sorted(audiences)]
        theirs = Query.boolean_query([(Occur.Should, one) for one in each])
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(theirs, 0.0))])

    def _grouped(
        self, sections: Mapping[int, float], pages: Mapping[int, float], own: frozenset[Audience]
    ) -> list[Hit]:
        """One hit for each page path, the best of its translations counting, in the order of their scores."""
        best: dict[str, Hit] = {}
        for place, score in sections.items():
            home, section = self._homes[place]
            whole = (score + PAGE_SHARE * pages.get(home, 0.0)) * (OWN_WEIGHT if section.audience in own else 1.0)
            if section.page not in best or whole > best[section.page].score:
                best[section.page] = Hit(section.id, section.page, whole)
        return sorted(best.values(), key=lambda hit: (-hit.score, hit.page))

    def _in_language(self, hit: Hit, scores: Mapping[int, float], audiences: frozenset[Audience], language: str) -> Hit:
        """The hit in the language asked for, if its page has a translation this reader may read."""
        hit_page = self._homes[self._places[hit.section_id]][0]
        if self._pages[hit_page].language == language:
            return hit
        variants = (page for page in self._variants[hit.page] if page.language == language and page.sections)
        page = next((page for page in variants if page.audience in audiences), None)
        if page is None:
            return hit
        found = max(page.sections, key=lambda section: scores.get(self._places[section.id], 0.0))
        if self._places[found.id] not in scores:
            found = _counterpart(self._homes[self._places[hit.section_id]][1], self._pages[hit_page], page)
        return Hit(found.id, hit.page, hit.score)


def _written_for(audiences: frozenset[Audience]) -> frozenset[Audience]:
    """The audiences that a reader of all these is meant by, rather than let in to."""
    return next((audiences & circle for circle in _CIRCLES if audiences & circle), frozenset())


def _counterpart(section: Section, page: ManualPage, translation: ManualPage) -> Section:
    """The section of a translation that stands where this one does; its first where the two are cut differently."""
    same_cut = len(page.sections) == len(translation.sections)
    return translation.sections[page.sections.index(section) if same_cut else 0]


@dataclass(frozen=True)
class _Entry:
    """What is indexed of a section or of a page."""

    identity: str
    audience: Audience
    language: str
    text: str


def _rarities(entries: Iterable[_Entry]) -> Mapping[str, Rarity]:
    return rarities((entry.language, entry.text.split()) for entry in entries)


def _schema() -> Schema:
    builder = SchemaBuilder()
    builder.add_text_field(TEXT, tokenizer_name="whitespace", index_option="position")
    builder.add_text_field(AUDIENCE, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(LANGUAGE, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(IDENTITY, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(PLACE, fast=True)
    return builder.build()


def _filled(schema: Schema, entries: Iterable[_Entry]) -> Searcher:
    """The reader of an index in memory; an entry's place is its number here."""
    index = Index(schema)
    # Several threads would each leave a segment, and each segment costs every search its share.
    writer = index.writer(heap_size=HEAP_BYTES, num_threads=1)
    for place, entry in enumerate(entries):
        document = Document()
        document.add_text(IDENTITY, entry.identity)
        document.add_text(AUDIENCE, entry.audience.value)
        document.add_text(LANGUAGE, entry.language)
        document.add_text(TEXT, entry.text)
        document.add_unsigned(PLACE, place)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index.searcher()


def _scores(searcher: Searcher, query: Query, limit: int) -> dict[int, float]:
    """The places of the best documents with their scores, best first."""
    found = searcher.search(query, limit, count=False).hits
    places = searcher.fast_field_values(PLACE, [address for _, address in found])
    return {int(place): score for place, (score, _) in zip(places, found, strict=True) if place is not None}


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
