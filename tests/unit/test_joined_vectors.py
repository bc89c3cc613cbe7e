"""What joined search does with vectors: which sections are compared, by how much, and what of those without one."""

import asyncio
import math
import threading
from collections.abc import Sequence

import pytest

from assist_service.adapters.search import build_index
from assist_service.adapters.search.joined import SECTIONS, JoinedIndex
from assist_service.bootstrap.meanings import meanings_of
from assist_service.domain.manual import Audience, ManualPage, Publication
from assist_service.domain.search import Hit
from assist_service.domain.vectors import Vectors, pack
from assist_service.ports import SectionIndex, Vector
from assist_service.tools.searching import SEARCH_GUIDE, SearchGuideArguments
from tests.fakes.hashed_embedder import HashedEmbedder
from tests.unit.small_index import EVERYONE, page
from tests.unit.small_manual import desk

STUDENT = frozenset({Audience.SHARED, Audience.STUDENT})

TEACHER = STUDENT | {Audience.TEACHER}

GRADES = page("student/grades", "Grades", "Each student sees the grade.", audience=Audience.STUDENT)
TOOLS = page("shared/tools", "Tools", "Rulers and pens are in the drawer.", audience=Audience.SHARED)
POOLS = page("teacher/pools", "Pools", "New.")
MANUAL = Publication((GRADES, TOOLS, POOLS))


class SaysHowLike:
    """Implements ports.Embedder: a passage is as like any query as the number it ends with says."""

    model, dimensions, floor = "says-1", 2, -1.0

    def __init__(self) -> None:
        self.threads: set[int] = set()

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        numbers = [float(text.split()[-1]) for text in texts]
        return [[number, math.sqrt(1 - number**2)] for number in numbers]

    def query(self, text: str) -> Vector:
        self.threads.add(threading.get_ident())
        return [1.0, 0.0]


class Blind:
    """Implements ports.SectionIndex: words that find nothing and hold what they are told; keeps who it is ready for."""

    takes_time = False

    def __init__(self, *held: str) -> None:
        self.held = held
        self.ready_for: list[frozenset[Audience]] = []

    def search(self, query: str, *, audiences: frozenset[Audience], language: str, limit: int) -> tuple[Hit, ...]:
        return ()

    def holds(self, section_id: str, *, audiences: frozenset[Audience]) -> bool:
        return section_id in self.held

    def prepare(self, audiences: frozenset[Audience]) -> None:
        self.ready_for.append(audiences)


def by_likeness(*pages: ManualPage, words: SectionIndex | None = None) -> SectionIndex:
    publication, meanings = Publication(pages), meanings_of(SaysHowLike(), progress=lambda *_: None)
    return meanings.join(words or Blind(), publication, meanings.embed(publication))


def nearest(*pages: ManualPage, language: str = "en", readers: frozenset[Audience] = TEACHER) -> list[str]:
    hits = by_likeness(*pages).search("what", audiences=readers, language=language, limit=5)
    return [hit.page for hit in hits]


def test_a_section_is_compared_with_those_of_its_own_language() -> None:
    """Raw, each of the French pages is nearer than the English one, which alone of its language says it."""
    french = [page(f"teacher/f{at}", "F", f"{like}", language="fr") for at, like in enumerate((0.90, 0.89, 0.88))]
    english = [page(f"teacher/e{at}", "E", f"{like}") for at, like in enumerate((0.85, 0.60, 0.60))]
    assert nearest(*french, *english, language="fr")[:2] == ["teacher/e0", "teacher/f0"]


def test_what_was_written_for_the_reader_stands_before_what_is_a_little_nearer() -> None:
    pages = [
        page("student/grades", "G", "0.85", audience=Audience.STUDENT),
        page("teacher/grades", "G", "0.84"),
        *(page(f"teacher/other{at}", "O", f"0.7{at}") for at in range(8)),
    ]
    assert nearest(*pages)[:2] == ["teacher/grades", "student/grades"]
    far = page("teacher/grades", "G", "0.70")
    assert nearest(pages[0], far, *pages[2:])[0] == "student/grades"
    assert nearest(*pages, readers=STUDENT) == ["student/grades"]


def test_of_a_translation_it_is_the_section_most_like_the_query_wherever_it_stands() -> None:
    others = [page(f"teacher/o{at}", "O", "0.1") for at in range(3)]
    english = page("teacher/a", "A", "0.3", "0.9")
    french = page("teacher/a", "A", "0.81", "0.80", "0.82", "0.80", language="fr")
    [hit, *_] = by_likeness(english, french, *others).search("what", audiences=TEACHER, language="fr", limit=1)
    assert hit.section_id == french.sections[2].id


