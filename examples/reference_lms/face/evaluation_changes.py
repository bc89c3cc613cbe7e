"""The steps of an evaluation that a person takes: it starts, closes and is released, in this order."""

from examples.reference_lms.face.forms import Form
from examples.reference_lms.face.visits import Refused, Visit


def start(visit: Visit, _: Form) -> str:
    return _step(visit, "running", since=("draft", "scheduled"))


def close(visit: Visit, _: Form) -> str:
    return _step(visit, "closed", since=("running",))


def release(visit: Visit, _: Form) -> str:
    return _step(visit, "released", since=("closed",))


def _step(visit: Visit, state: str, *, since: tuple[str, ...]) -> str:
    id_ = visit.ids["evaluation"]
    now = visit.row("SELECT state FROM my_evaluation WHERE id = :id", id=id_)["state"]
    if now not in since:
        raise Refused("wrong_state")
    visit.store.run("UPDATE evaluation SET state = :state WHERE id = :id", id=id_, state=state)
    return f"/evaluations/{id_}"
