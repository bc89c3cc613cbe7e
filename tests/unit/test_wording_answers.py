"""What people read of a lookup, as exact texts in each language: `live_answers.md` beside this file."""

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest

from assist_service.domain.live.finding import (
    Called,
    Column,
    Finding,
    Looked,
    Say,
    Sentence,
    Share,
    Word,
    with_one_question,
)
from assist_service.domain.live.query import Lookup, Operation, RecordKind
from assist_service.domain.school import EvaluationState
from assist_service.domain.screens import Language
from tests.unit.live_findings import AT, WORDING, called, listed, query, table, unclear, words
from tests.unit.markup_harm import MARKUP

RANKING = Finding(
    query(Lookup.RANKINGS, Operation.TOP, limit=2),
    table=table(
        [Column.RANK, Column.STUDENT, Column.POINTS],
        (1, Called("Ana Cruz"), 1234.5),
        (2, Called("Émile Roux"), 987.0),
        (2, Called("Bo Tan"), 987.0),
        more=180,
    ),
    notes=(Sentence(Say.TIED, count=1), Sentence(Say.RANKED_BY_LMS)),
    classes=called("Biology 1A"),
)
SUMMARY = Finding(
    query(Lookup.CLASS_PERFORMANCE, Operation.SUMMARY),
    said=(
        Sentence(Say.STUDENTS, count=25),
        Sentence(Say.RELEASED_EXAMS, count=2),
        Sentence(Say.MEAN_SHARE, count=45, values={"share": Share(0.72345)}),
        Sentence(Say.BEST_EXAM, values={"exam": Called("Midterm"), "share": Share(0.8)}),
        Sentence(Say.WEAKEST_EXAM, values={"exam": Called("Quiz 1"), "share": Share(0.65)}),
        Sentence(Say.ABSENCES, count=5),
    ),
    classes=called("Biology 1A"),
    is_cut=True,
)
MARKS = Finding(
    query(Lookup.EXAM_RESULTS, Operation.LIST),
    said=(Sentence(Say.MARKED, count=1), Sentence(Say.ABSENT, count=1), Sentence(Say.UNMARKED, count=2)),
    table=table(
        [Column.STUDENT, Column.MARK],
        (Called("Ana Cruz"), 17.5),
        (Called("Bo Tan"), Word.ABSENT),
        (Called("Émile Roux"), Word.UNMARKED),
        more=1,
    ),
    about=(listed(RecordKind.EXAM, "Midterm"),),
    classes=called("Biology 1A"),
)
EXAMS = Finding(
    query(Lookup.EXAMS, Operation.LIST),
    said=(Sentence(Say.EXAMS, count=2),),
    table=table(
        [Column.EXAM, Column.STATE, Column.OPENS, Column.CLOSES],
        (Called("Midterm"), EvaluationState.RELEASED, AT, AT),
        (Called("Final"), EvaluationState.DRAFT, None, None),
    ),
    classes=called("Biology 1A", "Biology 1B", "Chemistry", "Physics", "History"),
)
WHICH = unclear(RecordKind.CLASS, "Biology 1A · Biology", "Biology 1B · Biology", more=3)

LOOKED: dict[str, Looked] = {
    "a ranking with a tie": RANKING,
    "a class": SUMMARY,
    "results that do not all fit": MARKS,
    "exams of more than three classes": EXAMS,
    "a question back": WHICH,
}
ANSWERS = (Path(__file__).parent / "live_answers.md").read_text("utf-8")
"""Each under a comment that names it and its language."""

READ = dict(re.findall(r"(?s)<!-- (.+?) -->\n(.+?)\n*(?=<!--|$)", ANSWERS))


def test_every_answer_is_there_in_every_language() -> None:
    assert set(READ) == {f"{name}, {language.value}" for name, language in itertools.product(LOOKED, Language)}


@pytest.mark.parametrize("name", LOOKED)
@pytest.mark.parametrize("language", Language)
def test_an_answer_reads(name: str, language: Language) -> None:
    assert words(LOOKED[name], language=language) == READ[f"{name}, {language.value}"]


@pytest.mark.parametrize("name", LOOKED)
@pytest.mark.parametrize("language", Language)
def test_cleaning_leaves_an_answer_as_it_is(name: str, language: Language) -> None:
    text = WORDING.answer([LOOKED[name]], language=language, at=AT)
    assert MARKUP.clean(text, cite=lambda handle: None) == text


LEFT_OUT = {
    Language.ENGLISH: (
        "Another lookup needs a choice too: ask for it again afterwards.",
        "2 other lookups need a choice too: ask for them again afterwards.",
    ),
    Language.FRENCH: (
        "Il faut aussi choisir pour une autre recherche : redemande-la ensuite.",
        "Il faut aussi choisir pour 2 autres recherches : redemande-les ensuite.",
    ),
    Language.FILIPINO: (
        "May isa pang paghahanap na kailangang pagpilian: hilingin ulit ito pagkatapos.",
        "May 2 pang paghahanap na kailangang pagpilian: hilingin ulit ang mga ito pagkatapos.",
    ),
}


@pytest.mark.parametrize("language", Language)
def test_of_several_questions_the_first_is_asked_and_the_others_are_said_to_be_left_out(language: Language) -> None:
    student, exam = unclear(RecordKind.STUDENT, "Ana Cruz"), unclear(RecordKind.EXAM, "Midterm")
    alone = words(WHICH, language=language)
    assert words(*with_one_question([WHICH]), language=language) == alone
    one, two = LEFT_OUT[language]
    both = with_one_question([RANKING, WHICH, student])
    assert words(*both, language=language) == "\n\n".join([words(RANKING, language=language), alone, one])
    three = with_one_question([WHICH, student, RANKING, exam])
    assert words(*three, language=language) == "\n\n".join([alone, two, words(RANKING, language=language)])


def test_two_questions_that_are_alike_are_one() -> None:
    assert words(*with_one_question([WHICH, WHICH])) == words(WHICH)


def test_titles_with_commas_are_told_apart() -> None:
    classes = replace(EXAMS, classes=called("Biology, evening", "3B"))
    assert "classes: Biology, evening; 3B · as of" in words(classes)
    assert "classes : Biology, evening ; 3B · situation" in words(classes, language=Language.FRENCH)
    about = replace(EXAMS, about=(listed(RecordKind.EXAM, "Cells, atoms"), listed(RecordKind.STUDENT, "Cruz, Ana")))
    assert words(about).startswith("**Exams: Cells, atoms; Cruz, Ana · ")


def test_several_lookups_are_answered_one_after_the_other() -> None:
    assert words(RANKING, WHICH, SUMMARY) == "\n\n".join([words(RANKING), words(WHICH), words(SUMMARY)])
