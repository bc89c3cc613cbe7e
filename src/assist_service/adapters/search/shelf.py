"""What one kind of reader may read in one language: an index of its own, so that nothing else counts in its scores.

A filter inside a larger index would keep hidden pages out of what is found, but not out of how it is scored: how rare
a word is and how long a text is are measured over all that an index holds.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tantivy import Document, Index, Query, Schema, SchemaBuilder, Searcher

from assist_service.adapters.search.analysis import Terms
from assist_service.adapters.search.query import IDENTITY, TEXT, QueryBuilder
from assist_service.adapters.search.rarity import Rarity
from assist_service.adapters.search.reading import Reading
from assist_service.adapters.search.texts import Batch, Entry

PLACE = "place"

HEAP_BYTES = 60_000_000
"""Memory the one writing thread may take while it writes: enough that a large manual is one segment, read faster."""


def _schema() -> Schema:
    builder = SchemaBuilder()
    builder.add_text_field(TEXT, tokenizer_name="whitespace", index_option="position")
    builder.add_text_field(IDENTITY, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(PLACE, fast=True)
    return builder.build()


SCHEMA = _schema()


@dataclass(frozen=True)
class Found:
    """The best sections and pages with their scores, by their places; `whole` where no more of them match."""

    sections: Mapping[int, float]
    pages: Mapping[int, float]
    whole: bool


class Shelf:
    """The pages of one language that a reader may read: sections and whole pages, each scored as a whole."""

    def __init__(self, language: str, terms: Terms, batch: Batch, *, sections: int, pages: int) -> None:
        """`sections` and `pages`: how many this reader may read in all languages."""
        self._sections = _filled(batch.sections.all)
        self._pages = _filled(batch.pages.all)
        self._builder = QueryBuilder(
            SCHEMA,
            language,
            terms,
            batch.vocabulary,
            in_sections=Rarity(batch.sections.counts, len(batch.sections.all), sections),
            in_pages=Rarity(batch.pages.counts, len(batch.pages.all), pages),
        )

    def queries(self, reading: Reading, asked_for: str) -> tuple[Query, Query] | None:
        """The queries for sections and for whole pages; None where nothing here has any of the words."""
        return self._builder.build(reading, asked_for)

    def search(self, queries: tuple[Query, Query], limit: int) -> Found:
        """So many of the best sections, and of the best pages."""
        sections = _scores(self._sections, queries[0], limit)
        pages = _scores(self._pages, queries[1], limit)
        return Found(sections, pages, whole=len(sections) < limit and len(pages) < limit)

    def holds(self, section_id: str) -> bool:
        """Whether the section is here."""
        return bool(_scores(self._sections, Query.term_query(SCHEMA, IDENTITY, section_id), 1))


def _filled(entries: Iterable[Entry]) -> Searcher:
    """The reader of an index in memory."""
    index = Index(SCHEMA)
    # Several threads would each leave a segment, and each segment costs every search its share.
    writer = index.writer(heap_size=HEAP_BYTES, num_threads=1)
    for entry in entries:
        document = Document()
        document.add_text(IDENTITY, entry.identity)
        document.add_text(TEXT, entry.text)
        document.add_unsigned(PLACE, entry.place)
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
