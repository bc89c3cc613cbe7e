"""Templates of evaluations: the list, and one with its questions."""

from examples.reference_lms.api import reads
from examples.reference_lms.face.visits import Page, Visit


def list_templates(visit: Visit) -> Page:
    rows = visit.rows(
        "SELECT t.id, t.title, t.language, course.title AS course_title,"
        " (SELECT count(*) FROM template_question WHERE template = t.id) AS questions"
        " FROM my_template t LEFT JOIN course ON course.id = t.course"
        " WHERE :search = '' OR instr(folded(t.title), folded(:search)) ORDER BY t.place",
        search=visit.search,
    )
    courses = visit.rows("SELECT id, title FROM my_course ORDER BY place")
    return Page("templates.html", visit.word("templates"), {"templates": rows, "courses": courses})


def show_template(visit: Visit) -> Page:
    template = reads.read_template(visit.look("template"))
    offered = visit.rows(
        "SELECT q.id, q.title, pool.title AS pool FROM my_question q JOIN pool ON pool.id = q.pool"
        " JOIN my_template t ON t.id = :id WHERE q.status = 'published'"
        " AND q.id NOT IN (SELECT question FROM template_question WHERE template = :id)"
        " AND (t.course IS NULL OR q.pool IN (SELECT pool FROM course_pool WHERE course = t.course))"
        " ORDER BY pool.rowid, q.place",
        id=visit.ids["template"],
    )
    values = {"template": template, "offered": offered if visit.may_change else []}
    return Page("template.html", str(template["title"]), values)
