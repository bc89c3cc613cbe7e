"""Reads what a school has, as the person who asks: courses, pools, questions, evaluations, templates (row A10).

Each result holds what an answer can need and no more.
"""

from assist_service.domain.question_types import Append
from assist_service.domain.records import Found, FreeText, ItemKind, Record, Seen, Titled
from assist_service.domain.school import Course, Evaluation, Pool, QuestionRow, Ref, Template
from assist_service.domain.screens import EntityKind
from assist_service.ports import SchoolReads
from assist_service.tools.asking_for import (
    EvaluationSearch,
    Likeness,
    NoArguments,
    OfCourse,
    OfEvaluation,
    OfPool,
    OfQuestion,
    PoolSearch,
    QuestionSearch,
)
from assist_service.tools.looking_up import lookup
from assist_service.tools.paging import every
from assist_service.tools.tool import Desk

SIMILAR = 10
"""Questions like the one described that are listed."""


def _ref(kind: EntityKind | ItemKind, ref: Ref) -> Record:
    return {"id": Seen(kind, ref.id), "title": Titled(ref.title)}


def _refs(kind: EntityKind | ItemKind, refs: tuple[Ref, ...]) -> tuple[Record, ...]:
    return tuple(_ref(kind, ref) for ref in refs)


def _course(course: Course) -> Record:
    return {
        **_ref(EntityKind.COURSE, course),
        "language": course.language,
        "archived": course.archived or None,
    }


def _pool(pool: Pool) -> Record:
    return {
        **_ref(EntityKind.POOL, pool),
        "language": pool.language,
        "questions": pool.question_count,
        "courses": _refs(EntityKind.COURSE, pool.courses),
    }


def _question(question: QuestionRow) -> Record:
    return {
        **_ref(EntityKind.QUESTION, question),
        "type": question.type,
        "status": question.status,
        "difficulty": question.difficulty,
        "category": Titled(question.category) if question.category else None,
    }


def _evaluation(evaluation: Evaluation) -> Record:
    return {
        **_ref(EntityKind.EVALUATION, evaluation),
        "state": evaluation.state.value,
        "classroom": _ref(EntityKind.CLASSROOM, evaluation.classroom),
        "opens_at": evaluation.opens_at.isoformat() if evaluation.opens_at else None,
        "closes_at": evaluation.closes_at.isoformat() if evaluation.closes_at else None,
    }


def _template(template: Template) -> Record:
    return {
        **_ref(EntityKind.TEMPLATE, template),
        "language": template.language,
        "questions": template.question_count,
    }


async def _list_courses(_: NoArguments, __: Desk, reads: SchoolReads) -> Found:
    courses, is_cut = await every(lambda cursor: reads.courses(cursor=cursor))
    return Found([_course(course) for course in courses], is_cut)


async def _get_course(arguments: OfCourse, _: Desk, reads: SchoolReads) -> Found:
    course = await reads.course(arguments.course)
    described: Record = {
        **_course(course),
        "description": FreeText(course.description),
        "classrooms": _refs(EntityKind.CLASSROOM, course.classrooms),
        "pools": _refs(EntityKind.POOL, course.pools),
    }
    return Found([described])


async def _list_pools(arguments: PoolSearch, _: Desk, reads: SchoolReads) -> Found:
    pools, is_cut = await every(lambda cursor: reads.pools(search=arguments.search, cursor=cursor))
    return Found([_pool(pool) for pool in pools], is_cut)


async def _get_pool(arguments: OfPool, _: Desk, reads: SchoolReads) -> Found:
    pool = await reads.pool(arguments.pool)
    described: Record = {
        **_pool(pool),
        "description": FreeText(pool.description),
        "categories": _refs(ItemKind.CATEGORY, pool.categories),
    }
    return Found([described])


async def _get_pool_question_stats(arguments: OfPool, _: Desk, reads: SchoolReads) -> Found:
    stats = await reads.pool_stats(arguments.pool)
    counts: Record = {
        "questions": stats.questions,
        "published": stats.published,
        "drafts": stats.drafts,
        "by_type": dict(stats.by_type),
        "by_difficulty": dict(stats.by_difficulty),
    }
    return Found([counts])


async def _list_questions(arguments: QuestionSearch, _: Desk, reads: SchoolReads) -> Found:
    questions, is_cut = await every(
        lambda cursor: reads.questions(arguments.pool, search=arguments.search, status=arguments.status, cursor=cursor)
    )
    return Found([_question(question) for question in questions], is_cut)


async def _find_similar_questions(arguments: Likeness, _: Desk, reads: SchoolReads) -> Found:
    page = await reads.similar_questions(arguments.text, pool=arguments.pool, limit=SIMILAR)
    return Found(
        [
            {**_question(found), "pool": _ref(EntityKind.POOL, found.pool), "likeness": round(found.likeness, 2)}
            for found in page.items
        ]
    )


