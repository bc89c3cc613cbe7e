"""Drives the loop of a question: sends what it asks for over the line, runs what the model calls."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from assist_service.domain.errors import AssistError, Code
from assist_service.domain.loop import AskModel, Outcome, Ran, RunTools, Turn
from assist_service.domain.messages import ModelReply, ModelRequest, ToolSpec
from assist_service.services.bench import Bench
from assist_service.services.line import Line

LEAST_SECONDS = 0.1
"""For the tools of a question that is out of time: it was the model that took it, and the next request says so."""


@dataclass(frozen=True)
class Prompt:
    """What stays the same over the requests of one question."""

    prefix: str
    screen: str
    tools: tuple[ToolSpec, ...]
    max_tokens: int


async def _within(line: Line, work: Awaitable[Ran]) -> Ran:
    """Tools have no more time than the question. Raises AssistError `lms_unavailable` where one of them took it all."""
    try:
        async with asyncio.timeout(max(line.seconds_left, LEAST_SECONDS)):
            return await work
    except TimeoutError:
        raise AssistError(Code.LMS_UNAVAILABLE) from None


async def converse(turn: Turn, *, prompt: Prompt, line: Line, bench: Bench) -> Outcome:
    """Runs the turn to its outcome. Raises what the line raises; no database connection is held meanwhile."""
    answer: ModelReply | Ran | None = None
    while True:
        try:
            step = next(turn) if answer is None else turn.send(answer)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        match step:
            case AskModel(messages, may_call):
                answer = await line.send(
                    ModelRequest(
                        prefix=prompt.prefix,
                        screen=prompt.screen,
                        tools=prompt.tools,
                        messages=messages,
                        may_call=may_call,
                        max_tokens=prompt.max_tokens,
                    )
                )
            case RunTools(calls, surplus):
                answer = await _within(line, bench.run(calls, surplus))
