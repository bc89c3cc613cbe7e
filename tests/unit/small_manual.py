"""A manual of a few sections, built in a line: what a test of reading or citing stands on."""

from collections.abc import Iterable
from itertools import groupby
from typing import NoReturn

from assist_service.adapters.search import build_index
from assist_service.domain.citations import Given
from assist_service.domain.manual import Audience, ManualPage, Publication, Section
from assist_service.domain.names import Masks
from assist_service.domain.records import Known
from assist_service.domain.screens import Language
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads, SectionIndex
from assist_service.tools.tool import Desk

TEACHER = frozenset({Audience.SHARED, Audience.STUDENT, Audience.TEACHER})


def section(
    page: str = "teacher/pools",
    anchor: str = "create",
    text: str = "Press New pool.",
    *,
    audience: Audience = Audience.TEACHER,
    language: str = "en",
    title: str | None = None,
    page_title: str = "Pools",
) -> Section:
    """A section with the parts a test does not care for filled in."""
    return Section(page, page_title, language, audience, anchor, title or anchor.capitalize(), text)


def publication(*sections: Section) -> Publication:
    """A publication of these sections, those of a page one after the other."""
    return Publication(tuple(_pages(sections)))


def _pages(sections: Iterable[Section]) -> Iterable[ManualPage]:
    for (path, language), of_page in groupby(sections, key=lambda each: (each.page, each.language)):
        together = tuple(of_page)
        first = together[0]
        yield ManualPage(path, language, first.page_title, first.audience, together)


def desk(
    manual: Publication,
    *,
    audiences: frozenset[Audience] = TEACHER,
    language: Language = Language.ENGLISH,
    index: SectionIndex | None = None,
) -> Desk:
    """The desk of a question to this manual, nothing given yet, and an LMS that refuses every read."""
    reads: SchoolReads = _Refusing()
    return Desk(manual, index or build_index(manual), audiences, language, Given(manual), Known(), reads)


def masks(question: str = "How do I create a pool?") -> Masks:
    """The placeholders of a question that has none yet."""
    return Masks("bcdfghjk", question)


class _Refusing:
    def for_tool(self, tool: str) -> SchoolReads:
        same: SchoolReads = self
        return same

    def __getattr__(self, name: str) -> NoReturn:
        raise LmsFault(LmsFaultKind.REFUSED)
