"""The loop of a question ends, with an outcome of a closed set and a well-formed history, whatever the model says."""

import pytest

from assist_service.domain.loop import (
    MAX_CALLS_PER_STEP,
    Answered,
    AskedBack,
    Declined,
    Ending,
    Failed,
    LookedUp,
    Outcome,
    Rejected,
    RunTools,
    turn,
)
from assist_service.domain.messages import (
    AssistantText,
    ModelReply,
    Stop,
    ToolCall,
    ToolResults,
    UserText,
)
from tests.unit.driven_turn import Driven, call, lookups_rule, reply, started


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


@pytest.mark.parametrize("ending", [Declined(), AskedBack("Which one?"), LookedUp(())])
def test_a_tool_that_ends_the_question_ends_it(ending: Ending) -> None:
    driven = started()
    driven.say(reply(Stop.TOOLS, call("a")))
    driven.run(ending)
    assert driven.outcome is ending
    assert len(driven.asked) == 1


REJECTED = {
    "an unknown tool": ("delete_everything",),
    "four calls": ("query_classes",) * 4,
    "the manual beside a lookup": ("query_classes", "read_guide"),
}


@pytest.mark.parametrize("names", REJECTED.values(), ids=REJECTED)
def test_a_reply_that_is_rejected_ends_the_question_and_none_of_its_calls_runs(names: tuple[str, ...]) -> None:
    driven = started(rejects=lookups_rule)
    driven.say(reply(Stop.TOOLS, *(call(str(number), name) for number, name in enumerate(names))))
    assert driven.outcome == Rejected()
    assert (driven.ran, len(driven.asked)) == ([], 1)
    later = started(rejects=lookups_rule)
    later.say(reply(Stop.TOOLS, call("first")))
    later.run()
    later.say(reply(Stop.TOOLS, *(call(str(number), name) for number, name in enumerate(names))))
    assert later.outcome == Rejected()
    assert later.ran == ["first"]


@pytest.mark.parametrize("names", REJECTED.values(), ids=REJECTED)
def test_the_same_reply_runs_where_no_rule_rejects_it(names: tuple[str, ...]) -> None:
    driven = started()
    driven.say(reply(Stop.TOOLS, *(call(str(number), name) for number, name in enumerate(names))))
    driven.run()
    assert len(driven.ran) == len(names)


@pytest.mark.parametrize("stop", [stop for stop in Stop if stop is not Stop.TOOLS])
def test_calls_that_would_not_run_anyway_reject_nothing(stop: Stop) -> None:
    driven = started(rejects=lookups_rule)
    driven.say(reply(stop, call("a", "delete_everything"), text="Done."))
    assert not isinstance(driven.outcome, Rejected)


def test_on_the_last_request_a_call_fails_before_it_is_rejected() -> None:
    driven = started(max_requests=1, rejects=lookups_rule)
    driven.say(reply(Stop.TOOLS, call("a", "delete_everything")))
    assert driven.outcome == Failed("call_on_last_request")


def test_malformed_calls_fail_before_they_are_rejected() -> None:
    driven = started(rejects=lookups_rule)
    driven.say(reply(Stop.TOOLS, call("a", "delete_everything"), call("a")))
    assert driven.outcome == Failed("malformed_calls")


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
