"""Words and meanings find together what either finds, of what this reader may read and of nothing else."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assist_service.adapters.search import build_index
from assist_service.adapters.search.joined import PAGES, PAGES_ALONE
from assist_service.bootstrap.meanings import meanings_of
from assist_service.domain.fusion import fused
from assist_service.domain.manual import Audience, ManualPage, Publication
from assist_service.domain.search import QUERY_CHARACTERS, Hit
from assist_service.ports import SectionIndex
from tests.fakes.hashed_embedder import HashedEmbedder
from tests.unit.small_index import EVERYONE, page

STUDENT = frozenset({Audience.SHARED, Audience.STUDENT})

SIGNING_IN = page(
    "shared/signing-in", "Signing in", ("Begin", "Open the page."), ("Reset", "A lost secret is a lost secret."),
    audience=Audience.SHARED,
)  # fmt: skip
GRADES = page("student/grades", "Grades", "Each student sees the grade.", audience=Audience.STUDENT)
TOOLS = page("shared/tools", "Tools", "Rulers and pens are in the drawer.", audience=Audience.SHARED)
MANUAL = [SIGNING_IN, GRADES, TOOLS]

FORGOTTEN = "mot passe oublié"


def joined(pages: Sequence[ManualPage]) -> SectionIndex:
    publication, meanings = Publication(tuple(pages)), meanings_of(HashedEmbedder(), progress=lambda *_: None)
    return meanings.join(build_index(publication), publication, meanings.embed(publication))


def hits(
    pages: Sequence[ManualPage],
    query: str,
    *,
    readers: frozenset[Audience] = STUDENT,
    language: str = "en",
    limit: int = 8,
) -> tuple[Hit, ...]:
    return joined(pages).search(query, audiences=readers, language=language, limit=limit)


def test_ranks_are_joined_by_weight_and_equal_names_stand_in_their_order() -> None:
    assert [name for name, _ in fused([(1, ["a", "b"]), (1, ["b", "c"])])] == ["b", "a", "c"]
    assert [name for name, _ in fused([(1, ["b"]), (1, ["a"])])] == ["a", "b"]
    assert [name for name, _ in fused([(0.5, ["a"]), (1, ["b"])])] == ["b", "a"]
    assert fused([]) == ()


def test_a_question_that_shares_no_word_finds_its_page_with_the_section_that_says_it() -> None:
    by_words = build_index(Publication(tuple(MANUAL))).search(FORGOTTEN, audiences=STUDENT, language="fil", limit=8)
    assert by_words == ()
    [hit, *_] = hits(MANUAL, FORGOTTEN, language="fil")
    assert (hit.page, hit.section_id) == ("shared/signing-in", SIGNING_IN.sections[1].id)


def test_a_page_that_both_find_stands_before_one_that_either_finds_and_each_stands_once() -> None:
    found = hits([*MANUAL, page("shared/a", "Drawer", "A pen.", audience=Audience.SHARED)], "pen in the drawer")
    assert [hit.page for hit in found][:2] == ["shared/a", "shared/tools"]
    assert len({hit.page for hit in found}) == len(found)


def test_what_is_below_the_models_floor_is_not_found() -> None:
    assert hits(MANUAL, "zebra xylophone") == ()


def test_where_no_word_is_in_the_manual_the_list_is_short() -> None:
    pages = [page(f"shared/p{at}", "A", "A lost secret.", audience=Audience.SHARED) for at in range(PAGES)]
    assert len(hits(pages, FORGOTTEN, language="fil", limit=PAGES)) == PAGES_ALONE
    assert len(hits(pages, "lost secret", limit=PAGES)) == PAGES


def test_the_section_is_in_the_language_asked_for_where_there_is_one() -> None:
    french = page(
        "shared/signing-in", "Connexion", ("Début", "Ouvrez."), ("Perdu", "Le mot de passe oublié."),
        language="fr", audience=Audience.SHARED,
    )  # fmt: skip
    for language, written in (("fr", french), ("en", SIGNING_IN), ("fil", None)):
        [hit, *_] = hits([*MANUAL, french], "nakalimutan password", language=language)
        assert hit.page == "shared/signing-in"
        if written:
            assert hit.section_id == written.sections[1].id


def test_a_translation_that_this_reader_may_not_read_is_none() -> None:
    french = page("shared/signing-in", "Connexion", "Le mot de passe oublié.", language="fr", audience=Audience.TEACHER)
    [hit, *_] = hits([*MANUAL, french], FORGOTTEN, language="fr")
    assert hit.section_id == SIGNING_IN.sections[1].id


@pytest.mark.parametrize("query", [FORGOTTEN, "password", "the grade of a student", "lost secret"])
@pytest.mark.parametrize("language", ["en", "fr", "fil"])
def test_a_hidden_page_nearer_than_any_changes_no_hit_no_order_and_no_score(query: str, language: str) -> None:
    alone = hits(MANUAL, query, language=language)
    assert alone
    hidden = [
        page(f"administrator/canary-{at}", query, query, audience=Audience.ADMINISTRATOR_FULL, language=written)
        for at, written in enumerate(["en", "fr"] * 10)
    ]
    both = [*hidden[:10], *MANUAL, *hidden[10:]]
    assert hits(both, query, language=language) == alone
    assert hits(both, query, language=language, readers=EVERYONE)[0].page.startswith("administrator/canary")


@pytest.mark.parametrize("limit", [0, -1, 1, 2])
def test_no_more_than_asked_for(limit: int) -> None:
    assert len(hits(MANUAL, "student secret drawer", limit=limit)) == max(0, limit)


HOSTILE = ["", " ", "?", "a", "\U0001f600" * 300, "(" * 300, "\ufdfa" * 300, "\u200b", "title:*", "x" * 5_000, "\ud800"]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_a_strange_query_is_answered(query: str) -> None:
    assert len(hits(MANUAL, query)) <= len(MANUAL)


INDEX = joined(MANUAL)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=QUERY_CHARACTERS))
def test_any_query_is_answered_and_the_same_twice(query: str) -> None:
    first = INDEX.search(query, audiences=STUDENT, language="fr", limit=3)
    assert INDEX.search(query, audiences=STUDENT, language="fr", limit=3) == first


def test_a_query_is_cut_before_it_is_embedded() -> None:
    assert hits(MANUAL, f"zebra {FORGOTTEN}")
    assert hits(MANUAL, f"zebra{' ' * QUERY_CHARACTERS}{FORGOTTEN}") == ()


def test_a_manual_without_pages_and_a_reader_without_any_find_nothing() -> None:
    assert hits(MANUAL, FORGOTTEN, readers=frozenset()) == ()
    assert hits([], FORGOTTEN) == ()
