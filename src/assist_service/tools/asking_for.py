"""What the tools that look something up are asked for. An id is a UUID: nothing else ever gets into an address."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field, StringConstraints

from assist_service.domain.school import EvaluationState
from assist_service.tools.tool import ARGUMENTS

Words = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class NoArguments(BaseModel):
    """None."""

    model_config = ARGUMENTS


class OfCourse(BaseModel):
    """One course."""

    model_config = ARGUMENTS

    course: UUID = Field(description="The id of a course, from the screen or from a result.")


class OfPool(BaseModel):
    """One pool."""

    model_config = ARGUMENTS

    pool: UUID = Field(description="The id of a pool, from the screen or from a result.")


class OfQuestion(BaseModel):
    """One question."""

    model_config = ARGUMENTS

    question: UUID = Field(description="The id of a question, from the screen or from a result.")


class OfEvaluation(BaseModel):
    """One evaluation."""

    model_config = ARGUMENTS

    evaluation: UUID = Field(description="The id of an evaluation, from the screen or from a result.")


class PoolSearch(BaseModel):
    """Which pools."""

    model_config = ARGUMENTS

    search: Words | None = Field(default=None, description="Words of the title, to find one of many.")


class QuestionSearch(OfPool):
    """Which questions of a pool."""

    search: Words | None = Field(default=None, description="Words of the question, to find some of many.")
    status: Annotated[str, StringConstraints(pattern="^(draft|published)$")] | None = None


class Likeness(BaseModel):
    """What to look for, and where."""

    model_config = ARGUMENTS

    text: Annotated[str, StringConstraints(min_length=3, max_length=1_000)] = Field(
        description="The statement of the question that others are compared with."
    )
    pool: UUID | None = Field(default=None, description="Only in this pool.")


class EvaluationSearch(BaseModel):
    """Which evaluations."""

    model_config = ARGUMENTS

    classroom: UUID | None = Field(default=None, description="Only those of this classroom.")
    state: EvaluationState | None = None


class OfClassroom(BaseModel):
    """One classroom."""

    model_config = ARGUMENTS

    classroom: UUID = Field(description="The id of a classroom, from the screen or from a result.")
