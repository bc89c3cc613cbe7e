"""Evaluates the search: every question is asked as its role would ask it."""

from collections.abc import Iterable, Mapping

from assist_service.domain.evaluation import LOOKED_THROUGH, Expected, Ranked
from assist_service.domain.manual import Audience
from assist_service.domain.people import Role
from assist_service.ports import SectionIndex


def evaluate(
    index: SectionIndex, questions: Iterable[Expected], readers: Mapping[Role, frozenset[Audience]]
) -> tuple[Ranked, ...]:
    """The rank of each question's page, as its role finds it."""
    return tuple(Ranked(one, _rank(index, one, readers.get(one.role, frozenset()))) for one in questions)


def _rank(index: SectionIndex, expected: Expected, audiences: frozenset[Audience]) -> int | None:
    hits = index.search(expected.question, audiences=audiences, language=expected.language.value, limit=LOOKED_THROUGH)
    return next((rank for rank, hit in enumerate(hits, start=1) if hit.page == expected.page), None)
