"""Evaluates the search: every question is asked as its role would ask it."""

from collections.abc import Iterable, Mapping

from assist_service.domain.evaluation import LOOKED_THROUGH, Expected, Ranked
from assist_service.domain.manual import Audience
from assist_service.domain.people import Role
from assist_service.ports import Edition


def evaluate(
    manual: Edition, questions: Iterable[Expected], readers: Mapping[Role, frozenset[Audience]]
) -> tuple[Ranked, ...]:
    """The rank of the first page that answers each question, as its role finds it."""
    return tuple(_ranked(manual, one, readers.get(one.role, frozenset())) for one in questions)


def _ranked(manual: Edition, expected: Expected, audiences: frozenset[Audience]) -> Ranked:
    open_pages = {page.path for page in manual.publication.pages if page.audience in audiences}
    hits = manual.index.search(
        expected.question, audiences=audiences, language=expected.language.value, limit=LOOKED_THROUGH
    )
    rank = next((rank for rank, hit in enumerate(hits, start=1) if hit.page in expected.pages), None)
    return Ranked(expected, rank, tuple(page for page in expected.pages if page not in open_pages))
