"""What students see: the courses of their classes, and their own results once released."""

from collections.abc import Sequence

from examples.reference_lms.face.visits import NotThere, Page, Visit
from examples.reference_lms.store import Row

_COURSES = (
    "SELECT course.id, course.title, course.description, c.id AS classroom, c.title AS classroom_title"
    " FROM enrolment JOIN classroom c ON c.id = enrolment.classroom JOIN course ON course.id = c.course"
    " WHERE enrolment.person = :me ORDER BY enrolment.rowid"
)

_EVALUATIONS = (
    "SELECT e.*, course.id AS course, course.title AS course_title FROM evaluation e"
    " JOIN enrolment ON enrolment.classroom = e.classroom AND enrolment.person = :me"
    " JOIN classroom c ON c.id = e.classroom JOIN course ON course.id = c.course"
    " WHERE e.state <> 'draft' ORDER BY e.rowid"
)

_RESULTS = (
    "SELECT e.id, e.title, e.best_mark, course.title AS course_title, mark, absent FROM grade"
    " JOIN evaluation e ON e.id = grade.evaluation JOIN classroom c ON c.id = e.classroom"
    " JOIN course ON course.id = c.course WHERE grade.person = :me AND final AND e.state = 'released' ORDER BY e.rowid"
)


def list_courses(visit: Visit) -> Page:
    return Page("my_courses.html", visit.word("my-courses"), {"courses": visit.rows(_COURSES, me=visit.me)})


def show_course(visit: Visit) -> Page:
    course = _mine(visit.rows(_COURSES, me=visit.me), visit.ids["course"])
    evaluations = [row for row in visit.rows(_EVALUATIONS, me=visit.me) if row["course"] == course["id"]]
    return Page("my_course.html", str(course["title"]), {"course": course, "evaluations": evaluations})


def list_results(visit: Visit) -> Page:
    return Page("my_results.html", visit.word("my-results"), {"results": visit.rows(_RESULTS, me=visit.me)})


def show_evaluation(visit: Visit) -> Page:
    """What one has to know before one begins; none of its questions."""
    evaluation = _mine(visit.rows(_EVALUATIONS, me=visit.me), visit.ids["evaluation"])
    return Page("my_evaluation.html", str(evaluation["title"]), {"evaluation": evaluation})


def _mine(rows: Sequence[Row], id_: str) -> Row:
    found = next((row for row in rows if row["id"] == id_), None)
    if found is None:
        raise NotThere
    return found
