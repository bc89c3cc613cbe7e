"""An answer is shown when its claims hold; a refusal is always in the policy's own words."""

from collections.abc import Callable

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.answer import ANSWER_CHARACTERS, Checked, check_answer
from assist_service.domain.citations import Given, Numbering
from assist_service.domain.conversation import Kind
from assist_service.domain.looked_up import NOTHING, LookedUp, Miss
from assist_service.domain.loop import Answered, AskedBack, Declined
from assist_service.domain.manual import Audience
from assist_service.domain.screens import Language
from tests.unit.small_manual import TEACHER, publication, section

POLICIES = {"required": load_policy("default"), "shown": load_policy("teacher-assistant")}

GIVEN = section(anchor="create")
HIDDEN = section("administrator/people", "erase", audience=Audience.ADMINISTRATOR_FULL)
MARKUP = Markup("https://lms.example")


def checked(
    outcome: Answered | AskedBack | Declined,
    *,
    citations: str = "required",
    language: Language = Language.ENGLISH,
    clean: Callable[[str, Callable[[str], int | None]], str] | None = None,
    looked_up: LookedUp = NOTHING,
) -> Checked:
    """The outcome checked for a teacher who was given one section (s1), and one she may not read (s2)."""
    given = Given(publication(GIVEN, HIDDEN))
    assert [given.handle(GIVEN), given.handle(HIDDEN)] == ["s1", "s2"]
    return check_answer(
        outcome,
        policy=POLICIES[citations],
        language=language,
        numbering=Numbering(given, TEACHER),
        clean=clean or (lambda text, cite: MARKUP.clean(text, cite=cite)),
        looked_up=looked_up,
    )


def refused(citations: str, language: Language = Language.ENGLISH) -> Checked:
    return Checked(Kind.REFUSAL, POLICIES[citations].texts.not_found[language], ())


@pytest.mark.parametrize("citations", POLICIES)
def test_a_cited_answer_is_shown_with_its_number(citations: str) -> None:
    answer = checked(Answered("Press New pool. [s1]"), citations=citations)
    assert answer.kind is Kind.MANUAL
    assert answer.markdown.strip() == "Press New pool. [1]"
    assert [citation.section for citation in answer.citations] == [GIVEN.id]


UNCITED = {
    "no citation": "Press New pool.",
    "a handle nobody was given": "Press New pool. [s7]",
    "a section of another audience": "Erase a person. [s2]",
    "a number the model wrote itself": "Press New pool. [1]",
    "a section's id": f"Press New pool. [{GIVEN.id}]",
    "a handle in code": "Press New pool. `[s1]`",
}


@pytest.mark.parametrize("text", UNCITED.values(), ids=UNCITED)
def test_where_citations_are_required_an_uncited_answer_is_the_fixed_refusal_and_nothing_else(text: str) -> None:
    assert checked(Answered(text)) == refused("required")


@pytest.mark.parametrize("text", UNCITED.values(), ids=UNCITED)
def test_where_citations_are_shown_it_is_shown_without_any(text: str) -> None:
    answer = checked(Answered(text), citations="shown")
    assert answer.kind is Kind.MANUAL
    assert answer.citations == ()
    assert "[s7]" not in answer.markdown
    assert "[s2]" not in answer.markdown


@pytest.mark.parametrize("citations", POLICIES)
@pytest.mark.parametrize("text", ["", " \n", "\u200b", "[s7]", "[s1]", "[s1] …", "- [s1]\n- [s1]"])
def test_an_answer_of_which_nothing_is_left_is_the_fixed_refusal(citations: str, text: str) -> None:
    assert checked(Answered(text), citations=citations) == refused(citations)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("citations", POLICIES)
def test_a_refusal_is_in_the_words_of_the_policy_and_the_language(citations: str, language: Language) -> None:
    declined = checked(Declined(), citations=citations, language=language)
    assert declined == Checked(Kind.REFUSAL, POLICIES[citations].texts.decline[language], ())
    assert checked(Answered(""), citations=citations, language=language) == refused(citations, language)


@pytest.mark.parametrize("citations", POLICIES)
def test_a_question_back_needs_no_citation_and_has_none(citations: str) -> None:
    asked = checked(AskedBack("Which pool do you mean? [s1]"), citations=citations)
    assert asked.kind is Kind.QUESTION
    assert asked.markdown.strip() == "Which pool do you mean?"
    assert asked.citations == ()


@pytest.mark.parametrize("text", ["\u200b", "[s1]", " ", "![](https://evil.example/x.png)"])
def test_a_question_back_of_which_nothing_is_left_is_a_refusal(text: str) -> None:
    assert checked(AskedBack(text)) == refused("required")


def test_nothing_behind_the_cut_of_a_long_answer_counts() -> None:
    assert checked(Answered("word " * (ANSWER_CHARACTERS // 5) + "[s1]")) == refused("required")


def test_a_citation_that_did_not_make_it_into_the_text_is_not_listed() -> None:
    def clean(text: str, cite: Callable[[str], int | None]) -> str:
        cite("s1")
        return text

    assert checked(Answered("Nothing cited here."), clean=clean) == refused("required")


def test_a_long_plain_answer_has_at_most_that_many_characters() -> None:
    answer = checked(Answered("Press New. [s1] " + "word " * ANSWER_CHARACTERS))
    assert answer.kind is Kind.MANUAL
    assert len(answer.markdown) <= ANSWER_CHARACTERS + 1
    assert answer.markdown.endswith("…")


def sentences(citations: str, language: Language) -> dict[Miss, str]:
    texts = POLICIES[citations].texts
    return {
        Miss.ABSENT: texts.not_found_there[language],
        Miss.SILENT: texts.lms_silent[language],
        Miss.UNDONE: texts.not_looked_up[language],
    }


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("citations", POLICIES)
@pytest.mark.parametrize("miss", Miss)
def test_what_was_looked_up_in_vain_is_said_under_an_answer(miss: Miss, citations: str, language: Language) -> None:
    looked_up = LookedUp(found=True, missing=frozenset({miss}))
    answer = checked(Answered("- You have\n- two pools"), citations=citations, language=language, looked_up=looked_up)
    sentence = sentences(citations, language)[miss]
    assert answer == Checked(Kind.LIVE, f"- You have\n- two pools\n\n{sentence}", ())
    assert MARKUP.html(answer.markdown, markers=()).endswith(f"</ul>\n<p>{sentence}</p>")


def test_each_reason_is_said_once_and_a_manual_answer_says_it_too() -> None:
    absent, silent, _ = sentences("required", Language.ENGLISH).values()
    looked_up = LookedUp(missing=frozenset({Miss.SILENT, Miss.ABSENT}))
    answer = checked(Answered("Press New pool. [s1]"), looked_up=looked_up)
    assert (answer.kind, answer.markdown) == (Kind.MANUAL, f"Press New pool. [1]\n\n{absent} {silent}")


@pytest.mark.parametrize("miss", Miss)
@pytest.mark.parametrize("text", ["You have Alchemy.", ""])
def test_where_all_was_in_vain_the_refusal_says_why(miss: Miss, text: str) -> None:
    sentence = sentences("required", Language.ENGLISH)[miss]
    answer = checked(Answered(text), looked_up=LookedUp(missing=frozenset({miss})))
    assert answer == Checked(Kind.REFUSAL, sentence, ())


def test_a_refusal_or_a_question_back_says_nothing_of_look_ups() -> None:
    looked_up = LookedUp(found=True, missing=frozenset(Miss))
    for outcome in (Declined(), AskedBack("Which pool?")):
        assert checked(outcome, looked_up=looked_up) == checked(outcome)
