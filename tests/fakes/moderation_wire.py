"""OpenAI's moderation endpoint on loopback: scripted judgements, every request held to the SDK's own types."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from openai.types.moderation_create_params import ModerationCreateParams
from pydantic import TypeAdapter

from assist_service.adapters.models.openai_moderation import OpenAIModeration
from assist_service.ports import Clock
from tests.fakes.clocks import HandClock
from tests.fakes.openai_wire import error_reply
from tests.fakes.scripted_wire import JsonObject, RawReply, ScriptedWire
from tests.fakes.serving import serve
from tests.fakes.wire_rules import objects_in

MODERATIONS = "POST /v1/moderations"
MODEL = "omni-moderation-latest"
MODERATOR = f"openai:{MODEL}"
API_KEY = "sk-proj-canary-7d1f0c"

FLAGGED = "flagword"
"""What a server without a script flags."""

Judge = Callable[[str], RawReply]


def judgement(*, flagged: Any, **changes: Any) -> JsonObject:
    """A whole body; `changes` replace its keys."""
    result = {
        "flagged": flagged,
        "categories": {"hate": flagged, "self-harm": False},
        "category_scores": {"hate": 0.97 if flagged else 0.01, "self-harm": 0.0},
        "category_applied_input_types": {"hate": ["text"], "self-harm": ["text"]},
    }
    return {"id": "modr-1", "model": "omni-moderation-2024-09-26", "results": [result], **changes}


def judged(*, flagged: Any, **changes: Any) -> RawReply:
    return RawReply(json.dumps(judgement(flagged=flagged, **changes)).encode())


def by_word(text: str) -> RawReply:
    """Flags what holds FLAGGED."""
    return judged(flagged=FLAGGED in text)


class ModerationWire(ScriptedWire[RawReply]):
    """`POST /v1/moderations`; `judge` answers each text, and a test may change it between requests."""

    def __init__(self, judge: Judge = by_word) -> None:
        super().__init__(script=lambda body: self.judge(body["input"]))
        self.judge = judge
        _validator()

    @property
    def texts(self) -> list[str]:
        """Everything that was to be judged."""
        return [request.body["input"] for request in self.requests]

    def faults(self, target: str, headers: Mapping[str, str], body: Any) -> list[str]:
        if target != MODERATIONS:
            return [f"{target} is not offered"]
        door = [] if headers.get("authorization", "").startswith("Bearer ") else ["no bearer"]
        broken = best_match(_validator().iter_errors(body))
        if broken is not None:
            return [*door, f"{broken.json_path}: {broken.message[:300]}"]
        return door if body["input"].strip() else [*door, "input: empty"]

    def refusal(self) -> RawReply:
        return error_reply(400, "invalid_request_error")

    def written(self, reply: RawReply, target: str, body: JsonObject) -> RawReply:
        return reply


@cache
def _validator() -> Draft202012Validator:
    schema = TypeAdapter(ModerationCreateParams).json_schema()
    for shape in objects_in(schema):
        shape["additionalProperties"] = False
    # One text a request: a list of them would be answered by a list of judgements.
    schema["properties"]["input"] = {"type": "string"}
    return Draft202012Validator({**schema, "required": ["model", "input"]})


@asynccontextmanager
async def moderation_at(url: str, clock: Clock | None = None) -> AsyncIterator[OpenAIModeration]:
    """The adapter, pointed at a server's URL."""
    moderator = OpenAIModeration(MODEL, clock=clock or HandClock(), api_key=API_KEY, base_url=f"{url}/v1")
    try:
        yield moderator
    finally:
        await moderator.close()


@asynccontextmanager
async def moderation_over(wire: ModerationWire, clock: Clock | None = None) -> AsyncIterator[OpenAIModeration]:
    """The adapter, talking to a wire that runs for as long."""
    async with serve(wire) as url, moderation_at(url, clock) as moderator:
        yield moderator
