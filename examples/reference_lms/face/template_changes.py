"""What a person makes of templates, and which pools a course has."""

from pydantic import ValidationError

from examples.reference_lms.api import writes
from examples.reference_lms.api.bodies import NewTemplate, PoolLink
from examples.reference_lms.api.refusals import Refusal
from examples.reference_lms.face.forms import Form
from examples.reference_lms.face.visits import Visit


def create_template(visit: Visit, form: Form) -> str:
    """Without a course it is the person's own."""
    try:
        new = NewTemplate.model_validate({"title": form.one("title"), "course": form.one("course") or None})
    except ValidationError:
        raise Refusal("invalid") from None
    return f"/templates/{writes.create_template(visit.look(body=new))['id']}"


def link_pool(visit: Visit, form: Form) -> str:
    try:
        link = PoolLink.model_validate({"pool": form.one("pool")})
    except ValidationError:
        raise Refusal("invalid") from None
    writes.link_pool_to_course(visit.look("course", body=link))
    return f"/courses/{visit.ids['course']}?tab=pools"