def test_equal_ones_stand_in_the_order_of_their_paths_and_sections() -> None:
    of_many = page("teacher/b", "B", *["0.9"] * 2 * SECTIONS)  # a sort of fewer keeps their order by chance
    pages = [page("teacher/d", "D", "0.1"), page("teacher/c", "C", "0.9"), page("teacher/a", "A", "0.9"), of_many]
    assert nearest(*pages) == ["teacher/a", "teacher/b", "teacher/c"]
    hits = by_likeness(*pages).search("what", audiences=TEACHER, language="en", limit=2)
    assert hits[1].section_id == of_many.sections[0].id


def test_the_words_are_made_ready() -> None:
    words = Blind()
    by_likeness(page("teacher/a", "A", "0.9"), words=words).prepare(TEACHER)
    assert words.ready_for == [TEACHER]


async def test_a_search_leaves_the_event_loops_thread() -> None:
    embedder, made = SaysHowLike(), Publication((page("teacher/a", "A", "0.9"),))
    meanings = meanings_of(embedder, progress=lambda *_: None)
    index = meanings.join(Blind(), made, meanings.embed(made))
    await asyncio.wait_for(SEARCH_GUIDE.run(SearchGuideArguments(query="pool"), desk(made, index=index)), 10)
    assert embedder.threads
    assert threading.get_ident() not in embedder.threads


# What is held, and what is refused

ALL = meanings_of(HashedEmbedder(), progress=lambda *_: None).embed(MANUAL)


def joined(vectors: Vectors, words: SectionIndex | None = None) -> JoinedIndex:
    return JoinedIndex(words or build_index(MANUAL), MANUAL, vectors, HashedEmbedder())


def without(left_out: ManualPage) -> Vectors:
    ids = {section.id for section in left_out.sections}
    return Vectors(ALL.model, {key: vector for key, vector in ALL.by_section.items() if key not in ids})


def test_a_section_is_held_for_its_readers_alone() -> None:
    index = joined(ALL)
    assert index.holds(GRADES.sections[0].id, audiences=STUDENT)
    assert not index.holds(POOLS.sections[0].id, audiences=STUDENT)
    assert index.holds(POOLS.sections[0].id, audiences=EVERYONE)
    assert not index.holds("none", audiences=EVERYONE)


def test_what_has_a_vector_is_held_by_it_alone_so_that_neither_way_hides_what_the_other_lost() -> None:
    grades, pools = GRADES.sections[0].id, POOLS.sections[0].id
    assert joined(ALL, Blind()).holds(grades, audiences=STUDENT)
    assert not joined(ALL, Blind(pools)).holds(pools, audiences=STUDENT)


def test_a_section_without_a_vector_is_found_and_held_by_words_alone() -> None:
    grades, index = GRADES.sections[0].id, joined(without(GRADES))
    assert index.holds(grades, audiences=STUDENT)
    assert not joined(without(GRADES), Blind()).holds(grades, audiences=STUDENT)
    for query, there in (
        ("sees", ["student/grades"]),
        ("marka", []),
    ):  # the second is a word of another language for it
        hits = index.search(query, audiences=STUDENT, language="en", limit=5)
        assert [hit.page for hit in hits] == there
    assert joined(ALL).search("marka", audiences=STUDENT, language="fil", limit=5)[0].section_id == grades
    assert index.search("drawer", audiences=STUDENT, language="en", limit=5)[0].page == "shared/tools"


def test_a_translation_without_vectors_is_none() -> None:
    english, french = page("teacher/a", "A", "0.9"), page("teacher/a", "A", "0.9", language="fr")
    made, meanings = Publication((english, french)), meanings_of(SaysHowLike(), progress=lambda *_: None)
    vectors = meanings.embed(Publication((english,)))
    [hit] = meanings.join(Blind(), made, vectors).search("what", audiences=TEACHER, language="fr", limit=5)
    assert hit.section_id == english.sections[0].id


@pytest.mark.parametrize(
    "vectors",
    [
        Vectors("another", ALL.by_section),
        Vectors(ALL.model, dict.fromkeys(ALL.by_section, pack([1.0, 0.0]))),
        Vectors(ALL.model, {**ALL.by_section, GRADES.sections[0].id: pack([1.0, 0.0])}),
    ],
    ids=["another model", "another size", "two sizes"],
)
def test_vectors_that_cannot_be_compared_are_refused(vectors: Vectors) -> None:
    with pytest.raises(ValueError, match="not of this model"):
        joined(vectors)
