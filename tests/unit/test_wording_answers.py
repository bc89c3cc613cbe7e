"""What people read of a lookup, as exact texts in each language: a reader of this file sees the answers."""

import pytest

from assist_service.domain.live.finding import (
    Called,
    Cell,
    Column,
    Finding,
    Looked,
    Say,
    Sentence,
    Share,
    Unclear,
    Word,
)
from assist_service.domain.live.query import OPERATIONS, Lookup, Operation, RecordKind
from assist_service.domain.school import EvaluationState
from assist_service.domain.screens import Language
from tests.unit.live_findings import AT, WORDING, called, listed, of_table, query, table, unclear, words
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

READ: dict[str, tuple[Looked, dict[Language, str]]] = {}


def _no_such(kind: RecordKind) -> Finding:
    return Finding(query(Lookup.EXAM_RESULTS, Operation.LIST), said=(Sentence(Say.NO_SUCH, kind=kind),))


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("language", Language)
def test_an_answer_reads(name: str, language: Language) -> None:
    looked, read = READ[name]
    assert words(looked, language=language) == read[language]
