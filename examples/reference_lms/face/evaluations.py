"""Evaluations: the list, one with its questions, settings and results, and its views while it runs."""

from examples.reference_lms.api import class_reads
from examples.reference_lms.face.visits import Page, Visit
from examples.reference_lms.store import Row

_RESULTS = (
    "SELECT person.id, person.name, mark, final, absent FROM my_evaluation e"
    " JOIN enrolment ON enrolment.classroom = e.classroom JOIN person ON person.id = enrolment.person"
    " LEFT JOIN grade ON grade.evaluation = e.id AND grade.person = person.id WHERE e.id = :id ORDER BY enrolment.rowid"
)


def list_evaluations(visit: Visit) -> Page:
    rows = visit.rows(
        "SELECT e.id, e.title, e.state, e.opens_at, c.id AS classroom, c.title AS classroom_title FROM my_evaluation e"
        " JOIN classroom c ON c.id = e.classroom WHERE :search = '' OR instr(folded(e.title), folded(:search))"
        " ORDER BY e.place",
        search=visit.search,
    )
    rooms = visit.rows(
        "SELECT c.id, course.title || ' · ' || c.title AS title FROM my_classroom c"
        " JOIN course ON course.id = c.course ORDER BY c.place"
    )
    return Page("evaluations.html", visit.word("evaluations"), {"evaluations": rows, "rooms": rooms})


def show_evaluation(visit: Visit) -> Page:
    return _page(visit, "evaluation.html")


def questions_for(visit: Visit) -> list[Row]:
    """What may be added to the evaluation of the address: published questions of its course's pools that it lacks."""
    return visit.rows(
        "SELECT q.id, q.title, pool.title AS pool FROM my_question q JOIN pool ON pool.id = q.pool"
        " JOIN course_pool ON course_pool.pool = q.pool JOIN my_classroom c ON c.course = course_pool.course"
        " JOIN my_evaluation e ON e.classroom = c.id AND e.id = :id WHERE q.status = 'published'"
        " AND q.id NOT IN (SELECT question FROM evaluation_item WHERE evaluation = :id) ORDER BY pool.rowid, q.place",
        id=visit.ids["evaluation"],
    )


def show_live(visit: Visit) -> Page:
    return _page(visit, "evaluation_live.html")


def show_grading(visit: Visit) -> Page:
    return _page(visit, "evaluation_grading.html")


def show_projection(visit: Visit) -> Page:
    """For the wall of a classroom: figures, no name, no mark and no panel."""
    return _page(visit, "evaluation_projection.html")


def _page(visit: Visit, template: str) -> Page:
    look = visit.look("evaluation")
    evaluation = class_reads.read_evaluation(look)
    results = visit.rows(_RESULTS, id=look.id)
    classroom = evaluation["classroom"]
    assert isinstance(classroom, dict)
    values = {
        "evaluation": evaluation,
        "results": results,
        "best_mark": visit.row("SELECT best_mark FROM my_evaluation WHERE id = :id", id=look.id)["best_mark"],
        "offered": questions_for(visit) if evaluation["state"] == "draft" and visit.may_change else [],
        "handed_in": sum(bool(row["final"]) for row in results),
    }
    return Page(template, str(evaluation["title"]), values, {"classroom": classroom["id"]})
