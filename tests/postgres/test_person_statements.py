"""Exporting and erasing somebody reads their rows alone: no statement looks through a large table for one person."""

import json
from collections.abc import Iterator
from typing import Any

import asyncpg

from assist_service.adapters.postgres.erasing import ERASE_LATE
from assist_service.adapters.postgres.exporting import PARTS
from assist_service.adapters.postgres.persons import ANY, PERSONS, count_of, erase_of

_PEOPLE = """
INSERT INTO conversations (id, owner, started_at, last_at)
SELECT gen_random_uuid(), 'person-' || n, now(), now() FROM generate_series(1, 2000) AS n;
INSERT INTO exchanges SELECT gen_random_uuid(), id, owner, now(), 'manual', 'en', '/', NULL, 'm', 'c', '[]', 'k', ''
FROM conversations;
INSERT INTO pending_writes (id, owner, conversation_id, tool, state, prepared_at, expires_at)
SELECT gen_random_uuid(), owner, id, 't', 'cancelled', now(), now() FROM conversations;
INSERT INTO idempotent_replies (owner, key, token, at, lease_until, key_id, sealed_body_digest)
SELECT owner, 'k', id, now(), now(), 'k', '' FROM conversations;
INSERT INTO question_rates SELECT owner, '{}', current_date, 1 FROM conversations;
INSERT INTO llm_calls (id, day, purpose, model, person, question_id, reserved_at, lease_until, worst_micros)
SELECT gen_random_uuid(), current_date, 'assist', 'm', owner, id, now(), now(), 1 FROM conversations;
INSERT INTO audit (at, actor, action, subject)
SELECT now(), 'reader-' || owner, 'assist.read', owner FROM conversations;
INSERT INTO erasures SELECT encode(sha256(('person-' || n)::bytea), 'hex'), now() FROM generate_series(1, 500) AS n;
ANALYZE;
"""

STATEMENTS = {
    **{f"count {table}": count_of(table) for table in PERSONS},
    **{f"export {part.table}": part.query for part in PARTS.values()},
    **{
        f"erase {table} by {whose.column}": erase_of(table, whose)
        for table, columns in PERSONS.items()
        for whose in columns
    },
    "is anything there": ANY,
}


async def test_each_finds_its_rows_by_an_index(pool: asyncpg.Pool) -> None:
    await pool.execute(_PEOPLE)
    for name, statement in STATEMENTS.items():
        plan = "\n".join(row[0] for row in await pool.fetch(f"EXPLAIN {statement}", "person-7"))
        assert "Seq Scan" not in plan, (name, plan)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)


async def test_the_late_pass_looks_at_a_row_once_however_many_were_erased(pool: asyncpg.Pool) -> None:
    await pool.execute(_PEOPLE)
    for statement in ERASE_LATE:
        async with pool.acquire() as connection:
            told = await connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
        nodes = _nodes(json.loads(told)[0]["Plan"])
        loops = [node["Actual Loops"] for node in nodes if node.get("Alias") == "t" and "Scan" in node["Node Type"]]
        assert loops
        assert max(loops) == 1, statement
