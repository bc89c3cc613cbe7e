"""One publication of the manual: who finds what in it, and when it is another."""

from itertools import permutations

import pytest

from assist_service.domain.manual import Audience, ManualFault, ManualPage, Publication, Section
from assist_service.domain.search import Glossary
from tests.unit.small_manual import TEACHER, publication, section

STUDENT = frozenset({Audience.SHARED, Audience.STUDENT})
EVERYBODY = frozenset(Audience)
NOBODY: frozenset[Audience] = frozenset()

POOLS = section()
POOLS_FR = section(language="fr", page_title="Banques", anchor="creer")
ACCOUNT = section("shared/account", "sign-in", audience=Audience.SHARED, page_title="Account")
COURSE_OF_STUDENTS = section("student/help/course", "top", audience=Audience.STUDENT, page_title="Course")
COURSE_OF_TEACHERS = section("teacher/help/course", "top", page_title="Course")
COURSE_OF_TEACHERS_FR = section("teacher/help/course", "haut", language="fr", page_title="Cours")
ERASE = section("administrator/people", "erase", audience=Audience.ADMINISTRATOR_FULL, page_title="People")

MANUAL = publication(POOLS, POOLS_FR, ACCOUNT, COURSE_OF_STUDENTS, COURSE_OF_TEACHERS, COURSE_OF_TEACHERS_FR, ERASE)


@pytest.mark.parametrize("of", MANUAL.pages, ids=lambda page: f"{page.path}.{page.language}")
@pytest.mark.parametrize("audience", Audience)
def test_a_section_is_had_by_its_audience_and_by_nobody_else(of: ManualPage, audience: Audience) -> None:
    found = MANUAL.section(of.sections[0].id, frozenset({audience}))
    assert found == (of.sections[0] if audience is of.audience else None)


def test_a_section_that_is_not_theirs_reads_like_one_that_is_not_there() -> None:
    assert MANUAL.section(ERASE.id, TEACHER) is MANUAL.section("0" * 20, TEACHER) is None
    assert MANUAL.section(POOLS.id, NOBODY) is None


def test_the_readable_pages_are_those_of_the_audiences_in_one_order() -> None:
    assert [(page.path, page.language) for page in MANUAL.readable(TEACHER)] == [
        ("shared/account", "en"),
        ("student/help/course", "en"),
        ("teacher/help/course", "en"),
        ("teacher/help/course", "fr"),
        ("teacher/pools", "en"),
        ("teacher/pools", "fr"),
    ]
    assert [page.path for page in MANUAL.readable(STUDENT)] == ["shared/account", "student/help/course"]
    assert MANUAL.readable(NOBODY) == ()


@pytest.mark.parametrize(
    ("path", "language", "found"),
    [
        ("teacher/pools", "en", POOLS),
        ("teacher/pools", "fr", POOLS_FR),
        ("teacher/pools", "fil", POOLS),
        ("shared/account", "fr", ACCOUNT),
        ("administrator/people", "en", None),
        ("teacher/no-such-page", "en", None),
        ("teacher/pools.md", "en", None),
        ("", "en", None),
    ],
)
def test_a_page_is_had_in_the_language_or_in_its_first(path: str, language: str, found: Section | None) -> None:
    page = MANUAL.page(path, TEACHER, language)
    assert (page.sections[0] if page is not None else None) == found


def test_a_page_is_not_there_for_another_audience() -> None:
    assert MANUAL.page("teacher/pools", STUDENT, "en") is None


@pytest.mark.parametrize(
    ("audiences", "language", "found"),
    [
        (STUDENT, "en", COURSE_OF_STUDENTS),
        (TEACHER, "en", COURSE_OF_TEACHERS),
        (TEACHER, "fr", COURSE_OF_TEACHERS_FR),
        (TEACHER, "fil", COURSE_OF_TEACHERS),
        (EVERYBODY, "fr", COURSE_OF_TEACHERS_FR),
        (STUDENT, "fr", COURSE_OF_STUDENTS),
        (NOBODY, "en", None),
    ],
)
def test_a_screens_help_is_that_of_the_narrowest_audience(
    audiences: frozenset[Audience], language: str, found: Section | None
) -> None:
    page = MANUAL.help_page("course", audiences, language)
    assert (page.sections[0] if page is not None else None) == found


