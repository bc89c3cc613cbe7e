"""Reads of classrooms, their students, evaluations, marks and ranks, with all that a real LMS would let slip."""

from collections import defaultdict
from collections.abc import Sequence

from examples.reference_lms.api.bodies import EvaluationsQuery
from examples.reference_lms.api.look import Answer, Look
from examples.reference_lms.store import Row


def list_evaluations(look: Look) -> Answer:
    query = look.query
    assert isinstance(query, EvaluationsQuery)
    return look.page(
        "SELECT e.*, classroom.title AS classroom_title FROM my_evaluation e"
        " JOIN classroom ON classroom.id = e.classroom WHERE e.place > :after"
        " AND (:classroom IS NULL OR e.classroom = :classroom) AND (:state IS NULL OR state = :state)"
        " ORDER BY e.place LIMIT :count",
        _evaluation,
        classroom=None if query.classroom is None else look.need("classroom", query.classroom),
        state=query.state,
    )


def read_evaluation(look: Look) -> Answer:
    row = look.store.rows(
        "SELECT e.*, classroom.title AS classroom_title FROM my_evaluation e"
        " JOIN classroom ON classroom.id = e.classroom WHERE e.id = :id",
        id=look.id,
    )[0]
    items = look.store.rows(
        "SELECT question.id, title, points FROM evaluation_item i JOIN question ON question.id = question"
        " WHERE evaluation = :id ORDER BY i.rowid",
        id=look.id,
    )
    return {
        **_evaluation(row),
        "duration_minutes": row["duration_minutes"],
        "shuffled": bool(row["shuffled"]),
        "attempts_allowed": row["attempts_allowed"],
        "items": [{"question": {"id": item["id"], "title": item["title"]}, "points": item["points"]} for item in items],
    }


_CLASSROOM = (
    "SELECT c.*, course.title AS course_title,"
    " (SELECT count(*) FROM enrolment WHERE classroom = c.id) AS student_count"
    " FROM my_classroom c JOIN course ON course.id = c.course"
)


def list_classrooms(look: Look) -> Answer:
    return look.page(_CLASSROOM + " WHERE c.place > :after ORDER BY c.place LIMIT :count", _classroom)


def read_classroom(look: Look) -> Answer:
    return _classroom(look.store.rows(_CLASSROOM + " WHERE c.id = :id", id=look.id)[0])


def list_students(look: Look) -> Answer:
    return look.page(
        "SELECT person.*, enrolment.rowid AS place FROM enrolment JOIN person ON person = person.id"
        " WHERE classroom = :id AND enrolment.rowid > :after ORDER BY enrolment.rowid LIMIT :count",
        lambda row: {key: row[key] for key in ("id", "name", "email", "birth_date", "address", "id_number", "remarks")},
        id=look.id,
    )


def read_gradebook(look: Look) -> Answer:
    """Every column that has begun, as the staff's own screen shows it: partial marks and remarks too."""
    columns = look.store.rows(
        "SELECT e.id, title, state, best_mark, (SELECT round(avg(mark), 2) FROM grade WHERE evaluation = e.id"
        " AND final AND NOT absent) AS mean FROM evaluation e WHERE classroom = :id"
        " AND state IN ('running', 'closed', 'released') ORDER BY e.rowid",
        id=look.id,
    )
    grades: dict[str, list[Answer]] = defaultdict(list)
    for row in _grades(look):
        grades[row["person"]].append(
            {
                "column": row["evaluation"],
                "mark": row["mark"],
                "final": bool(row["final"]),
                "absent": bool(row["absent"]),
                "remark": row["remark"],
            }
        )
    rows = [
        {
            "student": {"id": student["id"], "name": student["name"], "email": student["email"]},
            "grades": grades[student["id"]],
            "remarks": student["remarks"],
        }
        for student in _students(look)
    ]
    return {"columns": columns, "rows": rows}


def read_leaderboard(look: Look) -> Answer:
    """By the final marks of released evaluations; who has as many points shares a rank."""
    points: dict[str, float] = dict.fromkeys((student["id"] for student in _students(look)), 0.0)
    for row in _grades(look):
        if row["state"] == "released" and row["final"] and not row["absent"]:
            points[row["person"]] += row["mark"]
    ordered = sorted(_students(look), key=lambda student: -points[student["id"]])
    rows = [
        {
            "student": {"id": student["id"], "name": student["name"], "email": student["email"]},
            "rank": 1 + sum(other > points[student["id"]] for other in points.values()),
            "points": points[student["id"]],
        }
        for student in ordered
    ]
    return {"rows": rows}


def _students(look: Look) -> Sequence[Row]:
    return look.store.rows(
        "SELECT person.* FROM enrolment JOIN person ON person = person.id WHERE classroom = :id"
        " ORDER BY enrolment.rowid",
        id=look.id,
    )


def _grades(look: Look) -> Sequence[Row]:
    return look.store.rows(
        "SELECT grade.*, e.state FROM grade JOIN evaluation e ON e.id = evaluation WHERE classroom = :id"
        " ORDER BY e.rowid",
        id=look.id,
    )


def _evaluation(row: Row) -> Answer:
    plain = {key: row[key] for key in ("id", "title", "state", "opens_at", "closes_at")}
    return {**plain, "classroom": {"id": row["classroom"], "title": row["classroom_title"]}}


def _classroom(row: Row) -> Answer:
    return {
        "id": row["id"],
        "title": row["title"],
        "course": {"id": row["course"], "title": row["course_title"]},
        "student_count": row["student_count"],
    }
