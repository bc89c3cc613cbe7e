"""The contract's shapes: what an LMS must answer. This one answers more, as real ones do, and callers drop it."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Title = Annotated[str, StringConstraints(max_length=500)]
Text = Annotated[str, StringConstraints(max_length=200_000)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Count = Annotated[int, Field(ge=0)]


class Shape(BaseModel):
    """An answer or a part of one; further keys are allowed."""

    model_config = ConfigDict(extra="allow")


Item = TypeVar("Item")


class Page(Shape, Generic[Item]):
    """A part of a list; `next` goes into `?cursor=` for the part after it, and is null on the last one."""

    items: Annotated[list[Item], Field(max_length=200)]
    next: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None


class Ref(Shape):
    id: UUID
    title: Title


class Named(Shape):
    id: UUID
    name: Title


class Course(Ref):
    """A course the person has a seat on."""

    language: Word | None = None
    archived: bool = False


class CourseDetail(Course):
    description: Text = ""
    classrooms: list[Ref] = []
    pools: list[Ref] = []


class StaffMember(Named):
    """Who has a seat on a course, and as what."""

    role: Word


class Pool(Ref):
    """A bank of questions; `courses` are those of the person's."""

    language: Word | None = None
    question_count: Count
    courses: list[Ref] = []


class PoolDetail(Pool):
    description: Text = ""
    categories: list[Ref] = []


class PoolStats(Shape):
    questions: Count
    published: Count
    drafts: Count
    by_type: dict[Word, Count] = {}
    by_difficulty: dict[Word, Count] = {}


class QuestionStatus(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"


class QuestionRow(Ref):
    type: Word
    status: QuestionStatus
    difficulty: Word | None = None
    category: Title | None = None
    """Its category's title."""


class Question(QuestionRow):
    """`config` holds the statement; `statement` is a plain copy of it for readers."""

    pool: Ref
    statement: Text
    config: dict[str, Any] = {}
    explanation: Text = ""


class SimilarQuestion(QuestionRow):
    pool: Ref
    likeness: Annotated[float, Field(ge=0, le=1)]


class TextLabel(StrEnum):
    """What a text is called where it is shown; `text` where no other fits."""

    STATEMENT = "statement"
    TEXT = "text"
    CHOICE = "choice"
    COLUMN = "column"
    CARD = "card"
    UNIT = "unit"
    GUIDANCE = "guidance"
    EXPLANATION = "explanation"


_KEY = r"[^.\[\]]{1,64}"
Key = Annotated[str, StringConstraints(pattern=rf"^{_KEY}$")]
FieldPath = Annotated[
    str, StringConstraints(max_length=500, pattern=rf"^(explanation|config(\.{_KEY}(\[\])*)*\.{_KEY}(\[\])*)$")
]
ListPath = Annotated[str, StringConstraints(max_length=500, pattern=rf"^config(\.{_KEY})+$")]


class TextField(Shape):
    """A text of a question as it is written: keys from `{config, explanation}` on, `[]` for each element of a list."""

    path: FieldPath
    label: TextLabel


class Append(Shape):
    """What may be appended to a question: to the list at `path`, copies of `item` with a text at its key `text`.

    `item` counts for nothing until somebody says so: its text is empty, nothing of it is ticked. The list holds `most`
    at most. The texts are one of the type's `text_fields`.
    """

    path: ListPath
    text: Key
    item: dict[str, Any]
    most: Count


class QuestionType(Shape):
    """A type of question. Of a question only its `text_fields` are ever proposed to be written otherwise."""

    type: Word
    title: Title
    description: Text = ""
    text_fields: Annotated[list[TextField], Field(max_length=100)] = []
    append: Append | None = None
    config_schema: dict[str, Any] = {}
    """JSON Schema 2020-12 of a question's `config`, which holds the question's `statement`."""


class EvaluationState(StrEnum):
    DRAFT = "draft"
    SCHEDULED = "scheduled"
    RUNNING = "running"
    CLOSED = "closed"
    RELEASED = "released"


class Evaluation(Ref):
    state: EvaluationState
    classroom: Ref
    opens_at: datetime | None = None
    closes_at: datetime | None = None


class EvaluationItem(Shape):
    question: Ref
    points: Annotated[float, Field(ge=0)]


class EvaluationDetail(Evaluation):
    duration_minutes: Count | None = None
    shuffled: bool = False
    attempts_allowed: Count | None = None
    items: list[EvaluationItem] = []


class Template(Ref):
    language: Word | None = None
    question_count: Count


class TemplateDetail(Template):
    questions: list[QuestionRow] = []


class Classroom(Ref):
    course: Ref
    student_count: Count


class GradeColumn(Ref):
    """An evaluation; `id` is the evaluation's."""

    state: EvaluationState
    best_mark: Annotated[float, Field(gt=0)]
    mean: float | None = None


class Grade(Shape):
    """A mark that is not final stands for work that is not done, or not all marked."""

    column: UUID
    mark: float | None = None
    final: bool = False
    absent: bool = False


class GradeRow(Shape):
    student: Named
    grades: list[Grade] = []


class Gradebook(Shape):
    columns: list[GradeColumn]
    rows: list[GradeRow]


class Rank(Shape):
    student: Named
    rank: Annotated[int, Field(ge=1)]
    points: float


class Leaderboard(Shape):
    rows: list[Rank]


class Role(StrEnum):
    STUDENT = "student"
    TEACHER = "teacher"
    TRAINER_ADMIN = "trainer_admin"
    ADMIN = "admin"


class Standing(Shape):
    role: Role
    active: bool
    exam_in_progress: bool


class Refused(Shape):
    """Why not; `fields` name what is not valid."""

    error: Word
    message: str
    fields: list[str] = []
