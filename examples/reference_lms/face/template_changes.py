"""What a person makes of templates."""

from pydantic import TypeAdapter

from examples.reference_lms.api import writes
from examples.reference_lms.api.bodies import MoreQuestions, NewTemplate
from examples.reference_lms.face.forms import Form, checked
from examples.reference_lms.face.visits import Visit

_NEW, _MORE = TypeAdapter(NewTemplate), TypeAdapter(MoreQuestions)


def create_template(visit: Visit, form: Form) -> str:
    """Without a course it is the person's own."""
    new = checked(_NEW, {"title": form.one("title"), "course": form.one("course") or None})
    return f"/templates/{writes.create_template(visit.look(body=new))['id']}"


def add_questions(visit: Visit, form: Form) -> str:
    """Published ones; the same again changes nothing."""
    more = checked(_MORE, {"questions": form.all("question")})
    writes.add_questions_to_template(visit.look("template", body=more))
    return f"/templates/{visit.ids['template']}"
