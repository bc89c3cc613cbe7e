"""What a person changes in a pool and its questions."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from pydantic import TypeAdapter

from examples.reference_lms.api import writes
from examples.reference_lms.api.bodies import NewCategory, NewQuestion
from examples.reference_lms.api.refusals import Refusal
from examples.reference_lms.face.editing import stored_question
from examples.reference_lms.face.forms import Form, checked, title_of
from examples.reference_lms.face.pools import TONGUES
from examples.reference_lms.face.visits import Refused, Visit

STARTING_CONFIGS: Mapping[str, dict[str, Any]] = {
    "mcq": {"multiple": False, "choices": [{"text": "", "correct": False}, {"text": "", "correct": False}]},
    "cloze": {"text": "[[1]]", "gaps": [{"id": 1, "answers": [""]}]},
    "categorize": {"categories": ["", ""], "items": [{"text": "", "category": 0}]},
    "numeric": {"answer": 0, "tolerance": 0, "unit": ""},
    "open": {"guidance": "", "max_words": 150},
}
"""What a new question of each type begins with, beside its statement."""

_QUESTION, _CATEGORY = TypeAdapter(NewQuestion), TypeAdapter(NewCategory)


def create_pool(visit: Visit, form: Form) -> str:
    """Theirs alone, until it is linked to a course."""
    id_ = str(uuid4())
    visit.store.run(
        "INSERT INTO pool (id, title, language, owner) VALUES (:id, :title, :language, :owner)",
        id=id_,
        title=title_of(form),
        language=tongue_of(form),
        owner=visit.me,
    )
    return f"/pools/{id_}"


def tongue_of(form: Form) -> str:
    """Raises Refusal for one that there are no words in."""
    language = form.one("language")
    if language not in TONGUES:
        raise Refusal("invalid")
    return language


def create_question(visit: Visit, form: Form) -> str:
    type_ = form.one("type")
    config = {"statement": form.text("statement").strip(), **STARTING_CONFIGS.get(type_, {})}
    fields = {"title": form.one("title"), "category": form.one("category") or None}
    new = checked(_QUESTION, {"pool": visit.ids["pool"], "type": type_, "config": config, **fields})
    return f"/questions/{writes.create_question(visit.look(body=new))['id']}"


def create_category(visit: Visit, form: Form) -> str:
    writes.create_category(visit.look("pool", body=checked(_CATEGORY, {"title": form.one("title")})))
    return f"/pools/{visit.ids['pool']}?tab=settings"


def publish_question(visit: Visit, form: Form) -> str:
    """What the person saw where the form says what that was, and no later text."""
    seen = form.one("base")
    if seen and seen != stored_question(visit).base:
        raise Refused("changed_since")
    return _set_status(visit, "published")


def unpublish_question(visit: Visit, _: Form) -> str:
    return _set_status(visit, "draft")


def _set_status(visit: Visit, status: str) -> str:
    id_ = visit.ids["question"]
    changed = visit.store.row(
        "UPDATE question SET status = :status WHERE id = :id AND status <> :status RETURNING id", id=id_, status=status
    )
    if changed is None:
        raise Refused("done_before")
    return f"/questions/{id_}"


_ASKED = "SELECT 1 FROM evaluation_item WHERE question IN (SELECT id FROM question WHERE pool = :pool)"

_DELETIONS = (
    "DELETE FROM template_question WHERE question IN (SELECT id FROM question WHERE pool = :pool)",
    "DELETE FROM question WHERE pool = :pool",
    "DELETE FROM category WHERE pool = :pool",
    "DELETE FROM course_pool WHERE pool = :pool",
    "DELETE FROM pool WHERE id = :pool",
)


def delete_pool(visit: Visit, _: Form) -> str:
    """Not while an evaluation asks one of its questions: its marks would stand for nothing."""
    pool = visit.ids["pool"]
    if visit.store.row(_ASKED, pool=pool):
        raise Refused("pool_in_use")
    for deletion in _DELETIONS:
        visit.store.run(deletion, pool=pool)
    return "/pools"
