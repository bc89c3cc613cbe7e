"""What a word weighs in a search: by how rare what was said is in the page's own language, and by what it says."""

import pytest

from assist_service.adapters.search import build_index
from assist_service.domain.manual import Audience, ManualPage, Publication, Section
from assist_service.domain.search import Glossary
from assist_service.domain.telling import LITTLE, telling

FILLER = "This text is here to be as long as the others are."


def page(path: str, text: str, language: str = "en") -> ManualPage:
    title = path.partition("/")[2]
    section = Section(path, title, language, Audience.TEACHER, f"{language}-0", title, text)
    return ManualPage(path, language, title, Audience.TEACHER, (section,))


def found(pages: list[ManualPage], query: str, *, language: str = "en", glossary: Glossary | None = None) -> list[str]:
    index = build_index(Publication(tuple(pages), glossary or Glossary()))
    hits = index.search(query, audiences=frozenset({Audience.TEACHER}), language=language, limit=50)
    return [hit.page for hit in hits]


def test_a_word_on_every_page_of_the_few_in_a_language_says_nothing_of_them() -> None:
    english = [page(f"teacher/{number}", f"A student writes note {number}. {FILLER}") for number in range(30)]
    wanted = page("teacher/wanted", f"Hand homework in. {FILLER}")
    french = [
        page(f"teacher/fr-{number}", "Pour un élève, un autre élève, et chaque élève.", "fr") for number in range(4)
    ]

    hits = found([*english, wanted, *french], "le devoir d'un élève", language="fr")

    assert hits[0] == "teacher/wanted"


def test_a_rare_name_for_a_common_thing_is_no_better_witness_than_the_thing_itself() -> None:
    common = [page(f"teacher/{number}", f"A test for everybody. {FILLER}") for number in range(30)]
    rare = page("teacher/rare", f"A probe. {FILLER}")
    both = page("teacher/both", f"A test for a zebra. {FILLER}")

    hits = found([*common, rare, both], "test zebra", glossary=Glossary({"en": (("test", "probe"),)}))

    assert hits[0] == "teacher/both"
    assert hits.index("teacher/rare") > max(hits.index(one.path) for one in common)


def test_small_talk_does_not_carry_a_question_away() -> None:
    talk = page("teacher/talk", f"Yesterday. {FILLER}")
    wanted = page("teacher/wanted", f"Rubrics. {FILLER}")
    rest = [page(f"teacher/{number}", FILLER) for number in range(20)]

    assert found([talk, wanted, *rest], "yesterday rubrics")[0] == "teacher/wanted"


@pytest.mark.parametrize(
    ("word", "language", "says"),
    [
        ("the", "en", 0.0),
        ("yesterday", "en", LITTLE),
        ("quiz", "en", 1.0),
        ("même", "fr", LITTLE),
        ("meme", "fr", LITTLE),
        ("étais", "fr", 1.0),
        ("où", "fr", 0.0),
        ("the", "fil", 0.0),
        ("yesterday", "xx", LITTLE),
    ],
)
def test_how_much_a_word_says(word: str, language: str, says: float) -> None:
    assert telling(word, language) == says
