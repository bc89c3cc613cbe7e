"""The question's page: what it asks, and what is right."""

from examples.reference_lms.api import reads
from examples.reference_lms.face.visits import Page, Visit


def show_question(visit: Visit) -> Page:
    question = reads.read_question(visit.look("question"))
    pool = question["pool"]
    assert isinstance(pool, dict)
    return Page("question.html", str(question["title"]), {"question": question}, {"pool": pool["id"]})
