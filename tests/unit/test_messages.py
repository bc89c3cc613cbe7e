"""What makes a history ill formed, fault by fault; the gateway sends none that has one."""

import pytest

from assist_service.domain.messages import (
    AssistantText,
    AssistantTurn,
    Message,
    ToolCall,
    ToolResult,
    ToolResults,
    Usage,
    UserText,
    faults_of,
)

ASKED = UserText("How?")
SAID = AssistantText("So.")


def turn(*ids: str) -> AssistantTurn:
    return AssistantTurn([{"type": "tool_use"}], "", tuple(ToolCall(each, "read_guide", {}) for each in ids))


def results(*ids: str, content: str = "text") -> ToolResults:
    return ToolResults(tuple(ToolResult(each, content) for each in ids))


WELL_FORMED: dict[str, tuple[Message, ...]] = {
    "a question": (ASKED,),
    "a question after an answer": (ASKED, SAID, ASKED),
    "a call and its result": (ASKED, turn("a"), results("a")),
    "two steps": (ASKED, turn("a", "b"), results("a", "b"), turn("c"), results("c")),
    "steps after an earlier answer": (ASKED, SAID, ASKED, turn("a"), results("a")),
}


@pytest.mark.parametrize("history", WELL_FORMED.values(), ids=WELL_FORMED)
def test_a_well_formed_history_has_no_fault(history: tuple[Message, ...]) -> None:
    assert faults_of(history) == []


ILL_FORMED: dict[str, tuple[tuple[Message, ...], str]] = {
    "nothing at all": ((), "the last message is not the person's or a result"),
    "the assistant begins": ((SAID, ASKED), "message 0: assistant speaks twice"),
    "the person twice": ((ASKED, ASKED), "message 1: user speaks twice"),
    "the assistant twice": ((ASKED, SAID, SAID, ASKED), "message 2: assistant speaks twice"),
    "the assistant last": ((ASKED, SAID), "the last message is not the person's or a result"),
    "a call last": ((ASKED, turn("a")), "the last message is not the person's or a result"),
    "an empty question": ((UserText(" \n"),), "message 0: empty text"),
    "an empty answer": ((ASKED, AssistantText(""), ASKED), "message 1: empty text"),
    "a turn without calls": ((ASKED, turn(), results()), "message 1: a turn without calls"),
    "a call without an id": ((ASKED, turn(""), results("")), "message 1: a call without an id"),
    "an id twice in a turn": ((ASKED, turn("a", "a"), results("a", "a")), "message 1: a call id twice"),
    "an id of an earlier turn": (
        (ASKED, turn("a"), results("a"), turn("a"), results("a")),
        "message 3: a call id twice",
    ),
    "a call left open": ((ASKED, turn("a"), ASKED), "message 2: calls left without a result"),
    "a result too few": ((ASKED, turn("a", "b"), results("a")), "message 2: results do not match the calls"),
    "a result too many": ((ASKED, turn("a"), results("a", "b")), "message 2: results do not match the calls"),
    "a result twice": ((ASKED, turn("a"), results("a", "a")), "message 2: results do not match the calls"),
    "results in another order": (
        (ASKED, turn("a", "b"), results("b", "a")),
        "message 2: results do not match the calls",
    ),
    "results of no call": ((ASKED, SAID, results("a")), "message 2: results do not match the calls"),
    "results of nothing": ((results(),), "message 0: results do not match the calls"),
    "an empty result": ((ASKED, turn("a"), results("a", content="")), "message 2: an empty result"),
}


@pytest.mark.parametrize(("history", "fault"), ILL_FORMED.values(), ids=ILL_FORMED)
def test_an_ill_formed_history_is_told_by_its_fault(history: tuple[Message, ...], fault: str) -> None:
    assert fault in faults_of(history)


def test_every_fault_of_a_history_is_named() -> None:
    assert len(faults_of((SAID, turn("a", "a"), UserText(""), SAID))) == 6


def test_all_input_tokens_are_the_three_kinds_together() -> None:
    assert Usage(1, 20, 300, 4000).all_input_tokens == 321
