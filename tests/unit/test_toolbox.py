"""Calls are checked again at the call, run together, answered in order and within bounds, and noted when they read."""

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assist_service.domain.loop import AskedBack, Declined, Ran
from assist_service.domain.manual import NAME_CHARACTERS
from assist_service.domain.messages import ToolCall, ToolResult
from assist_service.domain.policy import Disclosure
from assist_service.domain.reply import Sent
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import RESULT_CHARACTERS, Desk, Said
from tests.unit.benches import READ, Nothing, Numbered, bench, one, tool


@pytest.mark.parametrize("name", ["no_such_tool", "", "READ_GUIDE", "read_guide ", "run", "__class__"])
async def test_an_unknown_tool_is_answered_with_the_names_there_are(name: str) -> None:
    at = bench()
    assert await one(at, name, READ) == ToolResult(
        "a", f"There is no such tool. Those there are: {', '.join(sorted(TOOLS))}", is_error=True
    )
    assert at.sent == []


def nested(levels: int) -> list[Any]:
    return [nested(levels - 1)] if levels else []


UNFIT: dict[str, tuple[str, dict[str, Any] | None, str]] = {
    "no arguments at all": ("read_guide", None, "arguments: model_type"),
    "nothing for decline": ("decline", None, "arguments: model_type"),
    "a page missing": ("read_guide", {}, "page: missing"),
    "a page that is a number": ("read_guide", {"page": 7}, "page: string_type"),
    "a page that is null": ("read_guide", {"page": None}, "page: string_type"),
    "a page that is a list": ("read_guide", {"page": ["teacher/pools"]}, "page: string_type"),
    "an empty page": ("read_guide", {"page": ""}, "page: string_too_short"),
    "a page too long": ("read_guide", {"page": "x" * (NAME_CHARACTERS + 1)}, "page: string_too_long"),
    "a section that is a number": ("read_guide", {"page": "x", "section": 1}, "section: string_type"),
    "a section too long": (
        "read_guide",
        {"page": "x", "section": "x" * (NAME_CHARACTERS + 1)},
        "section: string_too_long",
    ),
    "a person": ("read_guide", {"page": "x", "person": "anne"}, "(another): extra_forbidden"),
    "an audience": ("read_guide", {"page": "x", "audiences": ["administrator:full"]}, "(another): extra_forbidden"),
    "words for decline": ("decline", {"text": "No!"}, "(another): extra_forbidden"),
    "a number that is none": ("ask_back", {"text": float("nan")}, "arguments: holds a number that is none"),
    "a lone surrogate": ("ask_back", {"text": "\ud800"}, "arguments: holds a lone surrogate"),
    "nested too deep": ("read_guide", {"page": nested(32)}, "arguments: is nested too deeply"),
    "nested out of reason": ("read_guide", {"page": nested(900)}, "arguments: is nested too deeply"),
    "no end of a number": ("create_question", {"config": {"answer": float("inf")}}, "holds a number that is none"),
    "a number too long to write": ("create_question", {"config": {"answer": 10**5_000}}, "arguments: are no JSON"),
    "what no JSON has": ("create_question", {"config": {"answer": b"2"}}, "arguments: are no JSON"),
    "two keys for one": ("create_question", {"config": {"a": 1, "a\u200b": 2}}, "arguments: two keys are the same"),
}


@pytest.mark.parametrize(("name", "arguments", "told"), UNFIT.values(), ids=UNFIT)
async def test_arguments_that_do_not_fit_run_nothing(name: str, arguments: dict[str, Any] | None, told: str) -> None:
    at = bench()
    result = await one(at, name, arguments)
    assert result.is_error
    assert result.content.startswith("Not run, the arguments do not fit: ")
    assert told in result.content
    assert at.sent == []
    assert at.desk.given.section("s1") is None


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


wanted = st.builds(
    ToolCall,
    st.uuids().map(str),
    st.sampled_from(tuple(TOOLS)) | st.text(max_size=10),
    st.none()
    | st.dictionaries(st.sampled_from(("page", "section", "text", "x")), json_values, max_size=3)
    | st.fixed_dictionaries({"page": st.sampled_from(("teacher/pools", "x"))}),
)


