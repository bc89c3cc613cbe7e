"""A question that is stopped while it is judged leaves nothing, and holds nothing that others wait for meanwhile."""

import asyncio
from collections.abc import Callable

import asyncpg
import pytest

from assist_service.domain.messages import ModelReply, ModelRequest
from tests.fakes.house import House
from tests.fakes.models import reads, says
from tests.fakes.moderation_wire import ModerationWire, by_word, judged
from tests.fakes.scripted_wire import RawReply
from tests.web.live_questions import ActingModel
from tests.web.moderated import checks_of, moderated_house, problem, refuse_traces
from tests.web.streamed import streaming, told

pytestmark = pytest.mark.slow

KEY = {"Idempotency-Key": "one"}


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not true():  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.01)


def slow_at(word: str) -> Callable[[str], RawReply]:
    """Takes its time with what holds this word."""
    return lambda text: RawReply(judged(flagged=False).body, after_seconds=1.0 if word in text else 0.0)


async def _asked_anew(house: House, pool: asyncpg.Pool, wire: ModerationWire) -> None:
    await refuse_traces(house, pool)
    assert await pool.fetchval("SELECT count(*) FROM exchanges") == 0
    wire.judge = by_word
    assert (await told(house, "A pool, askword?", headers=KEY))[-1].name == "reply"


def answering() -> ActingModel:
    return ActingModel(*[reads("teacher/pools"), says("Press answerword [s1].")] * 2)


async def test_a_stop_while_the_question_is_judged(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, model = ModerationWire(slow_at("askword")), answering()
    async with moderated_house(database_url, wire, monkeypatch, provider=model) as house:
        asking = asyncio.create_task(told(house, "A pool, askword?", headers=KEY))
        await _until(lambda: len(wire.requests) == 1)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await asyncio.sleep(0.2)
        assert model.requests == []
        await _asked_anew(house, pool, wire)


async def test_an_answer_whose_model_used_up_the_time_is_not_shown_and_no_fault_of_the_moderation(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its question gets the code of what was not judged; no alert and no probe blames the moderation."""
    house: House

    def late(_: ModelRequest) -> ModelReply:
        house.clock.move(7.9)
        return says("Press answerword [s1].")

    wire, model, brief = ModerationWire(slow_at("answerword")), ActingModel(reads("teacher/pools"), late), 8
    async with moderated_house(
        database_url, wire, monkeypatch, provider=model, ruled={"effort": {"deadline_seconds": brief}}
    ) as house:
        before = (await house.service.get("/metrics")).text
        assert problem(await house.ask("A pool?")) == (503, "moderation_unavailable")
        assert checks_of(await house.service.get("/readyz"))["moderation"] == "ok"
        after = (await house.service.get("/metrics")).text
        grown = {line.rpartition(" ")[0] for line in set(after.splitlines()) - set(before.splitlines())}
        assert 'assist_moderations_total{judged="answer",moderator="openai",verdict="unjudged"}' in grown
        assert not any('verdict="fault"' in line for line in grown)
        await refuse_traces(house, pool)


async def test_a_stop_while_the_answer_is_judged(
    database_url: str, pool: asyncpg.Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, model = ModerationWire(slow_at("answerword")), answering()
    async with moderated_house(database_url, wire, monkeypatch, provider=model) as house:
        async with streaming(house, "A pool, askword?", headers=KEY) as stream:
            async for event in stream.events():
                if event.json.get("step") == "checking":
                    await _until(lambda: len(wire.requests) == 2)
                    break
        await asyncio.sleep(0.2)
        await _asked_anew(house, pool, wire)


@pytest.mark.parametrize("word", ["askword", "answerword"])
async def test_no_connection_is_held_while_a_text_is_judged(
    database_url: str, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    wire = ModerationWire(slow_at(word))
    async with moderated_house(
        database_url,
        wire,
        monkeypatch,
        provider=ActingModel(*[says("answerword.")] * 2),
        database_connections=1,
        ruled={"citations": "shown"},
    ) as house:
        asking = [asyncio.create_task(house.ask("A pool, askword?")) for _ in range(2)]
        await _until(lambda: sum(word in text for text in wire.texts) == 2)
        assert not any(task.done() for task in asking), "both wait for their judgement, with one connection"
        assert [answer.status_code for answer in await asyncio.gather(*asking)] == [200, 200]
