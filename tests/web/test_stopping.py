"""Closing the event stream stops its question: nothing is stored or held, and what was asked of a provider is paid."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import asyncpg
import httpx2
import pytest

from assist_service.domain.budget import cost_micros
from tests.fakes.house import House, running_house
from tests.fakes.models import USAGE, ScriptedModel
from tests.fakes.serving import connect
from tests.postgres.money import PRICE, refuse_unbalanced_books
from tests.web.data_questions import reads_guide_and_data
from tests.web.streamed import streaming, told

pytestmark = pytest.mark.slow

KEY = {"Idempotency-Key": "one"}

_HELD = """
SELECT (SELECT count(*) FROM conversations WHERE lease IS NOT NULL)
     + (SELECT count(*) FROM idempotent_replies WHERE sealed_reply IS NULL)
"""
_UNSETTLED = "SELECT count(*) FROM llm_calls WHERE settled_at IS NULL"
_EXCHANGES = "SELECT count(*) FROM exchanges"
_CALLS = "SELECT outcome, cost_micros FROM llm_calls WHERE question_id NOT IN (SELECT id FROM exchanges)"

PAID = ("ok", cost_micros(PRICE, USAGE))


async def _until_none(pool: asyncpg.Pool, query: str) -> None:
    async with asyncio.timeout(5):
        while await pool.fetchval(query):  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.01)


async def _refuse_leftovers(house: House, pool: asyncpg.Pool) -> None:
    """Everything is given back and paid, a moment after the connection was closed."""
    await _until_none(pool, _HELD)
    await _until_none(pool, _UNSETTLED)
    async with asyncio.timeout(5):
        while (await house.lms.get("/demo/tokens")).json()["tokens"]:  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.01)
    await refuse_unbalanced_books(pool)


async def _conversation(house: House, model: ScriptedModel) -> str:
    """One of this person's, with an exchange."""
    events = await told(house)
    model.requests.clear()
    return str(events[-1].json["conversation_id"])


@asynccontextmanager
async def _school(database_url: str) -> AsyncIterator[tuple[House, ScriptedModel, str]]:
    model = ScriptedModel(reads_guide_and_data)
    async with running_house(database_url, provider=model) as house:
        yield house, model, await _conversation(house, model)


async def _asked_anew(house: House, pool: asyncpg.Pool, asked: Mapping[str, Any]) -> None:
    """The same question under the same key, in the same conversation: answered as if it had never been asked."""
    assert (await told(house, **asked))[-1].name == "reply"
    assert await pool.fetchval(_EXCHANGES) == 2


@pytest.mark.parametrize("requests", [1, 3])
async def test_a_stop_while_a_provider_answers(database_url: str, pool: asyncpg.Pool, requests: int) -> None:
    async with _school(database_url) as (house, model, conversation):
        asked: dict[str, Any] = {"conversation_id": conversation, "headers": KEY}
        model.seconds = 0.3
        async with streaming(house, **asked) as stream:
            await model.asked(requests)
            assert stream.response.status_code == 200
        await _until_none(pool, _HELD)
        assert await pool.fetchval(_UNSETTLED) == 1  # given back at once, while the provider is read to its end
        await _refuse_leftovers(house, pool)
        assert [tuple(row) for row in await pool.fetch(_CALLS)] == [PAID] * requests
        assert len(model.requests) == requests
        assert await pool.fetchval(_EXCHANGES) == 1
        assert await pool.fetchval("SELECT day_count FROM question_rates") == 2
        model.seconds = 0.0
        await _asked_anew(house, pool, asked)


async def test_a_stop_while_the_lms_is_read(database_url: str, pool: asyncpg.Pool) -> None:
    async with _school(database_url) as (house, model, conversation):
        asked: dict[str, Any] = {"conversation_id": conversation, "headers": KEY}
        await house.lms.post("/demo/faults", json={"fault": "delay", "seconds": 30, "path": "/api/courses"})
        async with streaming(house, **asked) as stream:
            async for event in stream.events():
                if event.json.get("tool") == "list_courses":
                    break
            await _until_minted(house)
        await _refuse_leftovers(house, pool)
        assert len(model.requests) == 2
        assert await pool.fetchval(_EXCHANGES) == 1
        await house.lms.post("/demo/faults", json={"fault": "none"})
        await _asked_anew(house, pool, asked)


async def _until_minted(house: House) -> None:
    async with asyncio.timeout(5):
        while not (await house.lms.get("/demo/tokens")).json()["tokens"]:  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.01)


