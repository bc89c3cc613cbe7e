"""What a person makes of templates."""

from pydantic import ValidationError

from examples.reference_lms.api import writes
from examples.reference_lms.api.bodies import NewTemplate
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
