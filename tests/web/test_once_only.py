"""Idempotency keys, one question at a time in a conversation, and the limits of a minute and a day."""

import asyncio

import asyncpg
import pytest

from assist_service.domain.messages import ProviderFault, ProviderFaultKind
from tests.fakes.house import OTHER_TEACHER, running_house
from tests.fakes.models import ScriptedModel, reads, says

pytestmark = pytest.mark.slow

DOWN = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="status_400")


async def test_the_same_key_and_body_get_the_same_bytes(database_url: str, pool: asyncpg.Pool) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        key = {"Idempotency-Key": "one"}
        first = await house.ask(headers=key)
        again = await house.ask(headers=key)
        assert first.status_code == 200
        assert again.content == first.content
        assert len(model.requests) == 2
        assert await pool.fetchval("SELECT count(*) FROM exchanges") == 1
        assert await pool.fetchval("SELECT day_count FROM question_rates") == 1

        other_body = await house.ask("Another question?", headers=key)
        assert (other_body.status_code, other_body.json()["code"]) == (422, "idempotency_mismatch")
        other_person = await house.ask(person=OTHER_TEACHER, headers=key)
        assert other_person.json()["exchange_id"] != first.json()["exchange_id"]

        house.clock.move(601)
        later = await house.ask(headers=key)
        assert later.json()["exchange_id"] != first.json()["exchange_id"]


async def test_a_kept_reply_is_sealed(database_url: str, pool: asyncpg.Pool) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("A canary sings [s1]."))
    async with running_house(database_url, provider=model) as house:
        await house.ask(headers={"Idempotency-Key": "one"})
        row = await pool.fetchrow("SELECT sealed_reply, sealed_body_digest FROM idempotent_replies")
        assert row is not None
        assert b"canary" not in row["sealed_reply"]


async def test_a_kept_reply_goes_with_its_conversation(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        key = {"Idempotency-Key": "one"}
        first = (await house.ask(headers=key)).json()
        gone = await house.service.delete(
            f"/assist/conversations/{first['conversation_id']}", headers=await house.bearer()
        )
        assert gone.status_code == 204
        assert await pool.fetchval("SELECT count(*) FROM idempotent_replies") == 0
        assert (await house.ask(headers=key)).json()["exchange_id"] != first["exchange_id"]


async def test_a_failure_is_not_kept(database_url: str) -> None:
    model = ScriptedModel(DOWN, reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        key = {"Idempotency-Key": "one"}
        assert (await house.ask(headers=key)).status_code == 503
        assert (await house.ask(headers=key)).status_code == 200


async def test_a_key_whose_question_still_runs_is_busy(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        key = {"Idempotency-Key": "one"}
        model.hold()
        running = asyncio.create_task(house.ask(headers=key))
        await model.asked(1)
        second = await house.ask(headers=key)
        assert (second.status_code, second.json()["code"]) == (409, "conversation_busy")
        model.let_go()
        first = await running
        assert (await house.ask(headers=key)).content == first.content


async def test_a_lost_connection_stops_nothing_and_the_reply_waits(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        key = {"Idempotency-Key": "one"}
        model.hold()
        lost = asyncio.create_task(house.ask(headers=key))
        await model.asked(1)
        lost.cancel()
        await asyncio.gather(lost, return_exceptions=True)
        assert (await house.ask(headers=key)).json()["code"] == "conversation_busy"
        model.let_go()
        statuses = [(await house.ask(headers=key)).status_code]
        while statuses[-1] == 409 and len(statuses) < 200:
            statuses.append((await house.ask(headers=key)).status_code)
        assert statuses[-1] == 200
        assert len(model.requests) == 2


async def test_one_question_at_a_time_in_a_conversation(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."), says("Again [s1]."))
    async with running_house(database_url, provider=model) as house:
        conversation = (await house.ask()).json()["conversation_id"]
        model.hold()
        running = asyncio.create_task(house.ask(conversation_id=conversation))
        await model.asked(3)
        second = await house.ask(conversation_id=conversation)
        assert (second.status_code, second.json()["code"]) == (409, "conversation_busy")
        model.let_go()
        assert (await running).status_code == 200
        assert (await house.ask(conversation_id=conversation)).status_code == 200


async def test_a_failed_question_frees_its_conversation(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."), DOWN, says("Again [s1]."))
    async with running_house(database_url, provider=model) as house:
        conversation = (await house.ask()).json()["conversation_id"]
        assert (await house.ask(conversation_id=conversation)).status_code == 503
        assert (await house.ask(conversation_id=conversation)).status_code == 200


async def test_the_minutes_limit_and_its_true_wait(database_url: str) -> None:
    model = ScriptedModel(says("So it is."))
    async with running_house(database_url, provider=model, policy="teacher-assistant") as house:
        for _ in range(6):
            house.clock.move(5)
            assert (await house.ask()).status_code == 200
        refused = await house.ask()
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert refused.headers["retry-after"] == "35"
        assert (await house.ask(person=OTHER_TEACHER)).status_code == 200
        house.clock.move(34)
        assert (await house.ask()).status_code == 429
        house.clock.move(1)
        assert (await house.ask()).status_code == 200


async def test_the_days_limit(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    ruled = {"limits": {"questions_per_minute": 100, "questions_per_day": 3}}
    async with running_house(database_url, provider=model, ruled=ruled) as house:
        assert [(await house.ask()).status_code for _ in range(4)] == [200, 200, 200, 429]
        refused = await house.ask()
        assert int(refused.headers["retry-after"]) == 14 * 3600 + 30 * 60


async def test_a_share_refused_is_429_without_a_row_and_health_stays_green(
    database_url: str, pool: asyncpg.Pool
) -> None:
    model = ScriptedModel(says("never"))
    async with running_house(database_url, provider=model, daily_cap_usd="0.1") as house:
        refused = await house.ask()
        assert (refused.status_code, refused.json()["code"]) == (429, "llm_budget_exhausted")
        assert "retry-after" not in refused.headers
        assert await pool.fetchval("SELECT count(*) FROM llm_calls") == 0
        ready = await house.service.get("/readyz")
        assert (ready.status_code, ready.json()["checks"]["llm.budget"]) == (200, "ok")
        assert model.requests == []
