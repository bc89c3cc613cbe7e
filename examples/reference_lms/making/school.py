"""The school is made the same way every time: 3 courses, 6 classrooms, 8 pools, 400 questions, 20 evaluations."""

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from examples.reference_lms.making.hostile import DESCRIPTION, TAGGED, TITLES
from examples.reference_lms.making.marks import make_marks
from examples.reference_lms.making.people import add_people, students_by_classroom
from examples.reference_lms.making.plan import COURSES, FIRST_TITLES, ClassPlan, CoursePlan, id_of
from examples.reference_lms.making.questions import make_questions
from examples.reference_lms.making.subjects import Subject

FIRST_DAY = datetime(2026, 9, 7, 8, 0, tzinfo=UTC)
QUESTIONS_PER_EVALUATION = 8
CATEGORIES = {"fr": ("Cours", "Exercices", "Révision"), "en": ("Lessons", "Exercises", "Revision")}


def fill(connection: sqlite3.Connection) -> None:
    add_people(connection)
    members = {classroom.title: [s.sub for s in students] for classroom, students in students_by_classroom()}
    pool_numbers = iter(range(len(TITLES)))
    for course in COURSES:
        course_id = _add_course(connection, course)
        pools = [*course.linked, *course.own]
        questions = {pool.title: _add_pool(connection, course, pool, number=next(pool_numbers)) for pool in pools}
        connection.executemany(
            "INSERT INTO course_pool VALUES (?, ?)", [(course_id, _pool_id(pool)) for pool in course.linked]
        )
        for classroom in course.classrooms:
            made = _Classroom(connection, course, classroom, members[classroom.title])
            made.add(course_id, questions=[ids for pool in course.linked for ids in questions[pool.title]])
        _add_templates(connection, course, course_id, questions=questions[course.linked[0].title])


def _add_course(connection: sqlite3.Connection, course: CoursePlan) -> str:
    id_ = id_of("course", title=course.title, key=course.title)
    connection.execute(
        "INSERT INTO course (id, title, language, description) VALUES (?, ?, ?, ?)",
        (id_, course.title, course.language, course.description),
    )
    seats = [(course.teacher, "teacher"), *course.others]
    connection.executemany("INSERT INTO seat VALUES (?, ?, ?)", [(id_, p.sub, role) for p, role in seats])
    return id_


def _pool_id(pool: Subject) -> str:
    return id_of("pool", title=pool.title, key=pool.title)


def _add_pool(connection: sqlite3.Connection, course: CoursePlan, pool: Subject, *, number: int) -> list[str]:
    """The ids of its published questions."""
    pool_id = _pool_id(pool)
    owner = course.teacher.sub if pool in course.own else None
    description = DESCRIPTION if number % 3 == 1 else pool.description
    connection.execute(
        "INSERT INTO pool VALUES (?, ?, ?, ?, ?)", (pool_id, pool.title, pool.language, description, owner)
    )
    titles = [*CATEGORIES[pool.language], TITLES[(number + 3) % len(TITLES)]]
    categories = [(id_of("category", title="", key=f"{pool.title}/{title}"), pool_id, title) for title in titles]
    connection.executemany("INSERT INTO category VALUES (?, ?, ?)", categories)
    rows = list(_question_rows(pool, number=number, categories=[id_ for id_, _, _ in categories]))
    connection.executemany("INSERT INTO question VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return [str(row[0]) for row in rows if row[4] == "published"]


def _question_rows(pool: Subject, *, number: int, categories: Sequence[str]) -> Iterator[tuple[str | None, ...]]:
    for place, made in enumerate(make_questions(pool, pool_number=number)):
        title = FIRST_TITLES.get(pool.title, made.title) if place == 0 else made.title
        yield (
            id_of("question", title=title, key=f"{pool.title}/{place}"),
            _pool_id(pool),
            categories[place % len(categories)] if place % 5 else None,
            made.type,
            made.status,
            made.difficulty,
            title,
            made.statement,
            made.config_json,
            made.explanation,
        )


def _add_templates(
    connection: sqlite3.Connection, course: CoursePlan, course_id: str, *, questions: Sequence[str]
) -> None:
    titles = [*course.templates, "[Free marks](https://elsewhere.example/)"]
    for place, title in enumerate(titles):
        id_ = id_of("template", title=title, key=f"{course.title}/{title}")
        connection.execute("INSERT INTO template VALUES (?, ?, ?, ?, NULL)", (id_, title, course.language, course_id))
        chosen = questions[place * 3 : place * 3 + 5]
        connection.executemany("INSERT INTO template_question VALUES (?, ?)", [(id_, each) for each in chosen])


class _Classroom:
    """One classroom while it is being made."""

    def __init__(
        self, connection: sqlite3.Connection, course: CoursePlan, plan: ClassPlan, members: Sequence[str]
    ) -> None:
        self._connection = connection
        self._course = course
        self._plan = plan
        self._members = members
        self._id = id_of("classroom", title=plan.title, key=plan.title)

    def add(self, course_id: str, *, questions: Sequence[str]) -> None:
        self._connection.execute("INSERT INTO classroom VALUES (?, ?, ?)", (self._id, self._plan.title, course_id))
        self._connection.executemany("INSERT INTO enrolment VALUES (?, ?)", [(self._id, s) for s in self._members])
        for place, state in enumerate(self._plan.states):
            self._add_evaluation(place, state, questions=questions[place * 7 :][:QUESTIONS_PER_EVALUATION])

    def _add_evaluation(self, place: int, state: str, *, questions: Sequence[str]) -> None:
        title = self._title(place, state)
        id_ = id_of("evaluation", title=title, key=f"{self._plan.title}/{place}")
        opens, closes = self._times(place, state)
        best = self._course.best_mark
        self._connection.execute(
            "INSERT INTO evaluation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (id_, title, state, self._id, opens, closes, 30 + 15 * place, place % 2, 1 + place % 3, best),
        )
        self._connection.executemany(
            "INSERT INTO evaluation_item VALUES (?, ?, ?)", [(id_, each, best / len(questions)) for each in questions]
        )
        marks = make_marks(state, students=self._members, best_mark=best, seed=id_)
        self._connection.executemany(
            "INSERT INTO grade VALUES (?, ?, ?, ?, ?, ?)",
            [(id_, each.person, each.mark, each.final, each.absent, each.remark) for each in marks],
        )

    def _title(self, place: int, state: str) -> str:
        if place == 0 and self._plan.title in FIRST_TITLES:
            return FIRST_TITLES[self._plan.title]
        if place == 2:
            return TAGGED if state == "released" else TITLES[len(self._plan.title) % len(TITLES)]
        return self._course.evaluation.format(place + 1, self._plan.title)

    def _times(self, place: int, state: str) -> tuple[str | None, str | None]:
        if state == "draft":
            return None, None
        opens = FIRST_DAY + timedelta(weeks=3 * place)
        return opens.isoformat(), (opens + timedelta(days=14 if state == "running" else 1)).isoformat()
