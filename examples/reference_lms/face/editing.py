"""The question editor: its page, and what is done to a draft, which is saved as a whole or not at all."""

import json
from collections.abc import Callable, Mapping

from examples.reference_lms.api import reads
from examples.reference_lms.api.question_types import CONFIG_SCHEMAS
from examples.reference_lms.face.drafts import Fault, Stored, faults_of, read_order
from examples.reference_lms.face.editor_words import editor_words
from examples.reference_lms.face.same_session import OTHER_SESSION
from examples.reference_lms.face.visits import Page, Visit

REFUSALS: Mapping[str, int] = {
    "unauthenticated": 401,
    "cross_origin": 403,
    "read_only": 403,
    "not_found": 404,
    "changed": 409,
    OTHER_SESSION: 409,
    "too_large": 413,
    "invalid": 422,
}
"""Why not, and the status that says it; nothing of a refused request is stored."""


class Refused(Exception):
    """Ends a request from within; `more` goes beside the reason."""

    def __init__(self, error: str, **more: object) -> None:
        super().__init__(error)
        self.error = error
        self.more = more


Answer = dict[str, object]
Act = Callable[[Visit, bytes], Answer]
"""What a route does for one visit, with the body as it was sent."""


def show_question(visit: Visit) -> Page:
    return _page(visit, "question.html")


def try_question(visit: Visit) -> Page:
    """The question as a student sees it, as it is stored; nobody's answer is kept."""
    return _page(visit, "question_try.html")


def _page(visit: Visit, template: str) -> Page:
    question = reads.read_question(visit.look("question"))
    pool, stored = question["pool"], stored_question(visit)
    assert isinstance(pool, dict)
    words = editor_words(visit.session.language)
    values = {
        "question": question,
        "draft": json.dumps(stored.answer()),
        "base": stored.base,
        "schema": CONFIG_SCHEMAS[stored.type]["properties"],
        "e": words,
        "editor_words": json.dumps(dict(words)),
        "editable": visit.may_change,
    }
    return Page(template, str(question["title"]), values, {"pool": pool["id"]})


def read_draft(visit: Visit, _: bytes) -> Answer:
    return stored_question(visit).answer()


def save_draft(visit: Visit, raw: bytes) -> Answer:
    """Its status stays. What is stored already may be sent again under any base: it is the same draft."""
    order = read_order(raw)
    if isinstance(order, Fault):
        raise _invalid(order)
    if not visit.may_change:
        raise Refused("read_only")
    stored = stored_question(visit)
    if faults := faults_of(stored.type, order):
        raise _invalid(*faults)
    if stored.holds(order):
        return stored.answer()
    if order.base != stored.base:
        raise Refused("changed", draft=stored.answer())
    visit.store.run(
        "UPDATE question SET config = :config, statement = :statement, explanation = :explanation WHERE id = :id",
        id=stored.id,
        config=json.dumps(order.config, ensure_ascii=False),
        statement=order.config["statement"],
        explanation=order.explanation,
    )
    return stored_question(visit).answer()


def stored_question(visit: Visit) -> Stored:
    """The one of the address, which the person reaches."""
    return Stored.of(visit.row("SELECT * FROM my_question WHERE id = :id", id=visit.ids["question"]))


def _invalid(*faults: Fault) -> Refused:
    return Refused("invalid", fields=[fault._asdict() for fault in faults])
