"""While a model is waited for, the database is free: one connection serves every question in flight."""

import asyncio

from assist_service.domain.messages import ModelReply, ModelRequest
from tests.fakes.clocks import HandClock
from tests.fakes.house import running_house
from tests.fakes.models import ScriptedModel, reads, says


async def test_no_connection_is_held_while_the_model_is_waited_for(database_url: str) -> None:
    model = ScriptedModel(says("So it is."))
    ruled = {"limits": {"questions_per_minute": 100}}
    async with running_house(
        database_url, provider=model, policy="teacher-assistant", database_connections=1, ruled=ruled
    ) as house:
        model.hold()
        questions = [asyncio.create_task(house.ask()) for _ in range(20)]
        await model.asked(20)  # every one of them waits at the same time, on one connection
        ready = await house.service.get("/readyz")
        assert ready.json()["ready"] is True
        model.let_go()
        assert {answer.status_code for answer in await asyncio.gather(*questions)} == {200}


async def test_a_question_that_outlives_its_deadline_is_told_so(database_url: str) -> None:
    clocks: list[HandClock] = []

    def slow(_: ModelRequest) -> ModelReply:
        clocks[0].move(2)
        return reads("teacher/pools")

    model = ScriptedModel(slow)
    async with running_house(database_url, provider=model, ruled={"effort": {"deadline_seconds": 1}}) as house:
        clocks.append(house.clock)
        answer = await house.ask()
        assert (answer.status_code, answer.json()["code"]) == (503, "llm_unavailable")
        assert len(model.requests) == 1
