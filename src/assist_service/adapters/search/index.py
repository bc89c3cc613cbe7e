"""The index of one publication, in memory: sections and whole pages, apart for each kind of reader.

A section says where the answer stands, its page says whether it is about the matter at all: both are scored by
the same query, so that a question whose words are spread over a page finds it too.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from assist_service.adapters.search.analysis import Terms
from assist_service.adapters.search.glossary import everyday_glossary, translated_glossary
from assist_service.adapters.search.query import EVERYDAY_WEIGHT, GLOSSARY_WEIGHT, TRANSLATION_WEIGHT
from assist_service.adapters.search.reading import Reader
from assist_service.adapters.search.shelf import Shelf
from assist_service.adapters.search.texts import batches, together
from assist_service.domain.manual import DEFAULT_LANGUAGE, Audience, ManualPage, Publication, Section
from assist_service.domain.screens import Language
from assist_service.domain.search import Hit

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

FOUND_AT_FIRST = 60
"""Sections and pages that are ranked, the best of all that match; more are asked for where pages are still missing."""

KINDS_OF_READERS = 8
"""Sets of audiences whose indexes are kept: a policy has one for each role, of which there are fewer."""


def build_index(publication: Publication) -> "TantivyIndex":
    """The index of a publication; what a reader needs of it is made at their first search, or by `prepare`."""
    return TantivyIndex(publication)


class TantivyIndex:
    """Implements ports.SectionIndex. Answers never change once it is made; safe from several threads."""

    takes_time = False

    def __init__(self, publication: Publication) -> None:
        self._pages = publication.pages
        self._sections = [section for page in self._pages for section in page.sections]
        self._homes = [(at, page.path, page.audience) for at, page in enumerate(self._pages) for _ in page.sections]
        self._places = {section.id: place for place, section in enumerate(self._sections)}
        self._variants: dict[str, list[ManualPage]] = defaultdict(list)
        for page in self._pages:
            self._variants[page.path].append(page)
        names = (
            (EVERYDAY_WEIGHT, everyday_glossary()),
            (TRANSLATION_WEIGHT, translated_glossary()),
            (GLOSSARY_WEIGHT, publication.glossary),
        )
        self._readers = {language.value: Reader(language.value, names) for language in Language}
        self._terms = {language: Terms(language) for language in sorted({page.language for page in self._pages})}
        self._batches = batches(self._pages, self._terms)
        self._shelves = lru_cache(KINDS_OF_READERS)(self._shelves_for)

    def _shelves_for(self, audiences: frozenset[Audience]) -> Mapping[str, Shelf]:
        """One shelf for each language this reader has pages in, made of what they may read and of nothing else."""
        theirs = {
            language: together(
                self._batches[key] for one in sorted(audiences) if (key := (language, one)) in self._batches
            )
            for language in self._terms
        }
        sections = sum(len(batch.sections.all) for batch in theirs.values())
        pages = sum(len(batch.pages.all) for batch in theirs.values())
        return {
            language: Shelf(language, self._terms[language], batch, sections=sections, pages=pages)
            for language, batch in theirs.items()
            if batch.sections.all
        }

    def prepare(self, audiences: frozenset[Audience]) -> None:
        """Makes what the first search of such a reader would have to wait for."""
        self._shelves(audiences)

    @property
    def kinds_of_readers(self) -> int:
        """How many are kept ready at the moment."""
        return self._shelves.cache_info().currsize

    def search(self, query: str, *, audiences: frozenset[Audience], language: str, limit: int) -> tuple[Hit, ...]:
        """The pages that fit best, each once with its best section, in the language asked for where there is one."""
        reading = (self._readers.get(language) or self._readers[DEFAULT_LANGUAGE]).read(query)
        queries = [(shelf, shelf.queries(reading, language)) for shelf in self._shelves(audiences).values()]
        built = [(shelf, each) for shelf, each in queries if each is not None]
        if not built or limit < 1:
            return ()
        asked = max(FOUND_AT_FIRST, limit)
        while True:
            found = [shelf.search(each, asked) for shelf, each in built]
            sections = {place: score for each in found for place, score in each.sections.items()}
            pages = {place: score for each in found for place, score in each.pages.items()}
            hits = self._grouped(sections, pages, written_for(audiences), limit)
            if len(hits) >= limit or all(each.whole for each in found):
                return tuple(self._in_language(hit, sections, audiences, language) for hit in hits)
            asked *= 4

    def holds(self, section_id: str, *, audiences: frozenset[Audience]) -> bool:
        """Whether a reader of these audiences can find the section: looked up in what every search of theirs has."""
        if (place := self._places.get(section_id)) is None:
            return False
        shelf = self._shelves(audiences).get(self._sections[place].language)
        return shelf is not None and shelf.holds(section_id)

    def _grouped(
        self, sections: Mapping[int, float], pages: Mapping[int, float], own: frozenset[Audience], limit: int
    ) -> list[Hit]:
        """One hit for each page path, the best of its translations counting, in the order of their scores."""
        best: dict[str, tuple[float, int]] = {}
        for place, score in sections.items():
            home, path, audience = self._homes[place]
            whole = (score + PAGE_SHARE * pages.get(home, 0.0)) * (OWN_WEIGHT if audience in own else 1.0)
            if path not in best or whole > best[path][0]:
                best[path] = whole, place
        ordered = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))
        return [Hit(self._sections[place].id, page, score) for page, (score, place) in ordered[:limit]]

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
            found = _counterpart(self._sections[self._places[hit.section_id]], self._pages[hit_page], page)
        return Hit(found.id, hit.page, hit.score)


def written_for(audiences: frozenset[Audience]) -> frozenset[Audience]:
    """The audiences that a reader of all these is meant by, rather than let in to."""
    return next((audiences & circle for circle in _CIRCLES if audiences & circle), frozenset())


def _counterpart(section: Section, page: ManualPage, translation: ManualPage) -> Section:
    """The section of a translation with this one's name, else in its place; its first where it is cut differently."""
    if namesake := next((each for each in translation.sections if each.anchor == section.anchor), None):
        return namesake
    same_cut = len(page.sections) == len(translation.sections)
    return translation.sections[page.sections.index(section) if same_cut else 0]