def test_a_page_is_the_help_of_a_screen_by_its_folder_only() -> None:
    assert MANUAL.help_page("pools", EVERYBODY, "en") is None
    assert MANUAL.help_page("no-such-topic", EVERYBODY, "en") is None
    assert publication(section("help/course")).help_page("course", EVERYBODY, "en") is not None
    assert publication(section("course")).help_page("course", EVERYBODY, "en") is None


def test_the_id_does_not_depend_on_the_order_of_the_files() -> None:
    pages = MANUAL.pages[:4]
    assert len({Publication(order).id for order in permutations(pages)}) == 1


CHANGES = {
    "a text": section(text="Press New pool!"),
    "a title": section(title="Creating"),
    "a page's title": section(page_title="Question pools"),
    "an anchor": section(anchor="creating", title="Create"),
    "a path": section("teacher/pool"),
    "a language": section(language="fr"),
    "an audience": section(audience=Audience.SHARED),
    "words that move over the boundary": section(title="CreatePress", text=" New pool."),
}


def test_the_id_differs_with_anything_that_changes() -> None:
    made = {name: publication(changed).id for name, changed in CHANGES.items()}
    made["as it was"] = publication(POOLS).id
    made["a section more"] = publication(POOLS, section(anchor="share")).id
    made["a page more"] = publication(POOLS, ACCOUNT).id
    made["in another order"] = publication(section(anchor="share"), POOLS).id
    assert len(set(made.values())) == len(made)
    assert all(len(each) == 16 for each in made.values())


GLOSSARIES = (
    {"en": (("bucket", "pool"),)},
    {"fr": (("bucket", "pool"),)},
    {"en": (("pool", "bucket"),)},
    {"en": (("bucket", "pool", "tank"),)},
    {"en": (("bucket", "pool"), ("tank", "pool"))},
    {"en": (("tank", "pool"), ("bucket", "pool"))},
    {"en": (("bucket", "pool"),), "fr": (("seau", "banque"),)},
)


def test_the_id_differs_with_the_glossary() -> None:
    made = {Publication(MANUAL.pages, Glossary(groups)).id for groups in GLOSSARIES}
    assert len(made | {MANUAL.id}) == len(GLOSSARIES) + 1


def test_a_glossary_is_the_same_whatever_the_order_of_its_languages_and_what_it_leaves_empty() -> None:
    one, other = {"en": (("bucket", "pool"),)}, {"fr": (("seau", "banque"),)}
    there, back = (Publication(MANUAL.pages, Glossary(groups)) for groups in ({**one, **other}, {**other, **one}))
    assert (there, there.id) == (back, back.id)
    empty = Publication(MANUAL.pages, Glossary({"en": ()}))
    assert (empty, empty.id) == (MANUAL, MANUAL.id)


def test_a_manual_without_a_glossary_keeps_the_id_it_was_published_under() -> None:
    assert publication(POOLS, ACCOUNT).id == "817b8e9f0d632d82"


@pytest.mark.parametrize(
    ("languages", "first"),
    [("", "en"), ("en", "en"), ("fr", "fr"), ("fr en", "en"), ("fr fr en", "fr"), ("fil fr", "fr")],
)
def test_a_manuals_first_language_is_that_of_most_of_its_pages(languages: str, first: str) -> None:
    pages = [section(f"teacher/{number}", language=each) for number, each in enumerate(languages.split())]
    assert publication(*pages).language == first


def test_a_page_that_is_not_there_in_a_language_is_had_in_the_manuals_first() -> None:
    french = publication(POOLS, POOLS_FR, section("teacher/a", language="fr"), section("teacher/b", language="fr"))
    page = french.page("teacher/pools", TEACHER, "fil")
    assert page is not None
    assert page.language == "fr"


def test_a_fault_reads_as_file_line_and_words() -> None:
    assert str(ManualFault("teacher/pools.md", 3, "no title")) == "teacher/pools.md:3: no title"
