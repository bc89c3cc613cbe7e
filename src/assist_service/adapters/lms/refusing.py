"""What an LMS answers that has none of it: a tool that was offered by mistake gets nothing and asks nothing."""

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
    Template,
    TemplateDetail,
)
from assist_service.domain.writes import WriteRequest
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads, WriteRefused, Written


class RefusedReads:
    """Every read of ports.SchoolReads, refused without a request; an LMS that has some of them overrides those."""

    async def courses(self, *, cursor: str | None = None) -> Page[Course]:
        raise _refused()

    async def course(self, course: UUID) -> CourseDetail:
        raise _refused()

    async def course_staff(self, course: UUID, *, cursor: str | None = None) -> Page[StaffMember]:
        raise _refused()

    async def pools(self, *, search: str | None = None, cursor: str | None = None) -> Page[Pool]:
        raise _refused()

    async def pool(self, pool: UUID) -> PoolDetail:
        raise _refused()

    async def pool_stats(self, pool: UUID) -> PoolStats:
        raise _refused()

    async def questions(
        self, pool: UUID, *, search: str | None = None, status: str | None = None, cursor: str | None = None
    ) -> Page[QuestionRow]:
        raise _refused()

    async def similar_questions(self, text: str, *, pool: UUID | None, limit: int) -> Page[SimilarQuestion]:
        raise _refused()

    async def question(self, question: UUID) -> Question:
        raise _refused()

    async def question_types(self) -> Page[QuestionType]:
        raise _refused()

    async def evaluations(
        self, *, classroom: UUID | None = None, state: EvaluationState | None = None, cursor: str | None = None
    ) -> Page[Evaluation]:
        raise _refused()

    async def evaluation(self, evaluation: UUID) -> EvaluationDetail:
        raise _refused()

    async def templates(self, *, cursor: str | None = None) -> Page[Template]:
        raise _refused()

    async def template(self, template: UUID) -> TemplateDetail:
        raise _refused()

    async def classrooms(self, *, cursor: str | None = None) -> Page[Classroom]:
        raise _refused()

    async def classroom(self, classroom: UUID) -> Classroom:
        raise _refused()

    async def students(self, classroom: UUID, *, cursor: str | None = None) -> Page[Named]:
        raise _refused()

    async def gradebook(self, classroom: UUID) -> Gradebook:
        raise _refused()

    async def leaderboard(self, classroom: UUID) -> Leaderboard:
        raise _refused()


class NoReads(RefusedReads):
    """All of them, for every tool."""

    def for_tool(self, tool: str) -> SchoolReads:
        return self


class NoWrites:
    """Implements ports.SchoolWriter of an LMS without writes: there is nothing to confirm, and nothing is asked."""

    @property
    def reads(self) -> SchoolReads:
        return NoReads()

    async def write(self, request: WriteRequest, *, key: UUID) -> Written:
        raise WriteRefused(WriteFailure.REFUSED)


def _refused() -> LmsFault:
    return LmsFault(LmsFaultKind.REFUSED)