async def _get_question(arguments: OfQuestion, _: Desk, reads: SchoolReads) -> Found:
    question = await reads.question(arguments.question)
    written: Record = {
        **_question(question),
        "pool": _ref(EntityKind.POOL, question.pool),
        "statement": FreeText(question.statement),
        "explanation": FreeText(question.explanation),
    }
    return Found([written])


def _append(append: Append) -> Record:
    return {"to": append.path, "text": append.text, "most": append.most}


async def _describe_question_types(_: NoArguments, __: Desk, reads: SchoolReads) -> Found:
    types = await reads.question_types()
    return Found(
        [
            {
                "type": each.type,
                "title": each.title,
                "description": each.description,
                "texts": tuple(f"{field.path}: {field.label}" for field in each.text_fields),
                "append": _append(each.append) if each.append else None,
                "config_schema": each.config_schema,
            }
            for each in types.items
        ]
    )


async def _list_evaluations(arguments: EvaluationSearch, _: Desk, reads: SchoolReads) -> Found:
    evaluations, is_cut = await every(
        lambda cursor: reads.evaluations(classroom=arguments.classroom, state=arguments.state, cursor=cursor)
    )
    return Found([_evaluation(evaluation) for evaluation in evaluations], is_cut)


async def _get_evaluation(arguments: OfEvaluation, _: Desk, reads: SchoolReads) -> Found:
    evaluation = await reads.evaluation(arguments.evaluation)
    described: Record = {
        **_evaluation(evaluation),
        "minutes": evaluation.duration_minutes,
        "shuffled": evaluation.shuffled,
        "attempts_allowed": evaluation.attempts_allowed,
        "items": tuple(
            {"question": _ref(EntityKind.QUESTION, item.question), "points": item.points} for item in evaluation.items
        ),
    }
    return Found([described])


async def _list_templates(_: NoArguments, __: Desk, reads: SchoolReads) -> Found:
    templates, is_cut = await every(lambda cursor: reads.templates(cursor=cursor))
    return Found([_template(template) for template in templates], is_cut)


_POOL = {"pool": EntityKind.POOL}

READS = (
    lookup(
        "list_courses",
        "Lists the person's courses. Use it when they ask which they have, or to find a course by its title.",
        NoArguments,
        _list_courses,
        needs="courses",
    ),
    lookup(
        "get_course",
        "Describes one course, with its classrooms and pools. Use it to get from a course to those.",
        OfCourse,
        _get_course,
        needs="course",
        kinds={"course": EntityKind.COURSE},
    ),
    lookup(
        "list_pools",
        "Lists the person's pools of questions. Use it to find a pool by its title, or to say which there are.",
        PoolSearch,
        _list_pools,
        needs="pools",
    ),
    lookup(
        "get_pool",
        "Describes one pool and its categories. Use it for what a pool is; its questions are in list_questions.",
        OfPool,
        _get_pool,
        needs="pool",
        kinds=_POOL,
    ),
    lookup(
        "get_pool_question_stats",
        "Counts a pool's questions by status, type and difficulty. Use it for how many; it lists none.",
        OfPool,
        _get_pool_question_stats,
        needs="pool_stats",
        kinds=_POOL,
    ),
    lookup(
        "list_questions",
        "Lists questions of a pool. Use it to find some by words or status, not to count them.",
        QuestionSearch,
        _list_questions,
        needs="questions",
        kinds=_POOL,
    ),
    lookup(
        "find_similar_questions",
        "Finds questions like a given text, in all the person's pools or one. Use it before a new one is written.",
        Likeness,
        _find_similar_questions,
        needs="similar_questions",
        kinds=_POOL,
    ),
    lookup(
        "get_question",
        "Reads one question: its statement and explanation. Use it when what the question says matters.",
        OfQuestion,
        _get_question,
        needs="question",
        kinds={"question": EntityKind.QUESTION},
    ),
    lookup(
        "describe_question_types",
        "Lists the types of question this platform has, with the JSON Schema of each one's config. Use it for which "
        "there are and what one can do, and before a question is written.",
        NoArguments,
        _describe_question_types,
        needs="question_types",
    ),
    lookup(
        "list_evaluations",
        "Lists the person's evaluations with their states, of one classroom or all. Use it to find one.",
        EvaluationSearch,
        _list_evaluations,
        needs="evaluations",
        kinds={"classroom": EntityKind.CLASSROOM},
    ),
    lookup(
        "get_evaluation",
        "Describes one evaluation: its settings and questions, never a score. Use it for how one is set up; "
        "marks are in get_classroom_results.",
        OfEvaluation,
        _get_evaluation,
        needs="evaluation",
        kinds={"evaluation": EntityKind.EVALUATION},
    ),
    lookup(
        "list_templates",
        "Lists the person's templates of evaluations. Use it when they ask which they have.",
        NoArguments,
        _list_templates,
        needs="templates",
    ),
)
