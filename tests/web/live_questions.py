"""Questions about live data over HTTP: a model that calls tools, what it read of them, and what the LMS was asked."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from assist_service.domain.messages import ModelReply, ModelRequest, ToolResult, ToolResults, faults_of
from examples.reference_lms.school import SCHOOL
from tests.fakes.house import House, question_body

STANDING = "/api/assist/standing/"

Step = Callable[[ModelRequest], ModelReply | Awaitable[ModelReply]]


class ActingModel:
    """Implements ports.ModelProvider: one step after the other, each a reply or what makes one, awaited if need be."""

    model = "stub"

    def __init__(self, *steps: ModelReply | Step) -> None:
        self.requests: list[ModelRequest] = []
        self.steps = list(steps)

    async def send(self, request: ModelRequest, *, timeout_seconds: float) -> ModelReply:
        assert faults_of(request.messages) == []
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, ModelReply):
            return step
        reply = step(request)
        return reply if isinstance(reply, ModelReply) else await reply

    async def close(self) -> None:
        """Holds nothing open."""


def results(request: ModelRequest) -> tuple[ToolResult, ...]:
    """What came of the calls of the turn before."""
    last = request.messages[-1]
    assert isinstance(last, ToolResults)
    return last.results


def records(result: ToolResult) -> list[dict[str, Any]]:
    """The records of a result, the mark of a cut left out."""
    assert not result.is_error, result.content
    return [json.loads(line) for line in result.content.splitlines() if line.startswith("{")]


def spoken(request: ModelRequest) -> str:
    """All that a provider reads of a request but prefix and tools, which are the same for everyone of a role."""
    return request.screen + "\n" + "\n".join(str(message) for message in request.messages)


def owned(kind: str, owner: str) -> str:
    """The id of something of the cast's that belongs to this teacher."""
    return next(each.id for each in SCHOOL.entities if each.kind.value == kind and each.owner == owner)


def screen(**entities: str) -> dict[str, Any]:
    """A context with these ids on screen and no help."""
    context: dict[str, Any] = question_body()["context"]
    return {**context, "topic": None, "entities": entities}


async def inject(house: House, fault: str, **parameters: Any) -> None:
    (await house.lms.post("/demo/faults", json={"fault": fault, **parameters})).raise_for_status()


async def asked_of_lms(house: House, prefix: str = "/") -> list[dict[str, Any]]:
    """Every request to the LMS under this prefix, but for the keys of sessions."""
    entries: list[dict[str, Any]] = (await house.lms.get("/demo/requests")).json()["entries"]
    return [each for each in entries if each["path"].startswith(prefix) and "/.well-known/" not in each["path"]]


async def reads_of_lms(house: House) -> list[dict[str, Any]]:
    """Every read for a person, but for those that were only told the nonce a proof needs."""
    reads = [each for each in await asked_of_lms(house, "/api/") if not each["path"].startswith(STANDING)]
    return [each for each in reads if each["status"] != 401]


async def live_tokens(house: House, person: str | None = None) -> list[dict[str, Any]]:
    """The tokens that are worth something now, of this person or of anybody."""
    tokens: list[dict[str, Any]] = (await house.lms.get("/demo/tokens")).json()["tokens"]
    return [each for each in tokens if person in (None, each["person"])]


async def settled(pool: Any) -> bool:
    """Whether every reservation is settled, soon at the latest."""
    for _ in range(100):
        if await pool.fetchval("SELECT count(*) FROM llm_calls WHERE settled_at IS NULL") == 0:
            return True
        await asyncio.sleep(0.02)
    return False
