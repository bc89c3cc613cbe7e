"""What a reader finds, in which order and with which scores depends on nothing but what this reader may read."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assist_service.adapters.search import build_index
from assist_service.adapters.search.index import KINDS_OF_READERS
from assist_service.domain.manual import Audience, ManualPage, Publication, Section
from assist_service.domain.search import Hit

STUDENT = frozenset({Audience.SHARED, Audience.STUDENT})


def page(number: int, text: str, audience: Audience, language: str = "en") -> ManualPage:
    path, title = f"{audience.value.split(':')[0]}/p{number}", text.split(" ")[0]
    half = len(text) // 2
    sections = tuple(
        Section(path, title, language, audience, f"{language}-{at}", title, part)
        for at, part in enumerate((text[:half], text[half:]))
    )
    return ManualPage(path, language, title, audience, sections)


def hits(
    pages: Sequence[ManualPage], query: str, readers: frozenset[Audience], language: str = "en"
) -> tuple[Hit, ...]:
    index = build_index(Publication(tuple(pages)))
    return index.search(query, audiences=readers, language=language, limit=50)


OPEN = [
    page(0, "assessment of a course with an assessment at its end", Audience.STUDENT),
    page(1, "grade book and what a grade is", Audience.STUDENT),
    page(2, "course of many lessons each with a grade", Audience.SHARED),
    page(3, "cours et notes d'un élève", Audience.SHARED, "fr"),
]


@pytest.mark.parametrize(
    ("query", "hidden"),
    [
        ("assesment", "assesment is how somebody typed it"),
        ("gradebook", "gradebook of the administrator"),
        ("grade book", "gradebook of the administrator"),
        ("course grade", "course course course course"),
        ("grade", "a page so long that no other is " * 50),
        ("notes cours", "notes notes notes"),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_hidden_page_changes_no_hit_no_order_and_no_score(query: str, hidden: str, language: str) -> None:
    others = [page(10 + at, hidden, Audience.ADMINISTRATOR_FULL, language) for at in range(20)]
    alone = hits(OPEN, query, STUDENT, language)
    assert alone
    assert hits([*others[:10], *OPEN, *others[10:]], query, STUDENT, language) == alone


WORDS = "course grade quiz gradebook coursse book the élève note notes évaluation evaluation lesson quizz".split()
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
PAGES = st.lists(
    st.tuples(TEXTS, st.sampled_from(list(Audience)), st.sampled_from(["en", "fr"])), min_size=1, max_size=12
)


@pytest.mark.slow
@given(PAGES, TEXTS, st.frozensets(st.sampled_from(list(Audience))), st.sampled_from(["en", "fr", "fil"]))
@settings(max_examples=25, deadline=None)
def test_the_answer_is_that_of_a_manual_without_what_the_reader_may_not_read(
    drawn: list[tuple[str, Audience, str]], query: str, readers: frozenset[Audience], language: str
) -> None:
    pages = [page(at, *each) for at, each in enumerate(drawn)]
    theirs = [one for one in pages if one.audience in readers]
    assert hits(pages, query, readers, language) == hits(theirs, query, readers, language)


def test_a_reader_for_whom_the_index_is_ready_waits_for_nothing() -> None:
    ready = build_index(Publication(tuple(OPEN)))
    ready.prepare(STUDENT)
    assert ready.kinds_of_readers == 1
    ready.search("grade", audiences=STUDENT, language="en", limit=5)
    assert ready.kinds_of_readers == 1


def test_the_indexes_that_are_kept_are_bounded() -> None:
    index = build_index(Publication(tuple(OPEN)))
    every = [frozenset({one, other}) for one in Audience for other in Audience]
    for readers in every:
        index.search("grade", audiences=readers, language="en", limit=5)
    assert index.kinds_of_readers <= KINDS_OF_READERS < len(set(every))
