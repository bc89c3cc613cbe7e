"""What requests to `/api` may carry: closed bodies, and the queries of lists."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from examples.reference_lms.api.shapes import EvaluationState, QuestionStatus, Text, Word

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\r\n]*$")]
Search = Annotated[str, StringConstraints(max_length=200)]

PAGE_SIZE = 50
PAGE_LIMIT = 200


class Query(BaseModel):
    """What may follow the `?`; a parameter that an endpoint does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Cursor(Query):
    cursor: Annotated[str, StringConstraints(max_length=500)] | None = None
    limit: Annotated[int, Field(ge=1, le=PAGE_LIMIT)] = PAGE_SIZE


class PoolsQuery(Cursor):
    search: Search | None = None


class QuestionsQuery(PoolsQuery):
    status: QuestionStatus | None = None


class EvaluationsQuery(Cursor):
    classroom: UUID | None = None
    state: EvaluationState | None = None


class Body(BaseModel):
    """A body with no other keys than those named."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SimilarSearch(Body):
    text: Annotated[str, StringConstraints(min_length=1, max_length=2000)]
    pool: UUID | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 10


class NewQuestion(Body):
    """Becomes a draft, whatever `status` says. `config` holds the statement, whose first words stand in for a title."""

    pool: UUID
    type: Word
    title: Line | None = None
    config: dict[str, Any]
    explanation: Text = ""
    difficulty: Word | None = None
    category: UUID | None = None
    status: QuestionStatus = QuestionStatus.DRAFT


class NewCategory(Body):
    title: Line


class NewTemplate(Body):
    """Without a course it is the person's own; its questions must be published."""

    title: Line
    course: UUID | None = None
    language: Word | None = None
    questions: Annotated[list[UUID], Field(max_length=100)] = []


class MoreQuestions(Body):
    """Those that are in the template already stay as they are."""

    questions: Annotated[list[UUID], Field(min_length=1, max_length=100)]


class PoolLink(Body):
    pool: UUID
