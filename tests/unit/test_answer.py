"""An answer is shown when its claims hold; a refusal is always in the policy's own words."""

from collections.abc import Callable

import pytest

from assist_service.adapters.configuration import load_policy
from assist_service.adapters.markdown.markup import Markup
from assist_service.domain.acts import Acts
from assist_service.domain.answer import (
    ANSWER_CHARACTERS,
    ONLY_LOOKED_UP,
    Checked,
    check_answer,
)
from assist_service.domain.citations import Given, Numbering
from assist_service.domain.conversation import Kind
from assist_service.domain.looked_up import NOTHING, LookedUp, Miss
from assist_service.domain.loop import Answered, AskedBack, Declined
from assist_service.domain.manual import Audience
from assist_service.domain.screens import Language
from assist_service.domain.statement import NOTHING_CHANGED, sentence_of
from assist_service.tools.conversing import QUESTION_BACK_CHARACTERS
from tests.unit.small_manual import TEACHER, publication, section
from tests.unit.test_statement import EDITED, SCREEN, command, prepared

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
    acts: Acts | None = None,
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
        acts=acts,
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
        Miss.REFUSED: texts.lms_refused[language],
        Miss.UNDONE: texts.not_looked_up[language],
        Miss.BESIDE: ONLY_LOOKED_UP[language],
        Miss.CUT: texts.cut_short[language],
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
    absent, silent, *_ = sentences("required", Language.ENGLISH).values()
    looked_up = LookedUp(missing=frozenset({Miss.SILENT, Miss.ABSENT}))
    answer = checked(Answered("Press New pool. [s1]"), looked_up=looked_up)
    assert (answer.kind, answer.markdown) == (Kind.MANUAL, f"Press New pool. [1]\n\n{absent} {silent}")


@pytest.mark.parametrize("miss", Miss)
@pytest.mark.parametrize("text", ["You have Alchemy.", ""])
def test_where_all_was_in_vain_the_refusal_says_why(miss: Miss, text: str) -> None:
    sentence = sentences("required", Language.ENGLISH)[miss]
    answer = checked(Answered(text), looked_up=LookedUp(missing=frozenset({miss})))
    assert answer == Checked(Kind.REFUSAL, sentence, ())


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("citations", POLICIES)
@pytest.mark.parametrize("miss", Miss)
def test_what_was_looked_up_in_vain_is_said_under_a_question_back(
    miss: Miss, citations: str, language: Language
) -> None:
    looked_up = LookedUp(found=True, missing=frozenset({miss}))
    text = "You have two courses, Alchemy and Astrology. Which one? ".ljust(QUESTION_BACK_CHARACTERS, "?")
    asked = checked(AskedBack(text), citations=citations, language=language, looked_up=looked_up)
    assert asked == Checked(Kind.QUESTION, f"{text}\n\n{sentences(citations, language)[miss]}", ())


@pytest.mark.parametrize("language", Language)
def test_a_question_back_that_claims_an_act_stands_beside_the_truth(language: Language) -> None:
    silent = sentences("required", language)[Miss.SILENT]
    claim = AskedBack("I have deleted the pool. Anything else?")
    told = checked(claim, language=language, looked_up=LookedUp(missing=frozenset({Miss.SILENT})))
    assert told.markdown == f"{claim.text}\n\n{NOTHING_CHANGED[language]}\n\n{silent}"
    assert checked(AskedBack("Which pool?"), language=language).markdown == "Which pool?"


def test_of_an_empty_question_back_only_what_was_looked_up_in_vain_is_left() -> None:
    silent = sentences("required", Language.ENGLISH)[Miss.SILENT]
    looked_up = LookedUp(missing=frozenset({Miss.SILENT}))
    assert checked(AskedBack("[s1]"), looked_up=looked_up) == Checked(Kind.REFUSAL, silent, ())


def test_a_refusal_says_nothing_of_look_ups() -> None:
    assert checked(Declined(), looked_up=LookedUp(found=True, missing=frozenset(Miss))) == checked(Declined())


EN = Language.ENGLISH
FOUND = LookedUp(found=True)

