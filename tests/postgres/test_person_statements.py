"""Counting, exporting and erasing one person read the rows of one person: no statement looks through a large table."""

import asyncpg

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
INSERT INTO question_rates SELECT owner, '{}', '2026-11-02', 1 FROM conversations;
INSERT INTO llm_calls (id, day, purpose, model, person, question_id, reserved_at, lease_until, worst_micros)
SELECT gen_random_uuid(), '2026-11-02', 'assist', 'm', owner, id, now(), now(), 1 FROM conversations;
INSERT INTO audit (at, actor, action, subject)
SELECT now(), 'reader-' || owner, 'assist.read', owner FROM conversations;
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


async def test_each_statement_finds_its_rows_by_an_index(pool: asyncpg.Pool) -> None:
    await pool.execute(_PEOPLE)
    for name, statement in STATEMENTS.items():
        plan = "\n".join(row[0] for row in await pool.fetch(f"EXPLAIN {statement}", "person-7"))
        assert "Seq Scan" not in plan, (name, plan)
