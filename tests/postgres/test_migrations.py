"""The migrations make the very tables the code describes, again and again, and back."""

import asyncio
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, NullPool
from sqlalchemy.ext.asyncio import create_async_engine

from assist_service.adapters.postgres.migrating import alembic_config, migrate
from assist_service.adapters.postgres.revision import REVISION, refuse_other_revision
from assist_service.adapters.postgres.tables import METADATA
from assist_service.bootstrap.database import MIGRATIONS
from assist_service.domain.errors import ConfigurationError

_COLUMNS = """
SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AS required, pg_get_expr(d.adbin, d.adrelid) AS "default",
       col_description(c.oid, a.attnum) AS comment
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'alembic_version'
"""

_CONSTRAINTS = """
SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND conrelid <> to_regclass('alembic_version')
"""

_INDEXES = """
SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'alembic_version'
"""


async def run_sync(database_url: str, act: Any) -> Any:
    """Runs a function of SQLAlchemy's on a connection to the database."""
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(database_url), poolclass=NullPool
    )
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(act)
    finally:
        await engine.dispose()


async def catalogue_of(pool: asyncpg.Pool) -> set[tuple[Any, ...]]:
    """Every column, constraint and index, as Postgres itself has it."""
    found: set[tuple[Any, ...]] = set()
    for query in (_COLUMNS, _CONSTRAINTS, _INDEXES):
        found |= {tuple(row) for row in await pool.fetch(query)}
    return found


async def test_alembic_finds_nothing_to_migrate(database_url: str) -> None:
    def differences(connection: Connection) -> list[Any]:
        options = {"compare_type": True, "compare_server_default": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), METADATA))

    assert await run_sync(database_url, differences) == []


async def test_the_migrations_make_what_the_tables_describe_and_unmake_it(
    database_url: str, pool: asyncpg.Pool
) -> None:
    """In Postgres' own words, for Alembic compares no check constraint and no condition of an index."""
    migrated = await catalogue_of(pool)
    assert len(migrated) > 60
    await asyncio.to_thread(command.downgrade, alembic_config(database_url, MIGRATIONS), "base")
    assert await catalogue_of(pool) == set()
    await run_sync(database_url, METADATA.create_all)
    assert await catalogue_of(pool) == migrated
    await run_sync(database_url, METADATA.drop_all)
    await asyncio.to_thread(migrate, database_url, MIGRATIONS)
    assert await catalogue_of(pool) == migrated


async def test_migrating_again_changes_nothing_and_loses_nothing(database_url: str, pool: asyncpg.Pool) -> None:
    await pool.execute("INSERT INTO llm_days (day, spent_micros) VALUES ('2026-11-02', 5)")
    before = await catalogue_of(pool)
    for _ in range(2):
        await asyncio.to_thread(migrate, database_url, MIGRATIONS)
    assert await catalogue_of(pool) == before
    assert await pool.fetchval("SELECT sum(spent_micros) FROM llm_days") == 5


_BEFORE_WITHDRAWALS = """
INSERT INTO manual_publications (id, staged_at) VALUES ('a', now()), ('b', now());
INSERT INTO manual_sections (publication, id, position, page, page_title, language, audience, anchor, title, text)
VALUES ('a', '1', 0, 'whole', 'P', 'en', 'shared', 'x', 'X', 'x'),
       ('b', '1', 0, 'whole', 'P', 'en', 'shared', 'x', 'X', 'x'),
       ('b', '2', 1, 'whole', 'P', 'fr', 'shared', 'y', 'Y', 'y'),
       ('a', '3', 1, 'part', 'P', 'en', 'shared', 'x', 'X', 'x'),
       ('a', '4', 2, 'part', 'P', 'en', 'shared', 'y', 'Y', 'y'),
       ('a', '5', 3, 'open', 'P', 'en', 'shared', 'x', 'X', 'x');
INSERT INTO manual_withdrawn (section, at) VALUES ('1', now()), ('2', now()), ('3', now()), ('gone', now());
"""


async def test_what_the_release_before_withdrew_stays_withdrawn_by_its_name(
    database_url: str, pool: asyncpg.Pool
) -> None:
    config = alembic_config(database_url, MIGRATIONS)
    await asyncio.to_thread(command.downgrade, config, "2026_11_30_03")
    await pool.execute(_BEFORE_WITHDRAWALS)
    await asyncio.to_thread(migrate, database_url, MIGRATIONS)
    rows = await pool.fetch("SELECT page, anchor FROM manual_withdrawals")
    assert {tuple(row) for row in rows} == {("whole", None), ("part", "x")}
    assert await pool.fetchval("SELECT count(*) FROM manual_withdrawn") == 4  # which its replicas still read


def test_revisions_are_one_line_of_dated_files_that_give_up_a_lock_they_cannot_have() -> None:
    scripts = list(ScriptDirectory(str(MIGRATIONS)).walk_revisions())
    assert scripts
    for script in scripts:
        assert not script.is_branch_point
        assert Path(script.path).name.startswith(script.revision)
        text = Path(script.path).read_text()
        for step in ("upgrade", "downgrade"):
            first_line = text.split(f"def {step}() -> None:\n", 1)[1].split("\n", 1)[0]
            assert first_line.strip() == "op.execute(\"SET LOCAL lock_timeout = '5s'\")"


async def refusal(pool: asyncpg.Pool) -> str:
    with pytest.raises(ConfigurationError) as caught:
        await refuse_other_revision(pool)
    return str(caught.value)


async def test_a_database_at_another_revision_is_refused_in_one_line(pool: asyncpg.Pool) -> None:
    head = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    assert head == REVISION, "REVISION names the newest file of migrations/versions"
    await refuse_other_revision(pool)
    wanted = f"this release needs {head}: run assist-service migrate"
    await pool.execute("UPDATE alembic_version SET version_num = '2031_01_01_01'")
    assert await refusal(pool) == f"the database is at revision 2031_01_01_01, {wanted}"
    await pool.execute("DELETE FROM alembic_version")
    assert await refusal(pool) == f"the database is at revision none, {wanted}"
    await pool.execute("DROP TABLE alembic_version")
    assert await refusal(pool) == f"the database is at revision none, {wanted}"


async def test_a_postgres_that_is_too_old_is_refused_in_one_line(database_url: str, pool: asyncpg.Pool) -> None:
    """A function of the same name stands before the server's own and tells of an old one."""
    await pool.execute(
        "CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '140011' $$"
    )
    settings = {"search_path": "public, pg_catalog"}
    async with asyncpg.create_pool(database_url, min_size=1, server_settings=settings) as old:
        assert await refusal(old) == "Postgres 14 is too old: 15 is the oldest supported"
