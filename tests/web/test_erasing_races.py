"""A person erased in mid-question or in mid-confirm: nothing of them comes back, and nothing fails otherwise (S4)."""

import asyncio
import json

import asyncpg
import pytest

from assist_service.adapters.postgres.erasing import SKEW, TOLD
from assist_service.domain.person_data import ERASED
from tests.fakes.house import TEACHER, House, running_house
from tests.fakes.models import ScriptedModel, reads, says
from tests.postgres.late_pass import late_pass
from tests.web.live_questions import inject
from tests.web.person_rows import at_data, dump
from tests.web.writing import POOL, confirm, new_category, prepared, preparing, written

pytestmark = pytest.mark.slow


async def _erase(house: House) -> None:
    assert (await at_data(house, "DELETE")).status_code == 204


async def _refuse_traces(pool: asyncpg.Pool, house: House) -> None:
    await late_pass(pool, now=house.clock.now())
    assert TEACHER not in json.dumps(await dump(pool))


@pytest.mark.parametrize("key", [{}, {"Idempotency-Key": "k"}])
@pytest.mark.parametrize("is_new", [True, False])
async def test_a_question_that_still_runs_brings_nothing_back(
    database_url: str, pool: asyncpg.Pool, is_new: bool, key: dict[str, str]
) -> None:
    model = ScriptedModel(says("Before."), reads("teacher/pools"), says("So [s1]."))
    async with running_house(database_url, provider=model) as house:
        earlier = (await house.ask()).json()["conversation_id"]
        model.hold()
        running = asyncio.create_task(house.ask(conversation_id=None if is_new else earlier, headers=key))
        await model.asked(2)
        house.clock.move(30)
        await _erase(house)
        house.clock.move(30)
        model.let_go()
        late = await running
        assert (late.status_code, late.json()["code"]) == (404, "conversation_not_found")
        # A second request was reserved after the erasure: its row is what the late pass is for.
        assert await pool.fetchval("SELECT count(*) FROM llm_calls WHERE person = $1", TEACHER) == 1
        await _refuse_traces(pool, house)
        assert await pool.fetchval("SELECT count(*) FROM llm_calls WHERE person = $1", ERASED) == 3


async def test_who_was_erased_by_mistake_asks_again_and_keeps_what_comes_of_it(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with running_house(database_url) as house:
        assert (await house.ask()).status_code == 200
        await _erase(house)
        too_soon = await house.ask()
        assert (too_soon.status_code, too_soon.json()["code"]) == (404, "conversation_not_found")
        house.clock.move(SKEW.total_seconds() + 1)
        assert (await house.ask(headers={"Idempotency-Key": "k"})).status_code == 200
        await late_pass(pool, now=house.clock.now())
        for table in ("conversations", "exchanges", "idempotent_replies", "erasures"):
            assert await pool.fetchval(f"SELECT count(*) FROM {table}") == 1, table  # noqa: S608 a constant list
        house.clock.move(TOLD.total_seconds())
        await late_pass(pool, now=house.clock.now())
        assert await pool.fetchval("SELECT count(*) FROM erasures") == 0
        assert await pool.fetchval("SELECT count(*) FROM exchanges") == 1


async def test_a_confirm_that_runs_ends_and_leaves_no_name(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url, provider=preparing(new_category())) as house:
        reply = await prepared(house)
        await inject(house, "delay", seconds=1, path=f"/api/pools/{POOL}/categories")
        running = asyncio.create_task(confirm(house, reply))
        async with asyncio.timeout(10):
            while not await pool.fetchval("SELECT count(*) FROM pending_writes WHERE sent_at IS NOT NULL"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await _erase(house)
        assert (await running).status_code == 200
        assert [entry["status"] for entry in await written(house)] == [201]
        await _refuse_traces(pool, house)


async def test_a_confirm_that_had_not_sent_yet_finds_nothing(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url, provider=preparing(new_category())) as house:
        reply = await prepared(house)
        await inject(house, "delay", seconds=1, path="/api/pools")
        running = asyncio.create_task(confirm(house, reply))
        async with asyncio.timeout(10):
            while not await pool.fetchval("SELECT count(*) FROM pending_writes WHERE state = 'confirming'"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await _erase(house)
        answer = await running
        assert (answer.status_code, answer.json()["code"]) == (404, "write_not_found")
        assert await written(house) == []
        await _refuse_traces(pool, house)
