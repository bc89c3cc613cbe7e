"""Reads of courses, pools, questions and templates; every query goes through the person's own views."""

import json
from collections import Counter

from examples.reference_lms.api.bodies import PoolsQuery, QuestionsQuery, SimilarSearch
from examples.reference_lms.api.look import Answer, Look
from examples.reference_lms.api.question_types import QUESTION_TYPES
from examples.reference_lms.store import Row


def list_courses(look: Look) -> Answer:
    return look.page("SELECT * FROM my_course WHERE place > :after ORDER BY place LIMIT :count", _course)


def read_course(look: Look) -> Answer:
    row = look.store.rows("SELECT * FROM my_course WHERE id = :id", id=look.id)[0]
    classrooms = look.store.rows("SELECT id, title FROM my_classroom WHERE course = :id ORDER BY place", id=look.id)
    pools = look.store.rows(
        "SELECT my_pool.id, title FROM my_pool JOIN course_pool ON pool = my_pool.id WHERE course = :id ORDER BY place",
        id=look.id,
    )
    return {**_course(row), "description": row["description"], "classrooms": classrooms, "pools": pools}


def list_staff(look: Look) -> Answer:
    return look.page(
        "SELECT person.id, name, seat.role, email, seat.rowid AS place FROM seat JOIN person ON person = person.id"
        " WHERE course = :id AND seat.rowid > :after ORDER BY seat.rowid LIMIT :count",
        lambda row: {key: row[key] for key in ("id", "name", "role", "email")},
        id=look.id,
    )


def list_pools(look: Look) -> Answer:
    assert isinstance(look.query, PoolsQuery)
    return look.page(
        "SELECT * FROM my_pool WHERE place > :after"
        " AND (:search IS NULL OR instr(folded(title), folded(:search))) ORDER BY place LIMIT :count",
        lambda row: _pool(look, row),
        search=look.query.search,
    )


def read_pool(look: Look) -> Answer:
    row = look.store.rows("SELECT * FROM my_pool WHERE id = :id", id=look.id)[0]
    categories = look.store.rows("SELECT id, title FROM category WHERE pool = :id ORDER BY rowid", id=look.id)
    return {**_pool(look, row), "description": row["description"], "categories": categories}


def read_pool_stats(look: Look) -> Answer:
    rows = look.store.rows("SELECT type, status, difficulty FROM question WHERE pool = :id", id=look.id)
    statuses = Counter(row["status"] for row in rows)
    return {
        "questions": len(rows),
        "published": statuses["published"],
        "drafts": statuses["draft"],
        "by_type": dict(Counter(row["type"] for row in rows)),
        "by_difficulty": dict(Counter(row["difficulty"] for row in rows if row["difficulty"])),
    }


def list_questions(look: Look) -> Answer:
    assert isinstance(look.query, QuestionsQuery)
    return look.page(
        "SELECT q.*, category.title AS category_title FROM my_question q LEFT JOIN category ON category.id = category"
        " WHERE q.pool = :id AND place > :after AND (:status IS NULL OR status = :status) AND (:search IS NULL"
        " OR instr(folded(q.title), folded(:search)) OR instr(folded(statement), folded(:search)))"
        " ORDER BY place LIMIT :count",
        question_row,
        id=look.id,
        status=look.query.status,
        search=look.query.search,
    )


QUESTION = (
    "SELECT q.*, category.title AS category_title, pool.title AS pool_title FROM my_question q"
    " JOIN pool ON pool.id = q.pool LEFT JOIN category ON category.id = category"
)


def read_question(look: Look) -> Answer:
    row = look.store.rows(QUESTION + " WHERE q.id = :id", id=look.id)[0]
    return {
        **question_row(row),
        "pool": _pool_ref(row),
        "statement": row["statement"],
        "config": json.loads(row["config"]),
        "explanation": row["explanation"],
    }


def find_similar(look: Look) -> Answer:
    """By shared words, the likest first."""
    search = look.body
    assert isinstance(search, SimilarSearch)
    pool = None if search.pool is None else look.need("pool", search.pool)
    words = _words(search.text)
    found: list[tuple[float, Answer]] = []
    for row in look.store.rows(QUESTION):
        likeness = _likeness(words, _words(f"{row['title']} {row['statement']}"))
        if likeness and pool in {None, row["pool"]}:
            found.append((likeness, {**question_row(row), "pool": _pool_ref(row), "likeness": likeness}))
    found.sort(key=lambda each: -each[0])
    return {"items": [answer for _, answer in found[: search.limit]], "next": None}


def list_question_types(_: Look) -> Answer:
    return {"items": list(QUESTION_TYPES), "next": None}


def list_templates(look: Look) -> Answer:
    return look.page(
        "SELECT * FROM my_template WHERE place > :after ORDER BY place LIMIT :count", lambda row: _template(look, row)
    )


def read_template(look: Look) -> Answer:
    row = look.store.rows("SELECT * FROM my_template WHERE id = :id", id=look.id)[0]
    questions = look.store.rows(
        "SELECT q.*, category.title AS category_title FROM template_question JOIN question q ON q.id = question"
        " LEFT JOIN category ON category.id = category WHERE template = :id ORDER BY template_question.rowid",
        id=look.id,
    )
    return {**_template(look, row), "questions": [question_row(each) for each in questions]}


def question_row(row: Row) -> Answer:
    plain = {key: row[key] for key in ("id", "title", "type", "status", "difficulty")}
    return {**plain, "category": row["category_title"]}


def _course(row: Row) -> Answer:
    return {
        "id": row["id"],
        "title": row["title"],
        "language": row["language"],
        "archived": bool(row["archived"]),
    }


def _pool(look: Look, row: Row) -> Answer:
    count = look.store.rows("SELECT count(*) AS n FROM question WHERE pool = :id", id=row["id"])[0]["n"]
    courses = look.store.rows(
        "SELECT my_course.id, title FROM my_course JOIN course_pool ON course = my_course.id"
        " WHERE pool = :id ORDER BY place",
        id=row["id"],
    )
    plain = {key: row[key] for key in ("id", "title", "language")}
    return {**plain, "question_count": count, "courses": courses}


def _pool_ref(row: Row) -> Answer:
    return {"id": row["pool"], "title": row["pool_title"]}


def _template(look: Look, row: Row) -> Answer:
    counted = look.store.rows("SELECT count(*) AS n FROM template_question WHERE template = :id", id=row["id"])
    plain = {key: row[key] for key in ("id", "title", "language")}
    return {**plain, "question_count": counted[0]["n"]}


def _words(text: str) -> frozenset[str]:
    return frozenset("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())


def _likeness(left: frozenset[str], right: frozenset[str]) -> float:
    return round(len(left & right) / len(left | right), 3) if left else 0.0