KINDS = {
    "a write": (Acts(writes=[prepared()]), NOTHING, "Here it is.", Kind.PROPOSAL),
    "a write beside records": (Acts(writes=[prepared()]), FOUND, "Here it is.", Kind.PROPOSAL),
    "a write beside a citation": (Acts(writes=[prepared()]), NOTHING, "Here it is. [s1]", Kind.PROPOSAL),
    "an edit": (Acts(edit=EDITED), NOTHING, "Here it is.", Kind.PROPOSAL),
    "a screen beside records": (Acts(screen=SCREEN), FOUND, "Here it is.", Kind.LIVE),
    "a screen": (Acts(screen=SCREEN), NOTHING, "Here it is.", Kind.INTERFACE),
    "a command": (Acts(commands=[command("run_command")]), NOTHING, "Here it is.", Kind.INTERFACE),
    "a card of a command": (Acts(commands=[command("confirm_command")]), NOTHING, "Here.", Kind.INTERFACE),
    "a screen beside a citation": (Acts(screen=SCREEN), NOTHING, "Here it is. [s1]", Kind.MANUAL),
}


@pytest.mark.parametrize("citations", POLICIES)
@pytest.mark.parametrize(("acts", "looked_up", "text", "kind"), KINDS.values(), ids=KINDS)
def test_the_kind_is_worked_out_from_what_was_done_and_what_was_done_is_said(
    acts: Acts, looked_up: LookedUp, text: str, kind: Kind, citations: str
) -> None:
    answer = checked(Answered(text), citations=citations, looked_up=looked_up, acts=acts)
    assert answer.kind is kind
    assert answer.acts is acts
    assert sentence_of(acts, EN) in answer.markdown


@pytest.mark.parametrize("acts", [Acts(screen=SCREEN), Acts(commands=[command("run_command")])])
def test_where_citations_are_required_the_service_words_an_answer_that_only_acts(acts: Acts) -> None:
    assert checked(Answered("I looked into your heart."), acts=acts).markdown == sentence_of(acts, EN)
    assert "heart" in checked(Answered("I looked into your heart."), acts=acts, citations="shown").markdown


@pytest.mark.parametrize("citations", POLICIES)
@pytest.mark.parametrize("acts", [Acts(screen=SCREEN), Acts(writes=[prepared()]), Acts(edit=EDITED)])
def test_where_the_model_says_nothing_the_service_says_what_was_done(acts: Acts, citations: str) -> None:
    assert checked(Answered(""), acts=acts, citations=citations).markdown == sentence_of(acts, EN)


@pytest.mark.parametrize("outcome", [Declined(), AskedBack("Which pool?")])
def test_a_refusal_and_a_question_back_do_nothing(outcome: AskedBack | Declined) -> None:
    answer = checked(outcome, acts=Acts(screen=SCREEN, writes=[prepared()]))
    assert not answer.acts.are_any
    assert answer.kind in (Kind.REFUSAL, Kind.QUESTION)


@pytest.mark.parametrize("language", Language)
def test_a_claim_to_have_acted_stands_beside_the_truth(language: Language) -> None:
    claim = checked(Answered("I have deleted the pool. [s1]"), language=language)
    assert claim.markdown.endswith(NOTHING_CHANGED[language])
    assert NOTHING_CHANGED[language] not in checked(Answered("Press New pool. [s1]"), language=language).markdown
    prepares = Acts(writes=[prepared()])
    told = checked(Answered("I have deleted the pool."), language=language, acts=prepares).markdown
    assert told.endswith(sentence_of(prepares, language))


BESIDE = {
    "a screen": (Acts(screen=SCREEN), True),
    "a command that runs": (Acts(commands=[command("run_command")]), True),
    "a command on a button": (Acts(commands=[command("offer_command")]), True),
    "a command on a card": (Acts(commands=[command("confirm_command")]), False),
    "an edit": (Acts(edit=EDITED), False),
    "a write": (Acts(writes=[prepared()]), False),
    "a write beside a screen": (Acts(screen=SCREEN, writes=[prepared()]), False),
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("acts", "is_added"), BESIDE.values(), ids=BESIDE)
def test_a_claim_beside_what_is_really_done_is_corrected_once(acts: Acts, is_added: bool, language: Language) -> None:
    text = "I have deleted the pool and published all questions."
    told = checked(Answered(text), citations="shown", language=language, acts=acts).markdown
    own = f"{sentence_of(acts, language)} {NOTHING_CHANGED[language]}" if is_added else sentence_of(acts, language)
    assert told == f"{text}\n\n{own}"
    plain = checked(Answered("Here it is."), citations="shown", language=language, acts=acts).markdown
    assert NOTHING_CHANGED[language] not in plain


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("acts", [None, Acts(screen=SCREEN), Acts(writes=[prepared()])])
def test_a_claim_in_a_question_back_is_corrected_whatever_was_noted(acts: Acts | None, language: Language) -> None:
    claim = "I have deleted the pool. Shall I go on?"
    told = checked(AskedBack(claim), language=language, acts=acts)
    assert told.markdown == f"{claim}\n\n{NOTHING_CHANGED[language]}"
