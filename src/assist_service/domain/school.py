"""What an LMS says of a school, as far as this service may know it: whatever else an answer holds is left behind.

These models are the shapes of `contracts/lms.openapi.yaml`. A field that is not here never leaves the LMS's answer:
no address, no birthday, no remark, no answer a student gave (row J9).
"""

import datetime as dt
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from assist_service.domain.people import Role

PUBLISHED = "published"
"""The status of a question that may stand in a template; the other one is `draft`."""

TITLE_CHARACTERS = 500
TEXT_CHARACTERS = 200_000
PAGE_ITEMS = 200
"""Items of one page of a list, at most."""

Title = Annotated[str, StringConstraints(max_length=TITLE_CHARACTERS)]
Text = Annotated[str, StringConstraints(max_length=TEXT_CHARACTERS)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
"""A closed word of the LMS: a type, a status, a difficulty."""

MOST = 2**63 - 1
"""Of anything that is counted: platforms write "no limit" with the largest number they have."""

LARGEST = 1e9
"""Of a mark or points, in either direction: sums and means of such are numbers still."""

SMALLEST_BEST = 1e-9
"""Of the best mark there is: a share of it is a number still."""

Count = Annotated[int, Field(ge=0, le=MOST)]
Points = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
"""Marks and points. What is larger is no mark that anybody gave: the answer is none."""


def _with_zone(moment: dt.datetime) -> dt.datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)


Moment = Annotated[dt.datetime, AfterValidator(_with_zone)]
"""One written without a zone, which the contract does not allow, is read as UTC and never on this host's clock."""


class Known(BaseModel):
    """A part of an LMS's answer; keys it does not name are dropped."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


Item = TypeVar("Item")


class Page(Known, Generic[Item]):
    """A part of a list; `next` is the cursor of the part after it."""

    items: Annotated[tuple[Item, ...], Field(max_length=PAGE_ITEMS)]
    next: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None = None


class Ref(Known):
    """Something named by another."""

    id: UUID
    title: Title


class Named(Known):
    """A person, by no more than the name."""

    id: UUID
    name: Title


class Course(Ref):
    """A course the person has a seat on."""

    language: Word | None = None
    archived: bool = False


class CourseDetail(Course):
    description: Text = ""
    classrooms: tuple[Ref, ...] = ()
    pools: tuple[Ref, ...] = ()


class StaffMember(Named):
    """Who teaches a course, and as what."""

    role: Word


class Pool(Ref):
    """A bank of questions."""

    language: Word | None = None
    question_count: Count
    courses: tuple[Ref, ...] = ()


class PoolDetail(Pool):
    description: Text = ""
    categories: tuple[Ref, ...] = ()


class PoolStats(Known):
    """How many questions a pool has, and of what kinds."""

    questions: Count
    published: Count
    drafts: Count
    by_type: dict[Word, Count] = {}
    by_difficulty: dict[Word, Count] = {}


class QuestionRow(Ref):
    """A question in a list."""

    type: Word
    status: Word
    """`draft` or `published`."""
    difficulty: Word | None = None
    category: Title | None = None


class Question(QuestionRow):
    """A question as its editor shows it; `config` holds the statement, of which `statement` is a plain copy."""

    pool: Ref
    statement: Text
    config: dict[str, Any] = {}
    explanation: Text = ""


class SimilarQuestion(QuestionRow):
    """A question like the words that were searched for; `likeness` from 0 to 1."""

    pool: Ref
    likeness: Annotated[float, Field(ge=0, le=1)]


class EvaluationState(StrEnum):
    """Where an evaluation stands."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    RUNNING = "running"
    CLOSED = "closed"
    RELEASED = "released"


class Evaluation(Ref):
    """An evaluation of a classroom."""

    state: EvaluationState
    classroom: Ref
    opens_at: Moment | None = None
    closes_at: Moment | None = None


class EvaluationItem(Known):
    """A question in an evaluation."""

    question: Ref
    points: Annotated[float, Field(ge=0, le=LARGEST)]


class EvaluationDetail(Evaluation):
    duration_minutes: Count | None = None
    shuffled: bool = False
    attempts_allowed: Count | None = None
    items: tuple[EvaluationItem, ...] = ()


class Template(Ref):
    """A template that evaluations are made from."""

    language: Word | None = None
    question_count: Count


class TemplateDetail(Template):
    questions: tuple[QuestionRow, ...] = ()


class Classroom(Ref):
    """A classroom of a course."""

    course: Ref
    student_count: Count


class GradeColumn(Ref):
    """An evaluation as a column of the gradebook; `id` is the evaluation's, `mean` what the gradebook shows."""

    state: EvaluationState
    best_mark: Annotated[float, Field(ge=SMALLEST_BEST, le=LARGEST)]
    mean: Points | None = None


class Grade(Known):
    """One student's mark in one column; a mark that is not final stands for work that is not done."""

    column: UUID
    mark: Points | None = None
    final: bool = False
    absent: bool = False


class GradeRow(Known):
    student: Named
    grades: tuple[Grade, ...] = ()


class Gradebook(Known):
    """A classroom's marks as its staff see them: more than a model may read, see `results_of`."""

    columns: tuple[GradeColumn, ...]
    rows: tuple[GradeRow, ...]


class Standing(Known):
    """What the LMS says of a person now."""

    role: Role
    active: bool
    exam_in_progress: bool


class Rank(Known):
    """A student's place, as the LMS works it out."""

    student: Named
    rank: Annotated[int, Field(ge=1, le=MOST)]
    points: Points


class Leaderboard(Known):
    rows: tuple[Rank, ...]


class Mark(Known):
    """What may be told of one student in one released column: a final mark, or that they were absent, or neither."""

    column: UUID
    mark: Points | None
    absent: bool


class Result(Known):
    student: Named
    marks: tuple[Mark, ...]

    @cached_property
    def by_column(self) -> Mapping[UUID, Mark]:
        """The marks by their columns, the first of each: a gradebook may have thousands of columns."""
        return {mark.column: mark for mark in reversed(self.marks)}


class Results(Known):
    """The released columns of a gradebook, and nothing of any other."""

    columns: tuple[GradeColumn, ...]
    rows: tuple[Result, ...]


def results_of(gradebook: Gradebook) -> Results:
    """Final marks of released columns only (row A11), whatever else the LMS put into its answer."""
    columns = tuple(column for column in gradebook.columns if column.state is EvaluationState.RELEASED)
    shown = frozenset(column.id for column in columns)
    return Results(
        columns=columns, rows=tuple(Result(student=r.student, marks=_marks(r, shown)) for r in gradebook.rows)
    )


def _marks(row: GradeRow, shown: frozenset[UUID]) -> tuple[Mark, ...]:
    return tuple(
        Mark(column=grade.column, mark=grade.mark if grade.final and not grade.absent else None, absent=grade.absent)
        for grade in row.grades
        if grade.column in shown
    )