async def test_a_stop_before_a_provider_is_asked(database_url: str, pool: asyncpg.Pool) -> None:
    async with _school(database_url) as (house, model, conversation):
        asked: dict[str, Any] = {"conversation_id": conversation, "headers": KEY}
        await house.lms.post("/demo/faults", json={"fault": "delay", "seconds": 0.5, "path": "/api/assist/standing/"})
        asking = asyncio.create_task(told(house, **asked))
        await asyncio.sleep(0.2)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await asyncio.sleep(0.6)
        await _refuse_leftovers(house, pool)
        assert model.requests == []
        await house.lms.post("/demo/faults", json={"fault": "none"})
        await _asked_anew(house, pool, asked)


async def test_a_stop_that_comes_after_the_reply_stops_nothing(database_url: str, pool: asyncpg.Pool) -> None:
    async with _school(database_url) as (house, _, conversation):
        async with streaming(house, conversation_id=conversation, headers=KEY) as stream:
            replies = [event async for event in stream.events() if event.name == "reply"]
        await _refuse_leftovers(house, pool)
        assert await pool.fetchval(_EXCHANGES) == 2
        kept = await told(house, conversation_id=conversation, headers=KEY)
        assert kept == replies


async def test_stops_are_counted_as_such(database_url: str, pool: asyncpg.Pool) -> None:
    async with _school(database_url) as (house, model, _):
        before = await _stopped(house)
        model.hold()
        async with streaming(house):
            await model.asked(1)
        async with asyncio.timeout(5):
            while await _stopped(house) == before:  # noqa: ASYNC110 nothing tells of it
                await asyncio.sleep(0.01)
        model.let_go()
        await _refuse_leftovers(house, pool)
        assert await _stopped(house) == before + 1


async def _stopped(house: House) -> float:
    name = 'assist_question_seconds_count{kind="stopped"} '
    lines = (await house.service.get("/metrics")).text.splitlines()
    return float(next(line for line in lines if line.startswith(name)).removeprefix(name))


@pytest.mark.parametrize(("requests", "provider_seconds", "last"), [(4, 0.1, "reply"), (1, 1.2, "progress")])
async def test_the_end_of_the_service_leaves_nothing_of_an_open_stream(
    database_url: str, pool: asyncpg.Pool, requests: int, provider_seconds: float, last: str
) -> None:
    """A question that ends while the server still waits is answered; one that does not is stopped, and paid."""
    model = ScriptedModel(reads_guide_and_data)
    async with running_house(database_url, provider=model) as house:
        conversation = await _conversation(house, model)
        model.seconds = provider_seconds
        reading = asyncio.create_task(_names(house, conversation_id=conversation, headers=KEY))
        await model.asked(requests)
    assert (await reading)[-1] == last
    assert await pool.fetchval(_HELD) == 0
    assert await pool.fetchval(_UNSETTLED) == 0
    assert [tuple(row) for row in await pool.fetch(_CALLS)] == ([] if last == "reply" else [PAID])
    assert await pool.fetchval(_EXCHANGES) == (2 if last == "reply" else 1)
    await refuse_unbalanced_books(pool)


async def test_the_end_of_the_service_waits_for_what_a_stopped_question_gives_back(
    database_url: str, pool: asyncpg.Pool
) -> None:
    """The statement that leases waits for a lock meanwhile: only once it is through can the lease be given back."""
    async with pool.acquire() as other:
        async with running_house(database_url, provider=ScriptedModel(reads_guide_and_data)) as house:
            conversation = str((await told(house))[-1].json["conversation_id"])
            locking = other.transaction()
            await locking.start()
            await other.execute("SELECT FROM conversations FOR UPDATE")
            reading = asyncio.create_task(_names(house, conversation_id=conversation, headers=KEY))
            await asyncio.sleep(0.3)
            unlocking = asyncio.create_task(_end_later(locking))
        await unlocking
    assert await reading == []
    assert await pool.fetchval(_HELD) == 0
    assert await pool.fetchval(_EXCHANGES) == 1


async def _end_later(locking: asyncpg.transaction.Transaction) -> None:
    await asyncio.sleep(1.4)
    await locking.rollback()


async def _names(house: House, **asked: Any) -> list[str]:
    """The names of the events that come before the stream ends, or breaks off."""
    names: list[str] = []
    with suppress(httpx2.HTTPError):
        # By a client of its own: the house's closes its connections before the server ends.
        async with (
            connect(str(house.service.base_url)) as mine,
            streaming(replace(house, service=mine), **asked) as stream,
        ):
            if stream.response.status_code == 200:
                async for event in stream.events():
                    names.append(event.name)
    return names
