"""The panel's client, in Node, against the running service: every method, and what is stopped, cut off or refused."""

import asyncio
import re
from pathlib import Path

import pytest

from assist_service.domain.messages import (
    ModelReply,
    ModelRequest,
    ProviderFault,
    ProviderFaultKind,
    ToolResults,
    UserText,
    faults_of,
)
from tests.fakes.clocks import HandClock
from tests.fakes.house import OTHER_TEACHER, TEACHER, running_house
from tests.fakes.models import calls, reads, says
from tests.panel.node import failures, in_node
from tests.web.writing import POOL, WAITS, new_category, written

pytestmark = pytest.mark.slow

QUESTIONS_A_MINUTE = 30
"""The house's clock stands: all that one person asks here falls within a minute."""


TOKEN_SECONDS = 301
"""After so long no session token is good any more."""


class ObedientModel:
    """Implements ports.ModelProvider. A question says what is to come of it; any other is answered from a page."""

    model = "stub"

    def __init__(self, clock: HandClock) -> None:
        self.clock = clock
        self.asked: list[str] = []
        self.stopped = 0
        self.waits = asyncio.Event()

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        assert faults_of(request.messages) == []
        question = [each.text for each in request.messages if isinstance(each, UserText)][-1]
        last = request.messages[-1]
        self.asked.append(question)
        if question.startswith("Prepare "):
            return WAITS if isinstance(last, ToolResults) else calls(new_category(question.removeprefix("Prepare ")))
        if question == "Fail":
            raise ProviderFault(ProviderFaultKind.CLOSED, billed=False, reason="no credit")
        if not isinstance(last, ToolResults):
            return reads("teacher/extra-time-and-absences")
        if question == "Let time pass":
            self.clock.move(TOKEN_SECONDS)
        if question == "Take your time":
            await self._until_it_is_stopped()
        if question == "Wait until that one does":
            await self.waits.wait()
        handle = re.search(r"^\[(s\d+)\]", last.results[0].content, re.MULTILINE)
        assert handle is not None, last
        return says(f"You will find all that you need to know about it on this page of the manual [{handle[1]}].")

    async def _until_it_is_stopped(self) -> None:
        self.waits.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise

    async def close(self) -> None:
        """Holds nothing open."""


async def test_every_method_against_the_running_service(database_url: str, tmp_path: Path) -> None:
    model = ObedientModel(HandClock())
    ruled = {"limits": {"questions_per_minute": QUESTIONS_A_MINUTE}}
    async with running_house(database_url, provider=model, ruled=ruled) as house:
        model.clock = house.clock
        facts = {
            "service": str(house.service.base_url).rstrip("/"),
            "lms": str(house.lms.base_url).rstrip("/"),
            "now": house.clock.now().timestamp() * 1000,
            "teacher": TEACHER,
            "other": OTHER_TEACHER,
            "pool": POOL,
        }
        outcomes = await in_node("against_the_service.test.mjs", folder=tmp_path, given={"house": facts})
        made = await written(house)
    assert failures(outcomes) == {}
    assert len(outcomes) == 10
    assert [entry["tool"] for entry in made] == ["create_category"], "the one that was confirmed"
    assert model.stopped == 1
    assert model.asked.count("Cut me off") == 2, "a page, then the answer: asked again, it was the one that was stored"
