"""The loop of a question ends, with an outcome of a closed set and a well-formed history, whatever the model says."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from assist_service.domain.loop import (
    MAX_CALLS_PER_STEP,
    Answered,
    AskedBack,
    AskModel,
    Declined,
    Ending,
    Failed,
    Outcome,
    Ran,
    RunTools,
    Turn,
    turn,
)
from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    JsonObject,
    Message,
    ModelReply,
    Stop,
    ToolCall,
    ToolResult,
    ToolResults,
    UserText,
    faults_of,
)

REASONS = {"call_on_last_request", "malformed_calls", "no_request_left", "cut_short", "empty_answer"}

NAMES = ("read_guide", "decline", "ask_back", "delete_everything", "")


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

    def start(self) -> None:
        self._take(lambda: next(self.loop))

    def say(self, said: ModelReply) -> None:
        """The model replies; its native blocks are kept as they were, to compare."""
        self.replies.append((said, copy.deepcopy(list(said.native))))
        self._take(lambda: self.loop.send(said))
        if isinstance(self.step, RunTools):
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


said_text = st.text(max_size=30) | st.sampled_from(("", " \n", "An answer [s1].", "<script>"))
arguments = st.none() | st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=2)
few_ids = st.sampled_from(("a", "b", "c", "d", ""))
many_ids = st.integers(0, 10**9).map(str)


def _calls(ids: st.SearchStrategy[str], *, unique: bool) -> st.SearchStrategy[list[ToolCall]]:
    each = st.builds(ToolCall, ids, st.sampled_from(NAMES), arguments)
    return st.lists(each, max_size=30, unique_by=(lambda made: made.id) if unique else None)


calls = _calls(many_ids, unique=True) | _calls(few_ids, unique=False)
stops = st.sampled_from((Stop.TOOLS, Stop.TOOLS, Stop.TOOLS, *Stop))
blocks = st.lists(
    st.fixed_dictionaries({"type": st.sampled_from(("thinking", "text", "tool_use")), "data": st.text(max_size=10)}),
    max_size=3,
)
replies = st.builds(
    lambda stop, text, made, native: reply(stop, *made, text=text, native=native), stops, said_text, calls, blocks
)
nothing_blank = st.text(min_size=1, max_size=10).filter(str.strip)
pairs = st.lists(st.tuples(nothing_blank.map(UserText), nothing_blank.map(AssistantText)), max_size=3)
endings = st.none() | st.none() | st.just(Declined()) | st.builds(AskedBack, st.text(max_size=5))


class HostileModel(RuleBasedStateMachine):
    """A model that says anything at any step, and tools that may end the question."""

    def __init__(self) -> None:
        super().__init__()
        self.driven: Driven | None = None

    @precondition(lambda self: self.driven is None)
    @rule(history=pairs, question=nothing_blank, max_requests=st.integers(1, 6))
    def ask(self, history: list[tuple[Message, Message]], question: str, max_requests: int) -> None:
        messages = [message for pair in history for message in pair]
        self.driven = Driven(turn(messages, question, max_requests=max_requests), max_requests)
        self.driven.start()

    @precondition(lambda self: self.driven is not None and isinstance(self.driven.step, AskModel))
    @rule(said=replies)
    def answer(self, said: ModelReply) -> None:
        assert self.driven is not None
        self.driven.say(said)

    @precondition(lambda self: self.driven is not None and isinstance(self.driven.step, RunTools))
    @rule(ending=endings, has_acted=st.booleans(), has_prepared=st.integers(0, 3).map(lambda drawn: drawn == 0))
    def run(self, ending: Ending | None, has_acted: bool, has_prepared: bool) -> None:
        assert self.driven is not None
        self.driven.run(ending, has_acted=has_acted, has_prepared=has_prepared)

    @precondition(lambda self: self.driven is not None and self.driven.outcome is not None)
    @rule()
    def begin_anew(self) -> None:
        assert self.driven is not None
        event(type(self.driven.outcome).__name__)
        self.driven = None


HostileModel.TestCase.settings = settings(max_examples=120, stateful_step_count=20, deadline=None)
TestHostileModel = HostileModel.TestCase


@given(max_requests=st.integers(1, 6), made=st.lists(calls, min_size=6, max_size=6))
@settings(max_examples=80, deadline=None)
def test_a_model_that_calls_for_ever_is_asked_no_more_than_it_may_be(
    max_requests: int, made: list[list[ToolCall]]
) -> None:
    driven = Driven(turn((), "How?", max_requests=max_requests), max_requests)
    driven.start()
    for wanted in made:
        if driven.step is None:
            break
        driven.say(reply(Stop.TOOLS, *wanted))
        if isinstance(driven.step, RunTools):
            driven.run()
    assert isinstance(driven.outcome, Failed)


def started(*, max_requests: int = 3) -> Driven:
    driven = Driven(turn((), "How?", max_requests=max_requests), max_requests)
    driven.start()
    return driven


def test_the_last_request_may_not_call_and_a_call_there_does_not_run() -> None:
    driven = started(max_requests=2)
    driven.say(reply(Stop.TOOLS, call("a")))
    driven.run()
    assert [step.may_call for step in driven.asked] == [True, False]
    driven.say(reply(Stop.TOOLS, call("b")))
    assert driven.outcome == Failed("call_on_last_request")
    assert driven.ran == ["a"]


@pytest.mark.parametrize("stop", [stop for stop in Stop if stop is not Stop.TOOLS])
def test_a_call_on_any_other_stop_never_runs(stop: Stop) -> None:
    driven = started()
    driven.say(reply(stop, call("a"), text="Done."))
    assert driven.ran == []
    assert driven.outcome is not None


@pytest.mark.parametrize(
    "wanted",
    [(), (call("a"), call("a")), (call(""),), (call("a"), call("b"), call("a"))],
    ids=["no call", "an id twice", "an id that is empty", "an id again"],
)
def test_malformed_calls_end_the_question(wanted: tuple[ToolCall, ...]) -> None:
    driven = started()
    driven.say(reply(Stop.TOOLS, *wanted))
    assert driven.outcome == Failed("malformed_calls")


def test_an_id_of_an_earlier_step_ends_the_question() -> None:
    driven = started()
    driven.say(reply(Stop.TOOLS, call("a")))
    driven.run()
    driven.say(reply(Stop.TOOLS, call("b"), call("a")))
    assert driven.outcome == Failed("malformed_calls")
    assert driven.ran == ["a"]


def test_surplus_calls_are_answered_with_an_error_and_not_run() -> None:
    wanted = [call(str(number)) for number in range(MAX_CALLS_PER_STEP + 3)]
    driven = started()
    driven.say(reply(Stop.TOOLS, *wanted))
    assert isinstance(driven.step, RunTools)
    driven.run()
    assert len(driven.ran) == MAX_CALLS_PER_STEP
    results = driven.asked[-1].messages[-1]
    assert isinstance(results, ToolResults)
    assert [result.is_error for result in results.results] == [False] * MAX_CALLS_PER_STEP + [True] * 3


OUTCOMES: dict[str, tuple[ModelReply, Outcome]] = {
    "words": (reply(Stop.END, text="Press New."), Answered("Press New.")),
    "no words": (reply(Stop.END, text=" \n "), Failed("empty_answer")),
    "cut by its length": (reply(Stop.LENGTH, text="Press"), Failed("cut_short")),
    "a provider's refusal": (reply(Stop.REFUSAL, text="I will not."), Declined()),
}


@pytest.mark.parametrize(("said", "outcome"), OUTCOMES.values(), ids=OUTCOMES)
def test_what_a_reply_without_calls_comes_to(said: ModelReply, outcome: Outcome) -> None:
    driven = started()
    driven.say(said)
    assert driven.outcome == outcome


@pytest.mark.parametrize("ending", [Declined(), AskedBack("Which one?")])
def test_a_tool_that_ends_the_question_ends_it(ending: Ending) -> None:
    driven = started()
    driven.say(reply(Stop.TOOLS, call("a")))
    driven.run(ending)
    assert driven.outcome is ending
    assert len(driven.asked) == 1


def test_the_question_follows_the_history() -> None:
    history = (UserText("Before?"), AssistantText("Yes."))
    driven = Driven(turn(history, "And now?", max_requests=1), 1)
    driven.start()
    assert driven.asked[0].messages == (*history, UserText("And now?"))
    assert driven.asked[0].may_call is False


def _after_a_step(*, has_acted: bool = False, has_prepared: bool = False) -> Driven:
    driven = Driven(turn((), "Do it.", max_requests=6), 6)
    driven.start()
    driven.say(reply(Stop.TOOLS, call("a")))
    driven.run(has_acted=has_acted, has_prepared=has_prepared)
    return driven


CLOSINGS = {
    "words": (reply(Stop.END, text="It waits for you."), Answered("It waits for you.")),
    "nothing": (reply(Stop.END), Answered("")),
    "cut words": (reply(Stop.LENGTH, text="It wai"), Answered("")),
    "one more call": (reply(Stop.TOOLS, call("b"), text="And now"), Answered("")),
    "a refusal": (reply(Stop.REFUSAL, text="No."), Declined()),
}


@pytest.mark.parametrize(("said", "outcome"), CLOSINGS.values(), ids=CLOSINGS)
def test_after_something_was_prepared_one_more_reply_ends_the_question_and_nothing_it_calls_runs(
    said: ModelReply, outcome: Outcome
) -> None:
    driven = _after_a_step(has_prepared=True)
    assert not driven.asked[-1].may_call
    driven.say(said)
    assert driven.outcome == outcome
    assert driven.ran == ["a"]


def test_a_model_that_acted_need_not_say_anything() -> None:
    acted, idle = _after_a_step(has_acted=True), _after_a_step()
    for driven in (acted, idle):
        driven.say(reply(Stop.END, text=" "))
    assert acted.outcome == Answered(" ")
    assert idle.outcome == Failed("empty_answer")


def test_results_masked_anew_are_sent_so_from_then_on_and_nothing_else_changes() -> None:
    driven = started(max_requests=6)
    for step, anew in (("a", {}), ("b", {"a": "Retake of Person-1", "z": "Nobody asked."}), ("c", {})):
        driven.say(reply(Stop.TOOLS, call(step), text=f"Looking at {step}."))
        driven.run(anew=anew)
    assert driven.asked[3].messages[:5] == driven.asked[2].messages
    sent = [message.results[0].content for message in driven.asked[3].messages if isinstance(message, ToolResults)]
    assert sent == ["Retake of Person-1", "result of b", "result of c"]
