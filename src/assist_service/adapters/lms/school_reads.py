"""The closed list of what is read of a school over HTTP: each method one endpoint, each id a UUID."""

from uuid import UUID

from assist_service.adapters.lms.reading import Read, Reading
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

COURSES = Read("/api/courses", Page[Course])
COURSE = Read("/api/courses/{id}", CourseDetail)
COURSE_STAFF = Read("/api/courses/{id}/staff", Page[StaffMember])
POOLS = Read("/api/pools", Page[Pool])
POOL = Read("/api/pools/{id}", PoolDetail)
POOL_STATS = Read("/api/pools/{id}/stats", PoolStats)
QUESTIONS = Read("/api/pools/{id}/questions", Page[QuestionRow])
SIMILAR_QUESTIONS = Read("/api/questions/similar", Page[SimilarQuestion], method="POST")
QUESTION = Read("/api/questions/{id}", Question)
QUESTION_TYPES = Read("/api/question-types", Page[QuestionType])
EVALUATIONS = Read("/api/evaluations", Page[Evaluation])
EVALUATION = Read("/api/evaluations/{id}", EvaluationDetail)
TEMPLATES = Read("/api/templates", Page[Template])
TEMPLATE = Read("/api/templates/{id}", TemplateDetail)
CLASSROOMS = Read("/api/classrooms", Page[Classroom])
CLASSROOM = Read("/api/classrooms/{id}", Classroom)
STUDENTS = Read("/api/classrooms/{id}/students", Page[Named])
GRADEBOOK = Read("/api/classrooms/{id}/gradebook", Gradebook)
LEADERBOARD = Read("/api/classrooms/{id}/leaderboard", Leaderboard)


class RestReads:
    """Implements ports.SchoolReads."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def for_tool(self, tool: str) -> "RestReads":
        return RestReads(self._reading.for_tool(tool))

    async def courses(self, *, cursor: str | None = None) -> Page[Course]:
        return await self._reading.fetch(COURSES, query={"cursor": cursor})

    async def course(self, course: UUID) -> CourseDetail:
        return await self._reading.fetch(COURSE, course)

    async def course_staff(self, course: UUID, *, cursor: str | None = None) -> Page[StaffMember]:
        return await self._reading.fetch(COURSE_STAFF, course, query={"cursor": cursor})

    async def pools(self, *, search: str | None = None, cursor: str | None = None) -> Page[Pool]:
        return await self._reading.fetch(POOLS, query={"search": search, "cursor": cursor})

    async def pool(self, pool: UUID) -> PoolDetail:
        return await self._reading.fetch(POOL, pool)

    async def pool_stats(self, pool: UUID) -> PoolStats:
        return await self._reading.fetch(POOL_STATS, pool)

    async def questions(
        self, pool: UUID, *, search: str | None = None, status: str | None = None, cursor: str | None = None
    ) -> Page[QuestionRow]:
        query = {"search": search, "status": status, "cursor": cursor}
        return await self._reading.fetch(QUESTIONS, pool, query=query)

    async def similar_questions(self, text: str, *, pool: UUID | None, limit: int) -> Page[SimilarQuestion]:
        body = {"text": text, "pool": None if pool is None else str(pool), "limit": limit}
        return await self._reading.fetch(SIMILAR_QUESTIONS, body=body)

    async def question(self, question: UUID) -> Question:
        return await self._reading.fetch(QUESTION, question)

    async def question_types(self) -> Page[QuestionType]:
        return await self._reading.fetch(QUESTION_TYPES)

    async def evaluations(
        self, *, classroom: UUID | None = None, state: EvaluationState | None = None, cursor: str | None = None
    ) -> Page[Evaluation]:
        query = {
            "classroom": None if classroom is None else str(classroom),
            "state": None if state is None else state.value,
            "cursor": cursor,
        }
        return await self._reading.fetch(EVALUATIONS, query=query)

    async def evaluation(self, evaluation: UUID) -> EvaluationDetail:
        return await self._reading.fetch(EVALUATION, evaluation)

    async def templates(self, *, cursor: str | None = None) -> Page[Template]:
        return await self._reading.fetch(TEMPLATES, query={"cursor": cursor})

    async def template(self, template: UUID) -> TemplateDetail:
        return await self._reading.fetch(TEMPLATE, template)

    async def classrooms(self, *, cursor: str | None = None) -> Page[Classroom]:
        return await self._reading.fetch(CLASSROOMS, query={"cursor": cursor})

    async def classroom(self, classroom: UUID) -> Classroom:
        return await self._reading.fetch(CLASSROOM, classroom)

    async def students(self, classroom: UUID, *, cursor: str | None = None) -> Page[Named]:
        return await self._reading.fetch(STUDENTS, classroom, query={"cursor": cursor})

    async def gradebook(self, classroom: UUID) -> Gradebook:
        return await self._reading.fetch(GRADEBOOK, classroom)

    async def leaderboard(self, classroom: UUID) -> Leaderboard:
        return await self._reading.fetch(LEADERBOARD, classroom)
