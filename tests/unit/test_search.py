"""The search finds pages in people's words, in their language, and nothing that is not theirs."""

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.search.glossary import everyday_glossary, translated_glossary
from assist_service.domain.manual import Audience, Section
from assist_service.domain.people import Role
from assist_service.domain.screens import Language
from assist_service.domain.search import Glossary
from tests.unit.small_index import (
    ABOUT_GRADES,
    ABOUT_POOLS,
    CORPUS,
    ENGLISH,
    EVERYONE,
    FRENCH,
    SHIPPED,
    SMALL,
    found,
    index,
    page,
)

# Who finds what


@pytest.mark.parametrize("policy", ["default", "teacher-assistant"])
@pytest.mark.parametrize("role", list(Role))
def test_of_the_shipped_manual_a_role_holds_what_is_its_own_and_nothing_else(policy: str, role: Role) -> None:
    audiences = load_policy(policy).of_role(role).audiences
    for one in CORPUS.pages:
        for section in one.sections:
            assert SHIPPED.holds(section.id, audiences=audiences) is (section.audience in audiences)


@pytest.mark.parametrize("audience", list(Audience))
def test_of_the_shipped_manual_an_audience_holds_its_own_sections_only(audience: Audience) -> None:
    for one in CORPUS.pages:
        for section in one.sections:
            assert SHIPPED.holds(section.id, audiences=frozenset({audience})) is (section.audience is audience)


@pytest.mark.parametrize("audience", list(Audience))
@pytest.mark.parametrize("language", list(Language))
def test_a_search_finds_every_page_of_its_audience_by_its_title_and_none_of_another(
    audience: Audience, language: Language
) -> None:
    theirs = {one.path for one in CORPUS.pages if one.audience is audience}
    for one in CORPUS.pages:
        hits = found(SHIPPED, one.title, audiences=frozenset({audience}), language=language, limit=1_000)
        assert set(hits) <= theirs
        assert len(set(hits)) == len(hits)
        assert one.audience is not audience or one.path in hits


def test_whoever_reads_nothing_finds_nothing() -> None:
    assert found(SHIPPED, "evaluation", audiences=frozenset()) == []
    assert not SHIPPED.holds(CORPUS.pages[0].sections[0].id, audiences=frozenset())
    assert not SHIPPED.holds("0" * 20, audiences=EVERYONE)


def test_a_hidden_page_changes_neither_order_nor_place_of_a_translation() -> None:
    english = page("administrator/people", "People", "Who is here.", audience=Audience.ADMINISTRATOR_ALL)
    french = page(
        "administrator/people", "Personnes", "Qui est là.", language="fr", audience=Audience.ADMINISTRATOR_FULL
    )
    (hit,) = index(english, french).search(
        "people", audiences=frozenset({Audience.ADMINISTRATOR_ALL}), language="fr", limit=5
    )
    assert hit.section_id == english.sections[0].id


WORDS = {
    "a plural": ("pool", "en", "teacher/pools"),
    "a singular": ("questions", "en", "teacher/pools"),
    "another form": ("adding", "en", "teacher/pools"),
    "capitals": ("GRADEBOOK", "en", "teacher/grading"),
    "a letter missing": ("gradebok", "en", "teacher/grading"),
    "a letter too many": ("gradeboook", "en", "teacher/grading"),
    "a wrong letter": ("grafebook", "en", "teacher/grading"),
    "two swapped": ("garding", "en", "teacher/grading"),
    "written apart": ("grade book", "en", "teacher/grading"),
    "written together": ("questionpool", "en", "teacher/pools"),
    "with accents": ("publiée", "fr", "teacher/publishing"),
    "without accents": ("publiee", "fr", "teacher/publishing"),
    "the infinitive": ("publier", "fr", "teacher/publishing"),
    "capitals with accents": ("PUBLIÉES", "fr", "teacher/publishing"),
    "accents taken apart": ("e\u0301le\u0300ve", "fr", "teacher/publishing"),
    "an elision": ("l’élève", "fr", "teacher/publishing"),
    "an English question to a French page": ("visible", "en", "teacher/publishing"),
    "a French question to an English page": ("question", "fr", "teacher/pools"),
    "a language without a stemmer": ("pool", "fil", "teacher/pools"),
    "a language nobody has": ("pool", "xx", "teacher/pools"),
    "a word of the path": ("publishing", "fr", "teacher/publishing"),
    "a whole question": ("How do I add a question?", "en", "teacher/pools"),
    "an everyday word": ("create", "en", "teacher/pools"),
}


@pytest.mark.parametrize(("query", "language", "first"), WORDS.values(), ids=WORDS)
def test_the_page_is_found_in_other_words(query: str, language: str, first: str) -> None:
    assert found(SMALL, query, language=language)[:1] == [first]


def test_a_slip_is_guessed_at_only_where_the_word_itself_is_nowhere() -> None:
    two = index(page("teacher/a", "A", "The grader reads."), page("teacher/b", "B", "The trader reads."))
    assert found(two, "trader") == ["teacher/b"]
    assert found(two, "frader") == ["teacher/a", "teacher/b"]


