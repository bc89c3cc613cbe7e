"""What a person makes of courses: a new one, which is theirs to teach, its classrooms, and which pools it has."""

from uuid import uuid4

from pydantic import TypeAdapter

from examples.reference_lms.api import writes
from examples.reference_lms.api.bodies import PoolLink
from examples.reference_lms.face.forms import Form, checked, title_of
from examples.reference_lms.face.pool_changes import tongue_of
from examples.reference_lms.face.visits import Refused, Visit

_LINK = TypeAdapter(PoolLink)


def create_course(visit: Visit, form: Form) -> str:
    """Its first seat is the person's."""
    id_ = str(uuid4())
    visit.store.run(
        "INSERT INTO course (id, title, language) VALUES (:id, :title, :language)",
        id=id_,
        title=title_of(form),
        language=tongue_of(form),
    )
    visit.store.run("INSERT INTO seat VALUES (:course, :me, 'teacher')", course=id_, me=visit.me)
    return f"/courses/{id_}"


def create_classroom(visit: Visit, form: Form) -> str:
    """One of the course, nobody in it yet."""
    id_ = str(uuid4())
    visit.store.run(
        "INSERT INTO classroom VALUES (:id, :title, :course)",
        id=id_,
        title=title_of(form),
        course=visit.ids["course"],
    )
    return f"/classrooms/{id_}"


def link_pool(visit: Visit, form: Form) -> str:
    link = checked(_LINK, {"pool": form.one("pool")})
    writes.link_pool_to_course(visit.look("course", body=link))
    return f"/courses/{visit.ids['course']}?tab=pools"


def unlink_pool(visit: Visit, form: Form) -> str:
    """Who had the pool through this course alone has it no more; evaluations keep its questions."""
    course = visit.ids["course"]
    gone = visit.store.row(
        "DELETE FROM course_pool WHERE course = :course AND pool = :pool RETURNING pool",
        course=course,
        pool=visit.look().need("pool", form.one("pool")),
    )
    if gone is None:
        raise Refused("done_before")
    return f"/courses/{course}?tab=pools"
