"""Courses: the list, and one with its pools, classrooms and staff."""

from examples.reference_lms.api import reads
from examples.reference_lms.face.pools import TONGUES
from examples.reference_lms.face.visits import Page, Visit


def list_courses(visit: Visit) -> Page:
    rows = visit.rows(
        "SELECT c.id, c.title, c.language, c.description,"
        " (SELECT count(*) FROM classroom WHERE course = c.id) AS classrooms,"
        " (SELECT count(*) FROM course_pool WHERE course = c.id) AS pools FROM my_course c ORDER BY c.place"
    )
    return Page("courses.html", visit.word("courses"), {"courses": rows, "tongues": TONGUES})


def show_course(visit: Visit) -> Page:
    course = reads.read_course(visit.look("course"))
    staff = reads.list_staff(visit.look("course"))["items"]
    others = visit.rows(
        "SELECT id, title FROM my_pool WHERE id NOT IN (SELECT pool FROM course_pool WHERE course = :course)"
        " ORDER BY place",
        course=visit.ids["course"],
    )
    return Page("course.html", str(course["title"]), {"course": course, "staff": staff, "others": others})
