"""Pools: the list, and one with its questions, figures and settings."""

from examples.reference_lms.api import reads
from examples.reference_lms.api.bodies import PoolsQuery
from examples.reference_lms.api.question_types import QUESTION_TYPES
from examples.reference_lms.face.visits import ALL, Page, Visit


def list_pools(visit: Visit) -> Page:
    query = PoolsQuery(search=visit.search or None, limit=ALL)
    return Page("pools.html", visit.word("pools"), {"pools": reads.list_pools(visit.look(query=query))["items"]})


def show_pool(visit: Visit) -> Page:
    look = visit.look("pool")
    pool = reads.read_pool(look)
    questions = visit.rows(
        "SELECT q.id, q.title, type, status, difficulty, category.title AS category FROM my_question q"
        " LEFT JOIN category ON category.id = category WHERE q.pool = :pool"
        " AND (:category = '' OR q.category = :category) AND (:search = ''"
        " OR instr(folded(q.title), folded(:search)) OR instr(folded(statement), folded(:search))) ORDER BY place",
        pool=look.id,
        category=visit.params.get("category", ""),
        search=visit.search,
    )
    values = {"pool": pool, "questions": questions, "stats": reads.read_pool_stats(look), "types": QUESTION_TYPES}
    return Page("pool.html", str(pool["title"]), values)


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
