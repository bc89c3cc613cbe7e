"""What was said before a question is masked anew in it, and what the model said in it goes back as it was."""

import uuid
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from assist_service.domain.loop import AskModel, Ran, RunTools, turn
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    Message,
    ModelReply,
    Stop,
    ToolCall,
    ToolResult,
    ToolResults,
    UserText,
)
from assist_service.domain.policy import Disclosure
from assist_service.domain.records import Found, Someone, Titled
from assist_service.tools.tool import Desk
from tests.unit.benches import Nothing, bench, tool

NAMED: tuple[Message, ...] = (UserText("Is Ana Lima there?"), AssistantText("Yes, Ana Lima is."))
MASKED: tuple[Message, ...] = (UserText("Is Person-x-1 there?"), AssistantText("Yes, Person-x-1 is."))


def asked(history: Iterable[Message], brought: list[Ran]) -> list[tuple[Message, ...]]:
    """What is sent of a question whose model calls once for each of these, always in the same words."""
    loop = turn(tuple(history), "And Ana Lima's marks?", max_requests=len(brought) + 1)
    step, sent = next(loop), []
    for number, ran in enumerate(brought):
        assert isinstance(step, AskModel)
        sent.append(step.messages)
        call = ToolCall(str(number), "look", {})
        step = loop.send(ModelReply(Stop.TOOLS, "Of Ana Lima.", (call,), [{"text": "Of Ana Lima."}], None))
        assert isinstance(step, RunTools)
        step = loop.send(replace(ran, results=(ToolResult(call.id, "Ana Lima"),)))
    assert isinstance(step, AskModel)
    return [*sent, step.messages]


def test_a_history_that_was_masked_anew_is_sent_so_from_then_on_and_nothing_else_changes() -> None:
    sent = asked(NAMED, [Ran(()), Ran((), history=MASKED), Ran(())])
    assert [messages[:2] for messages in sent] == [NAMED, NAMED, MASKED, MASKED]
    for earlier, later in pairwise(sent):
        assert later[2 : len(earlier)] == earlier[2:]
    assert sent[-1][2] == UserText("And Ana Lima's marks?")
    turns = [message for message in sent[-1] if isinstance(message, AssistantTurn)]
    assert [(each.text, each.native) for each in turns] == [("Of Ana Lima.", [{"text": "Of Ana Lima."}])] * 3
    assert len([message for message in sent[-1] if isinstance(message, ToolResults)]) == 3


async def test_a_step_that_introduces_somebody_brings_the_history_without_the_name_once() -> None:
    async def look(_: Nothing, __: Desk) -> Found:
        return Found([{"title": Titled("Pools")}])

    async def meet_ana(_: Nothing, __: Desk) -> Found:
        return Found([{"student": Someone(uuid.uuid5(uuid.NAMESPACE_OID, "ana"), "Ana Lima")}])

    at = bench(tool("titles", look), tool("people", meet_ana), disclosure=Disclosure.MASKED)
    at.history = NAMED
    assert (await at.run([ToolCall("a", "titles", {})])).history is None
    history = (await at.run([ToolCall("b", "people", {})])).history
    placeholder = f"Person-{at.masks.tag}-1"
    assert history == (UserText(f"Is {placeholder} there?"), AssistantText(f"Yes, {placeholder} is."))
    assert (await at.run([ToolCall("c", "people", {})])).history is None, "nobody new is met"
