"""A rotation or a purge that is killed in its midst loses no row, and the next one ends it (S2, J14)."""

import asyncio
import random
from pathlib import Path

import asyncpg
import pytest

from assist_service.adapters.clock import SystemClock
from assist_service.adapters.postgres.rotating import BATCH
from assist_service.adapters.sealing import AesGcmSealer
from tests.case_counts import CountCases
from tests.slow.kept_under import fill, left_of
from tests.slow.opened import opened
from tests.slow.test_rotation_under_traffic import COMMAND, KEYS, NEW, OLD, setting
from tests.slow.write_world import World, open_world

pytestmark = pytest.mark.slow

KILLS = 3

_SLOW = """
CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END $$;
CREATE TRIGGER dawdle BEFORE UPDATE OR DELETE ON exchanges FOR EACH STATEMENT EXECUTE FUNCTION dawdle();
"""
"""Each batch takes its time, so that there is a midst."""

_UNDER = "SELECT count(*) FROM exchanges WHERE key_id = $1"


async def run(world: World, *arguments: str, kill_after: float | None = None) -> int:
    """The command's exit code; without a time it comes to its end."""
    process = await asyncio.create_subprocess_exec(
        COMMAND, *arguments, env=world.environment(ASSIST_SECRET_KEYS=setting(NEW, OLD)), stdout=asyncio.subprocess.PIPE
    )
    if kill_after is not None:
        await _until(world.pool, is_working=True)
        await asyncio.sleep(kill_after)
        process.kill()
        await process.wait()
        await _until(world.pool, is_working=False)  # the server ends the statement that it was at
    await process.communicate()
    assert process.returncode is not None
    return process.returncode


_WORKING = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database())"


async def _until(pool: asyncpg.Pool, *, is_working: bool) -> None:
    """Until a statement of the command's dawdles, or none does."""
    async with asyncio.timeout(60):
        while await pool.fetchval(_WORKING) is not is_working:  # noqa: ASYNC110 Postgres has no event for it
            await asyncio.sleep(0.01)


async def test_a_killed_rotation_loses_nothing(database_url: str, tmp_path: Path, count_cases: CountCases) -> None:
    chance = random.Random(7)
    (new_id,) = AesGcmSealer([NEW]).key_ids
    async with open_world(database_url, tmp_path) as world:
        await fill(world.pool, OLD, ["ada", "bob"], now=SystemClock().now())
        before = await opened(world.pool, OLD)
        await world.pool.execute(_SLOW)
        rows, moved, kills = len(before["exchanges.sealed"]), 0, 0
        while moved + 3 * BATCH < rows:  # so much is left that the next one is met in its midst
            assert await run(world, "keys", "rotate", kill_after=chance.uniform(0, 0.12)) == -9
            kills, last = kills + 1, moved
            moved = await world.pool.fetchval(_UNDER, new_id)
            assert moved >= last
            assert moved % BATCH == 0, "whole batches"
        assert kills > 1
        assert await run(world, "keys", "rotate") == 0
        assert await opened(world.pool, NEW) == before
    count_cases("kill -9", kills, "rotating")


async def test_a_killed_purge_is_gone_on_with_by_the_next(
    database_url: str, tmp_path: Path, count_cases: CountCases
) -> None:
    chance = random.Random(8)
    async with open_world(database_url, tmp_path) as world:
        filled = await fill(world.pool, OLD, ["ada", "bob"], now=SystemClock().now())
        await world.pool.execute(_SLOW)
        for _ in range(KILLS):
            assert await run(world, "purge", kill_after=chance.uniform(0, 0.1)) == -9
        assert await run(world, "purge") == 0
        for table, key in KEYS.items():
            assert await left_of(world.pool, table, *key) == filled.kept[table]
    count_cases("kill -9", KILLS, "purging")
