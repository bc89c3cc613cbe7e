"""What a person makes of templates."""

from pydantic import ValidationError

from examples.reference_lms.api import writes
from examples.reference_lms.api.bodies import MoreQuestions, NewTemplate
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


def add_questions(visit: Visit, form: Form) -> str:
    """Published ones; the same again changes nothing."""
    try:
        more = MoreQuestions.model_validate({"questions": form.all("question")})
    except ValidationError:
        raise Refusal("invalid") from None
    writes.add_questions_to_template(visit.look("template", body=more))
    return f"/templates/{visit.ids['template']}"
