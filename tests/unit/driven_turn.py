"""A turn of the loop driven by hand, and every step of it held to the rules."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from assist_service.domain.loop import (
    MAX_CALLS_PER_STEP,
    AskModel,
    Ending,
    Failed,
    Outcome,
    Ran,
    Rejected,
    Rejects,
    RunTools,
    Turn,
    turn,
)
from assist_service.domain.messages import (
    AssistantTurn,
    JsonObject,
    Message,
    ModelReply,
    Stop,
    ToolCall,
    ToolResult,
    ToolResults,
    faults_of,
)
from assist_service.domain.rejecting import is_rejected

REASONS = {"call_on_last_request", "malformed_calls", "no_request_left", "cut_short", "empty_answer"}


NAMES = ("read_guide", "decline", "ask_back", "query_classes", "delete_everything", "")


def lookups_rule(calls: Sequence[ToolCall]) -> bool:
    """The rule where lookups are offered, over these names."""
    return is_rejected(calls, offered=NAMES[:4], lookups={"query_classes"}, manual={"read_guide"})


def reply(
    stop: Stop = Stop.TOOLS, *calls: ToolCall, text: str = "", native: Sequence[JsonObject] | None = None
) -> ModelReply:
    said = native if native is not None else [{"type": "thinking", "thinking": "…", "signature": "x" * 40}]
    return ModelReply(stop, text, calls, said, None)


def call(identifier: str, name: str = "read_guide", arguments: JsonObject | None = None) -> ToolCall:
    return ToolCall(identifier, name, arguments)


@dataclass
class Driven:
    """Drives a turn by hand, and holds every step to the rules."""

    loop: Turn
    max_requests: int
    asked: list[AskModel] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)
    replies: list[tuple[ModelReply, list[Any]]] = field(default_factory=list)
    outcome: Outcome | None = None
    step: AskModel | RunTools | None = None
    has_prepared: bool = False
    rejects: Rejects | None = None
    """The rule that the turn was given, if it was."""

    def start(self) -> None:
        self._take(lambda: next(self.loop))

    def say(self, said: ModelReply) -> None:
        """The model replies; its native blocks are kept as they were, to compare."""
        self.replies.append((said, copy.deepcopy(list(said.native))))
        may_call, ran = self.asked[-1].may_call, list(self.ran)
        self._take(lambda: self.loop.send(said))
        if isinstance(self.outcome, Rejected):
            assert self.rejects is not None
            assert self.rejects(said.calls)
            assert (may_call, self.ran) == (True, ran), "nothing of a rejected reply runs"
        if isinstance(self.step, RunTools):
            assert self.rejects is None or not self.rejects(said.calls)
            assert said.stop is Stop.TOOLS
            assert self.asked[-1].may_call, "a call on the last request does not run"
            assert 1 <= len(self.step.calls) <= MAX_CALLS_PER_STEP
            assert self.step.calls + self.step.surplus == said.calls
            assert not self.step.surplus or len(self.step.calls) == MAX_CALLS_PER_STEP

    def run(
        self,
        ending: Ending | None = None,
        anew: Mapping[str, str] | None = None,
        *,
        has_acted: bool = False,
        has_prepared: bool = False,
    ) -> None:
        """The tools of the step ran, each with one result."""
        assert isinstance(self.step, RunTools)
        ids = [each.id for each in self.step.calls]
        assert not set(ids) & set(self.ran), "a call ran twice"
        self.ran += ids
        results = tuple(ToolResult(identifier, f"result of {identifier}") for identifier in ids)
        self.has_prepared = has_prepared
        brought = () if ending is not None else results
        ran = Ran(brought, ending, anew=anew or {}, has_acted=has_acted, has_prepared=has_prepared)
        self._take(lambda: self.loop.send(ran))
        if ending is not None:
            assert self.outcome is ending
            assert self.step is None, "nobody is asked for more"

    def _take(self, advance: Any) -> None:
        try:
            self.step = advance()
        except StopIteration as stop:
            self.step, self.outcome = None, stop.value
            assert isinstance(self.outcome, get_args(Outcome))
            assert not isinstance(self.outcome, Failed) or self.outcome.reason in REASONS
            return
        if isinstance(self.step, AskModel):
            self.asked.append(self.step)
            assert faults_of(self.step.messages) == []
            assert len(self.asked) <= self.max_requests
            assert self.step.may_call == (len(self.asked) < self.max_requests and not self.has_prepared)
            self._carries_every_turn(self.step)

    def _carries_every_turn(self, step: AskModel) -> None:
        turns = [message for message in step.messages if isinstance(message, AssistantTurn)]
        assert len(turns) == len(self.replies)
        for sent, (said, blocks) in zip(turns, self.replies, strict=True):
            assert sent.native is said.native, "reasoning goes back as the very blocks that came"
            assert list(sent.native) == blocks, "nobody wrote in them meanwhile"
            assert sent.calls == said.calls
        if not turns:
            return
        last = step.messages[-1]
        assert isinstance(last, ToolResults)
        assert [result.call_id for result in last.results] == [each.id for each in turns[-1].calls]
        surplus = last.results[MAX_CALLS_PER_STEP:]
        assert all(result.is_error and result.content for result in surplus)
        assert not {result.call_id for result in surplus} & set(self.ran)


def driven_turn(
    history: Sequence[Message] = (), question: str = "How?", *, max_requests: int = 3, rejects: Rejects | None = None
) -> Driven:
    """A turn that has begun."""
    ruled = {} if rejects is None else {"rejects": rejects}
    driven = Driven(turn(history, question, max_requests=max_requests, **ruled), max_requests, rejects=rejects)
    driven.start()
    return driven


def started(*, max_requests: int = 3, rejects: Rejects | None = None) -> Driven:
    return driven_turn(max_requests=max_requests, rejects=rejects)
