"""The conversation of one question with the model, as a pure generator: it asks, a driver does.

Whatever the model replies, the loop ends: after a bounded number of requests, with an outcome of a closed set.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assist_service.domain.live.finding import Looked
from assist_service.domain.messages import (
    AssistantTurn,
    Message,
    ModelReply,
    Stop,
    ToolCall,
    ToolResult,
    ToolResults,
    UserText,
)

MAX_CALLS_PER_STEP = 8
"""Calls of one reply that are run; further ones are answered with an error the model reads, and are noted undone."""


@dataclass(frozen=True)
class AskModel:
    """Send these messages; with `may_call` false the model may not call a tool."""

    messages: tuple[Message, ...]
    may_call: bool


@dataclass(frozen=True)
class RunTools:
    """Run these calls; those of `surplus` are beyond the bound and not run, which is to be noted."""

    calls: tuple[ToolCall, ...]
    surplus: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class Declined:
    """The question is not the assistant's to answer, says the model or its provider."""


@dataclass(frozen=True)
class AskedBack:
    """The model asks the person something back, or is courteous."""

    text: str


@dataclass(frozen=True)
class LookedUp:
    """Lookups were run that the service answers itself, in the order of the calls: nothing more is asked of the model.

    None where all of them failed, which is told from the notes on them.
    """

    looked: tuple[Looked, ...]


Ending = Declined | AskedBack | LookedUp


@dataclass(frozen=True)
class Ran:
    """The results of the calls, in their order, and the ending one of them brought.

    `has_acted` where the browser will do something after the answer: then the model need not say anything.
    `has_prepared` where something waits for the person now: the model says what, and calls nothing more (row A16).
    """

    results: tuple[ToolResult, ...]
    ending: Ending | None = None
    has_acted: bool = False
    has_prepared: bool = False
    anew: Mapping[str, str] = field(default_factory=dict)
    """Earlier results, by call, as they are to be sent from now on: what was said before is not ours to change."""
    history: tuple[Message, ...] | None = None
    """The earlier questions and answers as they are to be sent from now on, where they are to be sent otherwise."""


@dataclass(frozen=True)
class Answered:
    """The model's final text, unchecked."""

    text: str


@dataclass(frozen=True)
class Failed:
    """No answer came of it; `reason` is a short closed word for the log."""

    reason: str


@dataclass(frozen=True)
class Rejected:
    """The model's reply asked for what no reply may ask for together, and nothing of it was run."""


Outcome = Answered | Declined | AskedBack | LookedUp | Rejected | Failed

Rejects = Callable[[Sequence[ToolCall]], bool]
"""Whether the calls of a reply are refused whole."""


def _never(_: Sequence[ToolCall]) -> bool:
    return False


Turn = Generator[AskModel | RunTools, ModelReply | Ran, Outcome]


def turn(history: Sequence[Message], question: str, *, max_requests: int, rejects: Rejects = _never) -> Turn:
    """One question, from its first request to an outcome; yields what is to be done and receives what came of it.

    A reply that `rejects` refuses ends it, and none of its calls runs.
    """
    messages: tuple[Message, ...] = (*history, UserText(question))
    seen: set[str] = set()
    request = 0
    ran = Ran(())
    while True:
        request += 1
        reply = yield AskModel(messages, may_call=request < max_requests and not ran.has_prepared)
        assert isinstance(reply, ModelReply)
        if ran.has_prepared:
            return _closing(reply)
        if reply.stop is not Stop.TOOLS:
            return _outcome(reply, may_be_silent=ran.has_acted)
        if request == max_requests:
            return Failed("call_on_last_request")
        ids = [call.id for call in reply.calls]
        if not ids or not all(ids) or len(set(ids)) != len(ids) or seen & set(ids):
            return Failed("malformed_calls")
        if rejects(reply.calls):
            return Rejected()
        seen |= set(ids)
        surplus = reply.calls[MAX_CALLS_PER_STEP:]
        brought = yield RunTools(reply.calls[:MAX_CALLS_PER_STEP], surplus)
        assert isinstance(brought, Ran)
        ran = brought
        if ran.ending is not None:
            return ran.ending
        results = ran.results + tuple(_surplus(call) for call in surplus)
        messages = _renewed(messages, ran, earlier=len(history))
        messages += (AssistantTurn(reply.native, reply.text, reply.calls), ToolResults(results))


def _outcome(reply: ModelReply, *, may_be_silent: bool) -> Outcome:
    """What a reply without calls comes to. A text cut short by its length is no answer."""
    if reply.stop is Stop.REFUSAL:
        return Declined()
    if reply.stop is not Stop.END:
        return Failed("cut_short")
    return Answered(reply.text) if reply.text.strip() or may_be_silent else Failed("empty_answer")


def _closing(reply: ModelReply) -> Outcome:
    """What the model says of what it prepared. The service's own words stand under it, and for it where it says
    nothing that can be shown: what is prepared is there either way."""
    if reply.stop is Stop.REFUSAL:
        return Declined()
    return Answered(reply.text if reply.stop is Stop.END else "")


def _renewed(messages: tuple[Message, ...], ran: Ran, *, earlier: int) -> tuple[Message, ...]:
    """The messages with what is our own text as it is sent from now on: the first, which are history, and results."""
    history = messages[:earlier] if ran.history is None else ran.history
    assert len(history) == earlier
    return (*history, *(_result_renewed(message, ran.anew) for message in messages[earlier:]))


def _result_renewed(message: Message, anew: Mapping[str, str]) -> Message:
    if not isinstance(message, ToolResults):
        return message
    return ToolResults(tuple(replace(each, content=anew.get(each.call_id, each.content)) for each in message.results))


def _surplus(call: ToolCall) -> ToolResult:
    return ToolResult(call.id, f"Not run: at most {MAX_CALLS_PER_STEP} calls in one reply.", is_error=True)
