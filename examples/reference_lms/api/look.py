"""What a handler is given: the school as one person sees it, and what they ask."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from examples.reference_lms.api.bodies import Body, Cursor, Query
from examples.reference_lms.api.refusals import Refusal
from examples.reference_lms.store import Row, Store

Answer = dict[str, object]

REACHABLE = {
    "course": "SELECT 1 FROM my_course WHERE id = :id",
    "classroom": "SELECT 1 FROM my_classroom WHERE id = :id",
    "pool": "SELECT 1 FROM my_pool WHERE id = :id",
    "question": "SELECT 1 FROM my_question WHERE id = :id",
    "evaluation": "SELECT 1 FROM my_evaluation WHERE id = :id",
    "template": "SELECT 1 FROM my_template WHERE id = :id",
}

EXISTING = {kind: query.replace("my_", "") for kind, query in REACHABLE.items()}


@dataclass(frozen=True)
class Look:
    """One request that was let in."""

    store: Store
    me: str
    id: str
    """Of the path; the person reaches it."""
    query: Query
    body: Body | None
    list_name: str
    """Path and filters: a cursor is good for the list it came with."""

    def need(self, kind: str, id_: object) -> str:
        """The id as text, of a thing the person reaches; raises the same refusal for all others."""
        if self.store.row(REACHABLE[kind], id=str(id_)) is None:
            raise Refusal("not_found")
        return str(id_)

    def page(self, sql: str, make: Callable[[Row], Answer], **values: object) -> Answer:
        """Rows after the cursor by their `place`; the query takes `:after` and `:count`."""
        assert isinstance(self.query, Cursor)
        after = _read_cursor(self.query.cursor, self.list_name)
        rows = self.store.rows(sql, after=after, count=self.query.limit + 1, **values)
        shown = rows[: self.query.limit]
        more = len(rows) > len(shown)
        return {
            "items": [make(row) for row in shown],
            "next": _write_cursor(shown[-1]["place"], self.list_name) if more else None,
        }


def _write_cursor(place: int, list_name: str) -> str:
    return urlsafe_b64encode(f"{_tag(list_name)}{place}".encode()).decode()


def _read_cursor(cursor: str | None, list_name: str) -> int:
    if cursor is None:
        return 0
    try:
        tag, place = (text := urlsafe_b64decode(cursor).decode())[:16], int(text[16:])
    except ValueError:
        raise Refusal("invalid_cursor") from None
    if tag != _tag(list_name) or not 0 <= place < 2**60:
        raise Refusal("invalid_cursor")
    return place


def _tag(list_name: str) -> str:
    return sha256(list_name.encode()).hexdigest()[:16]
