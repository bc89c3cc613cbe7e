"""A section that was found in one language is shown as the section of the translation that says the same."""

from assist_service.adapters.search import build_index
from assist_service.domain.manual import Section
from tests.unit.small_manual import TEACHER, publication, section

PAGE = "teacher/pools"


def english(anchor: str, text: str) -> Section:
    return section(PAGE, anchor, text)


def french(anchor: str, text: str) -> Section:
    return section(PAGE, anchor, text, language="fr")


def shown(query: str, *sections: Section) -> str:
    """The anchor of the French section that an English question is answered with."""
    manual = publication(*sections)
    [hit] = build_index(manual).search(query, audiences=TEACHER, language="fr", limit=5)
    found = manual.section(hit.section_id, TEACHER)
    assert found is not None
    assert found.language == "fr"
    return found.anchor


ENGLISH = (english("create", "gadget"), english("moodle", "widget"), english("share", "sprocket"))


def test_of_a_translation_in_another_order_the_section_of_the_same_name_is_shown() -> None:
    translated = (french("moodle", "un"), french("partager", "deux"), french("creer", "trois"))
    assert shown("widget", *ENGLISH, *translated) == "moodle"


def test_without_one_of_the_name_the_section_in_the_same_place_is_shown() -> None:
    translated = (french("creer", "un"), french("gerer", "deux"), french("partager", "trois"))
    assert shown("sprocket", *ENGLISH, *translated) == "partager"


def test_of_a_translation_that_is_cut_differently_the_first_section_is_shown() -> None:
    assert shown("sprocket", *ENGLISH, french("creer", "un"), french("gerer", "deux")) == "creer"
