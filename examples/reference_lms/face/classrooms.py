"""A classroom with its roster, gradebook and leaderboard."""

from examples.reference_lms.api import class_reads
from examples.reference_lms.face.visits import Page, Visit


def show_classroom(visit: Visit) -> Page:
    look = visit.look("classroom")
    classroom = class_reads.read_classroom(look)
    course = classroom["course"]
    assert isinstance(course, dict)
    evaluations = visit.rows(
        "SELECT id, title, state FROM my_evaluation WHERE classroom = :id ORDER BY place", id=look.id
    )
    values = {
        "classroom": classroom,
        "evaluations": evaluations,
        "students": class_reads.list_students(look)["items"],
        "gradebook": class_reads.read_gradebook(look),
        "ranks": class_reads.read_leaderboard(look)["rows"],
    }
    return Page("classroom.html", str(classroom["title"]), values, {"course": course["id"]})
