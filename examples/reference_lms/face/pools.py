"""Pools: the list, and one with its questions, figures and settings."""

import json
from urllib.parse import urlencode

from examples.reference_lms.api import reads
from examples.reference_lms.api.bodies import PoolsQuery
from examples.reference_lms.api.question_types import QUESTION_TYPES
from examples.reference_lms.face.pool_search import QUESTIONS, terms_of
from examples.reference_lms.face.visits import ALL, Page, Visit
from examples.reference_lms.store import Row

TONGUES = {"en": "English", "fr": "Français", "fil": "Filipino"}
"""The languages in which a pool's questions may be written, by code."""

UNCATEGORISED = "none"
"""In the address, in place of a category's id."""


def list_pools(visit: Visit) -> Page:
    query = PoolsQuery(search=visit.search or None, limit=ALL)
    values = {"pools": reads.list_pools(visit.look(query=query))["items"], "tongues": TONGUES}
    return Page("pools.html", visit.word("pools"), values)


def show_pool(visit: Visit) -> Page:
    look = visit.look("pool")
    pool = reads.read_pool(look)
    questions = visit.rows(
        QUESTIONS,
        pool=look.id,
        category=visit.params.get("category", ""),
        uncategorised=UNCATEGORISED,
        terms=json.dumps(terms_of(visit.search)),
    )
    values = {
        "pool": pool,
        "questions": questions,
        "shelves": _shelves(visit, look.id),
        "stats": reads.read_pool_stats(look),
        "types": QUESTION_TYPES,
    }
    return Page("pool.html", str(pool["title"]), values)


def _shelves(visit: Visit, pool: str) -> list[Row]:
    """What the column of categories offers, each with its number of questions; none where there are no categories."""
    categories = visit.rows(
        "SELECT id, title, (SELECT count(*) FROM my_question WHERE category = category.id) AS questions"
        " FROM category WHERE pool = :pool ORDER BY rowid",
        pool=pool,
    )
    if not categories:
        return []
    counts = visit.row(
        "SELECT count(*) AS whole, count(*) - count(category) AS loose FROM my_question WHERE pool = :pool", pool=pool
    )
    everything: Row = {"id": "", "title": visit.word("all_categories"), "questions": counts["whole"]}
    loose: Row = {"id": UNCATEGORISED, "title": visit.word("uncategorised"), "questions": counts["loose"]}
    return [{**shelf, "address": _address(visit, shelf)} for shelf in (everything, *categories, loose)]


def _address(visit: Visit, shelf: Row) -> str:
    """What is searched for stays."""
    given = {"category": shelf["id"], "search": visit.search}
    return "?" + urlencode({"tab": "questions", **{name: value for name, value in given.items() if value}})


def new_question(visit: Visit) -> Page:
    """The sheet as a page of its own."""
    pool = reads.read_pool(visit.look("pool"))
    return Page("question_new.html", visit.word("new_question"), {"pool": pool, "types": QUESTION_TYPES})


def print_pool(visit: Visit) -> Page:
    """All its questions on paper."""
    look = visit.look("pool")
    questions = visit.rows(
        "SELECT id, title, type, statement FROM my_question WHERE pool = :pool ORDER BY place", pool=look.id
    )
    pool = reads.read_pool(look)
    return Page("pool_print.html", str(pool["title"]), {"pool": pool, "questions": questions})
