"""Citations: a handle for every section this question was given, and which of them an answer may count."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from assist_service.domain.manual import Audience, Publication, Section
from assist_service.domain.withdrawals import NOTHING_WITHDRAWN, Withdrawals


@dataclass(frozen=True)
class Citation:
    """One counted citation of an answer: the number shown and the section it opens."""

    marker: int
    publication: str
    section: str
    page: str
    title: str

    @property
    def href(self) -> str:
        return f"/assist/manual/{self.publication}/{self.section}"


@dataclass
class Given:
    """The sections whose text this question was given, each under a short handle (`s1`, `s2`, …)."""

    publication: Publication
    _sections: dict[str, Section] = field(default_factory=dict)
    _handles: dict[str, str] = field(default_factory=dict)

    def handle(self, section: Section) -> str:
        """The section's handle; giving it here is what makes it citable."""
        if section.id not in self._handles:
            handle = f"s{len(self._handles) + 1}"
            self._handles[section.id] = handle
            self._sections[handle] = section
        return self._handles[section.id]

    def section(self, handle: str) -> Section | None:
        return self._sections.get(handle)


@dataclass
class Numbering:
    """Numbers the handles an answer cites in the order they appear; what may not count gets no number.

    The role's audiences are asked again here, whatever the search or the tool let through (row J4), and what was
    withdrawn while the question ran.
    """

    given: Given
    audiences: frozenset[Audience]
    withdrawn: Withdrawals = NOTHING_WITHDRAWN
    _citations: dict[str, Citation] = field(default_factory=dict)

    def cite(self, handle: str) -> int | None:
        if handle in self._citations:
            return self._citations[handle].marker
        section = self.given.section(handle)
        if section is None or not self._counts(section):
            return None
        citation = Citation(
            marker=len(self._citations) + 1,
            publication=self.given.publication.id,
            section=section.id,
            page=section.page,
            title=section.full_title,
        )
        self._citations[handle] = citation
        return citation.marker

    def _counts(self, section: Section) -> bool:
        is_theirs = self.given.publication.section(section.id, self.audiences) is not None
        return is_theirs and not self.withdrawn.close(section)

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citations.values())


def markers(citations: Iterable[Citation]) -> frozenset[int]:
    return frozenset(citation.marker for citation in citations)