def test_words_that_stand_together_are_worth_more() -> None:
    apart = page(
        "teacher/a", "A", "Student lists have a view of the days and of the hours and of the whole class here."
    )
    together = page(
        "teacher/b", "B", "In student view there are lists of the days and hours of the class as a whole here."
    )
    assert found(index(apart, together), "student view") == ["teacher/b", "teacher/a"]


def test_a_title_is_worth_more_than_a_mention() -> None:
    mention = page("teacher/a", "Courses", "Templates are told of elsewhere.")
    title = page("teacher/b", "Templates", "They are told of here, at length.")
    assert found(index(mention, title), "templates") == ["teacher/b", "teacher/a"]


def test_a_page_comes_once_with_its_best_section() -> None:
    long = page("teacher/a", "Courses", ("Rules", "A rule."), ("Archive", "Archive a course."), ("End", "The archive."))
    (hit,) = index(long, ABOUT_POOLS).search("archive", audiences=EVERYONE, language="en", limit=5)
    assert (hit.page, hit.section_id) == ("teacher/a", long.sections[1].id)


def test_every_page_can_be_asked_for_however_many_sections_one_has() -> None:
    crowded = page("teacher/a", "Lists", *[(f"List {at}", "A list, a list.") for at in range(1_000)])
    others = [page(f"teacher/b{at}", "Other", f"It has a list, and {at} words more of no matter.") for at in range(5)]
    assert len(found(index(crowded, *others), "list", limit=6)) == 6


# The glossary

GLOSSARY = Glossary({"en": (("exam", "evaluation", "test run"),)})


def test_the_words_people_say_find_the_words_the_screens_use() -> None:
    pages = page("teacher/a", "Evaluations", "An evaluation."), page("teacher/b", "Runs", "A test run."), ABOUT_POOLS
    known = index(*pages, glossary=GLOSSARY)
    assert set(found(known, "exams")) == {"teacher/a", "teacher/b"}
    assert set(found(known, "a test run")) == {"teacher/a", "teacher/b"}


def test_a_glossary_is_for_questions_in_its_language() -> None:
    nicknames = index(ABOUT_POOLS, glossary=Glossary({"en": (("bucket", "pool"),)}))
    assert found(nicknames, "buckets") == ["teacher/pools"]
    assert found(nicknames, "buckets", language="fr") == []


def test_the_name_that_was_said_comes_before_another() -> None:
    pages = page("teacher/a", "Evaluation", "One of these."), page("teacher/b", "Exam", "One of these.")
    known = index(*pages, glossary=GLOSSARY)
    assert found(known, "exam") == ["teacher/b", "teacher/a"]
    assert found(known, "evaluation") == ["teacher/a", "teacher/b"]


def test_the_shipped_glossaries_are_read() -> None:
    assert {"en", "fr"} <= set(CORPUS.glossary.groups)
    assert {"en", "fr"} == set(everyday_glossary().groups)
    assert {"fr", "fil"} == set(translated_glossary().groups)


@pytest.mark.parametrize(
    ("query", "language"), [("élèves", "fr"), ("eleve", "fr"), ("mag-aaral", "fil"), ("learners", "en")]
)
def test_an_untranslated_page_is_found_in_the_words_of_another_language(query: str, language: str) -> None:
    assert found(index(page("teacher/a", "People", "A student."), ABOUT_POOLS), query, language=language) == [
        "teacher/a"
    ]


def test_a_page_written_for_the_reader_comes_before_one_written_for_others() -> None:
    texts = {audience: page(f"{audience.value}/a", "Grades", "Grades.", audience=audience) for audience in Audience}
    every = index(*texts.values())
    assert found(every, "grades", audiences=frozenset({Audience.SHARED, Audience.STUDENT}))[0] == "student/a"
    teachers = frozenset({Audience.SHARED, Audience.STUDENT, Audience.TEACHER})
    assert found(every, "grades", audiences=teachers)[0] == "teacher/a"
    assert found(every, "grades", limit=6)[0].startswith("administrator")
    assert len(found(every, "grades", limit=6)) == 6


@pytest.mark.parametrize(
    ("query", "language", "section"),
    [
        ("filter", "en", ENGLISH.sections[0]),
        ("filtrer", "fr", FRENCH.sections[0]),
        ("partager", "fr", FRENCH.sections[1]),
        ("share", "fr", FRENCH.sections[1]),
        ("partager", "en", ENGLISH.sections[1]),
        ("share", "fil", ENGLISH.sections[1]),
    ],
)
def test_of_a_page_the_language_asked_for_is_given(query: str, language: str, section: Section) -> None:
    hits = index(ENGLISH, FRENCH, ABOUT_GRADES).search(query, audiences=EVERYONE, language=language, limit=5)
    assert [(hit.page, hit.section_id) for hit in hits] == [("teacher/help/pool", section.id)]


def test_a_translation_cut_otherwise_answers_with_its_first_section() -> None:
    short = page("teacher/help/pool", "Pool", "Tout en un.", language="fr")
    (hit,) = index(ENGLISH, short).search("share", audiences=EVERYONE, language="fr", limit=5)
    assert hit.section_id == short.sections[0].id
