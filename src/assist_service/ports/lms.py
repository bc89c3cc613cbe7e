"""The LMS as the person who asks sees it, and what it says of that person."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from assist_service.domain.errors import WriteFailure
from assist_service.domain.question_types import QuestionType
from assist_service.domain.school import (
    Classroom,
    Course,
    CourseDetail,
    Evaluation,
    EvaluationDetail,
    EvaluationState,
    Gradebook,
    Leaderboard,
    Named,
    Page,
    Pool,
    PoolDetail,
    PoolStats,
    Question,
    QuestionRow,
    SimilarQuestion,
    StaffMember,
    Standing,
    Template,
    TemplateDetail,
)
from assist_service.domain.writes import WriteRequest, WriteTool


class LmsFaultKind(StrEnum):
    """What a request to the LMS that brought nothing means."""

    NOT_FOUND = "not_found"
    """It does not exist, or the person holds no seat on the course it belongs to: nobody learns which."""
    REFUSED = "refused"
    """The LMS refused what it was asked."""
    SESSION_ENDED = "session_ended"
    """The person's session is over, or the LMS will not act for them any more."""
    UNAVAILABLE = "unavailable"
    """No answer, or one that says it could not."""
    MALFORMED = "malformed"
    """An answer that is none: not JSON, another shape, a page for browsers, another host."""
    TOO_LARGE = "too_large"
    """An answer longer than any that can be meant."""


class LmsFault(Exception):
    """A request to the LMS that brought nothing. Says nothing of what was asked or answered."""

    def __init__(self, kind: LmsFaultKind) -> None:
        super().__init__(kind.value)
        self.kind = kind


class SchoolReads(Protocol):
    """Reads as one person, for one question. Every method raises LmsFault, and sends nothing but reads."""

    def for_tool(self, tool: str) -> "SchoolReads":
        """The same person and token; the LMS is told which tool asks."""
        ...

    async def courses(self, *, cursor: str | None = None) -> Page[Course]: ...

    async def course(self, course: UUID) -> CourseDetail: ...

    async def course_staff(self, course: UUID, *, cursor: str | None = None) -> Page[StaffMember]: ...

    async def pools(self, *, search: str | None = None, cursor: str | None = None) -> Page[Pool]: ...

    async def pool(self, pool: UUID) -> PoolDetail: ...

    async def pool_stats(self, pool: UUID) -> PoolStats: ...

    async def questions(
        self, pool: UUID, *, search: str | None = None, status: str | None = None, cursor: str | None = None
    ) -> Page[QuestionRow]: ...

    async def similar_questions(self, text: str, *, pool: UUID | None, limit: int) -> Page[SimilarQuestion]: ...

    async def question(self, question: UUID) -> Question: ...

    async def question_types(self) -> Page[QuestionType]: ...

    async def evaluations(
        self, *, classroom: UUID | None = None, state: EvaluationState | None = None, cursor: str | None = None
    ) -> Page[Evaluation]: ...

    async def evaluation(self, evaluation: UUID) -> EvaluationDetail: ...

    async def templates(self, *, cursor: str | None = None) -> Page[Template]: ...

    async def template(self, template: UUID) -> TemplateDetail: ...

    async def classrooms(self, *, cursor: str | None = None) -> Page[Classroom]: ...

    async def classroom(self, classroom: UUID) -> Classroom: ...

    async def students(self, classroom: UUID, *, cursor: str | None = None) -> Page[Named]: ...

    async def gradebook(self, classroom: UUID) -> Gradebook: ...

    async def leaderboard(self, classroom: UUID) -> Leaderboard: ...


class WriteRefused(Exception):
    """The LMS refused a write, and has written nothing. Says nothing of what was asked or answered."""

    def __init__(self, failure: WriteFailure) -> None:
        super().__init__(failure.value)
        self.failure = failure


class WriteUnknown(Exception):
    """The answer to a write was lost, or says nothing: it may have been made."""


@dataclass(frozen=True)
class Written:
    """What a write made or changed, by its id and title as the LMS has them."""

    id: UUID
    title: str


class SchoolWriter(Protocol):
    """Makes one write as one person, with a token of that write alone."""

    @property
    def reads(self) -> SchoolReads:
        """Reads with the same token: what a card shows is read again before it is done."""
        ...

    async def write(self, request: WriteRequest, *, key: UUID) -> Written:
        """Sends the request's bytes once under this idempotency key.

        Raises WriteRefused; WriteUnknown; LmsFault where nothing was written for want of a token that is good, or
        because the LMS takes nothing now (`session_ended`, `unavailable`, or what else the exchange came to).
        """
        ...


class Lms(Protocol):
    """One LMS."""

    @property
    def offers(self) -> frozenset[str]:
        """The names of the methods of SchoolReads and of the writes that this LMS has; a tool that needs another is not
        offered."""
        ...

    def reading(self, session: str) -> AbstractAsyncContextManager[SchoolReads]:
        """Reads as the person of this session JWT.

        A token is exchanged for it at the first read and not before, one for all of them, and it is worth nothing
        once the `with` block is left, however it is left.
        """
        ...

    def writing(self, session: str, tool: WriteTool) -> AbstractAsyncContextManager[SchoolWriter]:
        """One write as the person of this session JWT, by a token with the scope of this write and no other.

        Exchanged at the first request; worth nothing once the `with` block is left, however it is left.
        """
        ...

    async def standing(self, sub: str) -> Standing:
        """What the LMS says of this person now. Raises LmsFault."""
        ...