@pytest.mark.slow
def test_whatever_is_called_each_call_has_its_result_or_the_question_ends() -> None:
    with asyncio.Runner() as runner:

        @given(calls=st.lists(wanted, min_size=1, max_size=8, unique_by=lambda call: call.id))
        @settings(max_examples=150, deadline=None)
        def check(calls: list[ToolCall]) -> None:
            ran = runner.run(bench().run(calls))
            if ran.ending is None:
                assert [result.call_id for result in ran.results] == [call.id for call in calls]
            assert all(0 < len(result.content) <= RESULT_CHARACTERS for result in ran.results)

        check()


@pytest.mark.parametrize("number", ["1", True, 1.5, -1, None, [1], 10**400])
async def test_an_argument_is_of_its_type_or_the_call_does_not_run(number: object) -> None:
    ran: list[int] = []

    async def note(arguments: Numbered, _: Desk) -> Said:
        ran.append(arguments.number)
        return Said("done")

    at = bench(tool("note", note, arguments=Numbered))
    assert (await one(at, "note", {"number": number})).is_error is (ran == [])
    assert ran in ([], [10**400])


async def test_results_stand_in_the_order_of_the_calls_however_the_tools_end() -> None:
    turns = [asyncio.Event() for _ in range(4)]

    async def wait(arguments: Numbered, _: Desk) -> Said:
        """Each waits for the one behind it: they end in the wrong order, and only if all run at once."""
        if arguments.number < 3:
            await turns[arguments.number + 1].wait()
        turns[arguments.number].set()
        return Said(str(arguments.number))

    at = bench(tool("wait", wait, arguments=Numbered))
    async with asyncio.timeout(5):
        ran = await at.run([ToolCall(f"c{number}", "wait", {"number": number}) for number in range(4)])
    assert [(result.call_id, result.content) for result in ran.results] == [(f"c{n}", str(n)) for n in range(4)]


async def test_the_first_call_that_ends_the_question_ends_it() -> None:
    at = bench()
    ran = await at.run(
        [
            ToolCall("a", "read_guide", READ),
            ToolCall("b", "ask_back", {"text": "Which?"}),
            ToolCall("c", "decline", {}),
        ]
    )
    assert ran.ending == AskedBack("Which?")
    assert at.sent == [], "no provider reads what came beside it"
    assert (await at.run([ToolCall("d", "decline", {})])).ending == Declined()


RESULTS: dict[str, tuple[str, str]] = {
    "as it is": ("Press New.", "Press New."),
    "just within": ("x" * RESULT_CHARACTERS, "x" * RESULT_CHARACTERS),
    "nothing": ("", "(nothing)"),
    "nothing to see": ("\u200b\U000e0041", "(nothing)"),
    "hidden words": ("Press\u202e New\U000e0041.", "Press New."),
}


@pytest.mark.parametrize(("text", "content"), RESULTS.values(), ids=RESULTS)
async def test_a_result_is_visible_and_never_empty(text: str, content: str) -> None:
    async def say(_: Nothing, __: Desk) -> Said:
        return Said(text)

    assert (await one(bench(tool("say", say)), "say", {})).content == content


@pytest.mark.parametrize("is_error", [True, False])
async def test_a_result_is_cut_with_a_word_on_how_to_go_on(is_error: bool) -> None:
    async def say(_: Nothing, __: Desk) -> Said:
        return Said("x" * (RESULT_CHARACTERS + 1), is_error)

    result = await one(bench(tool("say", say)), "say", {})
    assert len(result.content) == RESULT_CHARACTERS
    assert result.content.endswith("\n[Cut here: narrow your request.]")
    assert result.is_error is is_error


@pytest.mark.parametrize("disclosure", [Disclosure.OPEN, Disclosure.MASKED])
async def test_what_was_read_is_noted_in_the_form_it_was_read_in(disclosure: Disclosure) -> None:
    at = bench(disclosure=disclosure)
    await one(at, "read_guide", READ)
    assert at.sent == [Sent(tool="read_guide", disclosure=disclosure)]


async def test_nothing_is_noted_of_what_read_nothing() -> None:
    at = bench()
    await one(at, "read_guide", {"page": "no-such-page"})
    await one(at, "read_guide", {"page": 7})
    await one(at, "ask_back", {"text": "https://x"})
    await at.run([ToolCall("b", "ask_back", {"text": "Which?"}), ToolCall("c", "decline", {})])
    assert at.sent == []


async def test_a_step_without_an_ending_has_none() -> None:
    assert await bench().run([ToolCall("a", "decline", {"x": 1})]) == Ran(
        (ToolResult("a", "Not run, the arguments do not fit: (another): extra_forbidden", is_error=True),)
    )
