"""The steps of an evaluation, in their order: a person makes it, adds questions, starts, closes and releases it."""

from uuid import uuid4

from examples.reference_lms.api.refusals import Refusal
from examples.reference_lms.face.evaluations import questions_for
from examples.reference_lms.face.forms import Form, title_of
from examples.reference_lms.face.visits import Refused, Visit

BEST_MARK = 20
"""Of a new evaluation."""

MOST_QUESTIONS = 100


def create(visit: Visit, form: Form) -> str:
    """A draft without questions, for one classroom of the person's."""
    id_ = str(uuid4())
    visit.store.run(
        "INSERT INTO evaluation (id, title, state, classroom, best_mark) VALUES (:id, :title, 'draft', :room, :best)",
        id=id_,
        title=title_of(form),
        room=visit.look().need("classroom", form.one("classroom")),
        best=BEST_MARK,
    )
    return f"/evaluations/{id_}"


def add_questions(visit: Visit, form: Form) -> str:
    """Published ones of the pools that its course has, each for a point, while students do not see it."""
    id_ = visit.ids["evaluation"]
    _need_state(visit, "draft")
    offered = {row["id"] for row in questions_for(visit)}
    chosen = dict.fromkeys(form.all("question"))
    if not chosen or not offered.issuperset(chosen):
        raise Refusal("invalid")
    asked = visit.row("SELECT count(*) AS count FROM evaluation_item WHERE evaluation = :id", id=id_)["count"]
    if asked + len(chosen) > MOST_QUESTIONS:
        raise Refusal("invalid")
    for question in chosen:
        visit.store.run("INSERT INTO evaluation_item VALUES (:id, :question, 1)", id=id_, question=question)
    return f"/evaluations/{id_}"


def start(visit: Visit, _: Form) -> str:
    return _step(visit, "running", since=("draft", "scheduled"))


def close(visit: Visit, _: Form) -> str:
    return _step(visit, "closed", since=("running",))


def release(visit: Visit, _: Form) -> str:
    return _step(visit, "released", since=("closed",))


def _step(visit: Visit, state: str, *, since: tuple[str, ...]) -> str:
    id_ = visit.ids["evaluation"]
    _need_state(visit, *since)
    visit.store.run("UPDATE evaluation SET state = :state WHERE id = :id", id=id_, state=state)
    return f"/evaluations/{id_}"


def _need_state(visit: Visit, *states: str) -> None:
    if visit.row("SELECT state FROM my_evaluation WHERE id = :id", id=visit.ids["evaluation"])["state"] not in states:
        raise Refused("wrong_state")
