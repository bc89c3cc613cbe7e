"""The endpoints of `/api` as a table: the routes and `contracts/lms.openapi.yaml` are both made from it."""

from collections.abc import Callable
from dataclasses import dataclass

from examples.reference_lms.api import bodies, class_reads, reads, shapes, writes
from examples.reference_lms.api.look import Answer, Look


@dataclass(frozen=True)
class Endpoint:
    """One method of one path."""

    method: str
    path: str
    summary: str
    handler: Callable[[Look], Answer]
    answer: type[shapes.Shape]
    kind: str | None = None
    """Of the thing whose id is in the path."""
    query: type[bodies.Query] = bodies.Query
    body: type[bodies.Body] | None = None
    tool: str | None = None
    """The tool of the scope that writes here; None for a read."""

    @property
    def name(self) -> str:
        return self.handler.__name__


Page = shapes.Page
ListPage = bodies.Cursor

READS = (
    Endpoint("GET", "/api/courses", "The person's courses", reads.list_courses, Page[shapes.Course], query=ListPage),
    Endpoint("GET", "/api/courses/{id}", "One course", reads.read_course, shapes.CourseDetail, "course"),
    Endpoint(
        "GET",
        "/api/courses/{id}/staff",
        "Everyone with a seat on a course",
        reads.list_staff,
        Page[shapes.StaffMember],
        "course",
        query=ListPage,
    ),
    Endpoint("GET", "/api/pools", "Pools of questions", reads.list_pools, Page[shapes.Pool], query=bodies.PoolsQuery),
    Endpoint("GET", "/api/pools/{id}", "One pool", reads.read_pool, shapes.PoolDetail, "pool"),
    Endpoint(
        "GET",
        "/api/pools/{id}/stats",
        "How many questions of what kinds",
        reads.read_pool_stats,
        shapes.PoolStats,
        "pool",
    ),
    Endpoint(
        "GET",
        "/api/pools/{id}/questions",
        "A pool's questions",
        reads.list_questions,
        Page[shapes.QuestionRow],
        "pool",
        query=bodies.QuestionsQuery,
    ),
    Endpoint("GET", "/api/questions/{id}", "One question", reads.read_question, shapes.Question, "question"),
    Endpoint(
        "POST",
        "/api/questions/similar",
        "Questions like a text (a search: it changes nothing and the read scope is enough)",
        reads.find_similar,
        Page[shapes.SimilarQuestion],
        body=bodies.SimilarSearch,
    ),
    Endpoint(
        "GET",
        "/api/question-types",
        "The types of question and their fields",
        reads.list_question_types,
        Page[shapes.QuestionType],
    ),
    Endpoint(
        "GET",
        "/api/evaluations",
        "Evaluations of the person's classrooms",
        class_reads.list_evaluations,
        Page[shapes.Evaluation],
        query=bodies.EvaluationsQuery,
    ),
    Endpoint(
        "GET",
        "/api/evaluations/{id}",
        "One evaluation",
        class_reads.read_evaluation,
        shapes.EvaluationDetail,
        "evaluation",
    ),
    Endpoint("GET", "/api/templates", "Templates", reads.list_templates, Page[shapes.Template], query=ListPage),
    Endpoint("GET", "/api/templates/{id}", "One template", reads.read_template, shapes.TemplateDetail, "template"),
    Endpoint(
        "GET",
        "/api/classrooms",
        "Classrooms of the person's courses",
        class_reads.list_classrooms,
        Page[shapes.Classroom],
        query=ListPage,
    ),
    Endpoint("GET", "/api/classrooms/{id}", "One classroom", class_reads.read_classroom, shapes.Classroom, "classroom"),
    Endpoint(
        "GET",
        "/api/classrooms/{id}/students",
        "A classroom's students",
        class_reads.list_students,
        Page[shapes.Named],
        "classroom",
        query=ListPage,
    ),
    Endpoint(
        "GET",
        "/api/classrooms/{id}/gradebook",
        "A classroom's marks",
        class_reads.read_gradebook,
        shapes.Gradebook,
        "classroom",
    ),
    Endpoint(
        "GET",
        "/api/classrooms/{id}/leaderboard",
        "A classroom's ranks",
        class_reads.read_leaderboard,
        shapes.Leaderboard,
        "classroom",
    ),
)

WRITES = (
    Endpoint(
        "POST",
        "/api/questions",
        "A new question, always a draft",
        writes.create_question,
        shapes.Question,
        body=bodies.NewQuestion,
        tool="create_question",
    ),
    Endpoint(
        "POST",
        "/api/pools/{id}/categories",
        "A new category of a pool",
        writes.create_category,
        shapes.Ref,
        "pool",
        body=bodies.NewCategory,
        tool="create_category",
    ),
    Endpoint(
        "POST",
        "/api/templates",
        "A new template, without questions or with published ones",
        writes.create_template,
        shapes.TemplateDetail,
        body=bodies.NewTemplate,
        tool="create_template",
    ),
    Endpoint(
        "POST",
        "/api/templates/{id}/questions",
        "Published questions put into a template",
        writes.add_questions_to_template,
        shapes.TemplateDetail,
        "template",
        body=bodies.MoreQuestions,
        tool="add_questions_to_template",
    ),
    Endpoint(
        "POST",
        "/api/courses/{id}/pools",
        "A pool linked to a course: everyone with a seat there gets access",
        writes.link_pool_to_course,
        shapes.CourseDetail,
        "course",
        body=bodies.PoolLink,
        tool="link_pool_to_course",
    ),
)

ENDPOINTS = READS + WRITES
