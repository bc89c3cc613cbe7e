"""What a step found is noted, written beside the event loop, and masked anew when somebody it names is met."""

import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from assist_service.domain.looked_up import Miss
from assist_service.domain.loop import AskedBack
from assist_service.domain.messages import ToolCall
from assist_service.domain.policy import Disclosure
from assist_service.domain.records import Found, FreeText, Record, Someone, Titled
from assist_service.services.bench import Bench
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import RESULT_CHARACTERS, Desk, Family, Said
from tests.unit.benches import Nothing, Numbered, bench, one, tool


def looking(answer: Callable[[int], Said | Found]) -> Bench:
    """A bench with one data tool, which answers so to a number, beside the tools that are none."""

    async def look(arguments: Numbered, _: Desk) -> Said | Found:
        return answer(arguments.number)

    data = replace(tool("look", look, arguments=Numbered), family=Family.DATA)
    return bench(data, *(each for each in TOOLS.values() if each.family is not Family.DATA))


def look(number: object, call: str | None = None) -> ToolCall:
    return ToolCall(call or f"look-{number}", "look", {"number": number})


def missing(at: Bench) -> set[Miss]:
    return set(at.look_ups.outcome.missing)


async def test_what_of_the_data_is_missing_is_known_by_tool_and_arguments() -> None:
    answers: list[Said | Found] = [Said("no", is_error=True, miss=Miss.SILENT), Found([]), Said("no", is_error=True)]

    async def look(_: Numbered, __: Desk) -> Said | Found:
        return answers.pop(0)

    data = replace(tool("look", look, arguments=Numbered), family=Family.DATA)
    at = bench(data, *(each for each in TOOLS.values() if each.family is not Family.DATA))
    seen = []
    for arguments in ({"number": 1}, {"number": 1}, {"number": 2}, {"number": "x"}):
        await one(at, "look", arguments)
        await one(at, "read_guide", {"page": "no-such-page"})
        seen.append((at.look_ups.outcome.found, list(at.look_ups.outcome.missing)))
    assert seen == [(False, [Miss.SILENT]), (True, []), (True, [Miss.UNDONE]), (True, [Miss.UNDONE])]


async def test_results_are_written_beside_the_event_loop() -> None:
    written: list[int] = []

    class Noting(list[Record]):
        """Records that note who reads them."""

        def __iter__(self) -> Iterator[Record]:
            written.append(threading.get_ident())
            return super().__iter__()

    async def look(_: Nothing, __: Desk) -> Found:
        return Found(Noting([{"title": Titled("Pools")}]))

    assert (await one(bench(tool("look", look)), "look", {})).content == '{"title":"Pools"}'
    assert written
    assert threading.get_ident() not in written


async def test_earlier_results_are_masked_anew_when_somebody_they_name_is_met() -> None:
    ana = Someone(uuid.uuid5(uuid.NAMESPACE_OID, "ana"), "Ana Lima")
    titles = Found([{"title": Titled("Retake\nof ana lima")}, {"text": FreeText("For:\nAna Lima")}])

    async def look(_: Nothing, __: Desk) -> Found:
        return titles

    async def meet_ana(_: Nothing, __: Desk) -> Found:
        return Found([{"student": ana}])

    at = bench(tool("titles", look), tool("people", meet_ana))
    at = replace(at, toolbox=replace(at.toolbox, disclosures={"titles": Disclosure.OPEN, "people": Disclosure.MASKED}))
    first = await at.run([ToolCall("a", "titles", {})])
    assert (first.anew, "ana lima" in first.results[0].content) == ({}, True)
    second = await at.run([ToolCall("b", "people", {}), ToolCall("c", "titles", {})])
    assert second.anew == {"a": second.results[1].content}
    assert "lima" not in second.anew["a"].casefold()
    assert (await at.run([ToolCall("d", "people", {}), ToolCall("e", "titles", {})])).anew == {}, "nobody new is met"


SURPLUS = {
    "a look-up": (look(2), {Miss.UNDONE}),
    "one that was run beside it": (look(1, "again"), set()),
    "one that does not fit": (look("two"), {Miss.UNDONE}),
    "another tool": (ToolCall("c", "read_guide", {"page": "x"}), set()),
    "no tool": (ToolCall("c", "look_up", {"number": 2}), set()),
}


@pytest.mark.parametrize(("surplus", "noted"), SURPLUS.values(), ids=SURPLUS)
async def test_a_look_up_too_many_is_noted_until_a_later_step_runs_it(surplus: ToolCall, noted: set[Miss]) -> None:
    at = looking(lambda _: Found([]))
    assert len((await at.run([look(1)], [surplus])).results) == 1
    assert missing(at) == noted
    await at.run([look(2, "later")])
    assert missing(at) == set()


async def test_beside_a_question_back_only_what_failed_is_noted() -> None:
    silent = Said("no", is_error=True, miss=Miss.SILENT)
    at = looking(lambda _: silent)
    asking = ToolCall("back", "ask_back", {"text": "Which?"})
    assert (await at.run([look(1), asking], [look(2)])).ending == AskedBack("Which?")
    assert missing(at) == {Miss.SILENT, Miss.UNDONE}
    at = looking(lambda _: Found([]))
    await at.run([look(1), asking])
    assert not at.look_ups.outcome.found, "nobody has read it"


TITLE = "x" * 180
LONG = Found([{"title": Titled(TITLE)}] * (RESULT_CHARACTERS // len(TITLE) + 1))


@pytest.mark.parametrize("cut", [Found([{"title": Titled("Pools")}], is_cut=True), LONG], ids=["by the LMS", "by us"])
async def test_a_list_that_was_cut_is_noted(cut: Found) -> None:
    at = looking(lambda number: cut if number == 1 else Found([{"title": Titled("[Cut here: narrow your request.]")}]))
    await at.run([look(2)])
    assert missing(at) == set()
    await at.run([look(1)])
    assert (at.look_ups.outcome.found, missing(at)) == (True, {Miss.CUT})


async def test_a_list_that_is_cut_when_names_are_hidden_in_it_is_noted() -> None:
    titles = Found([{"title": Titled("Bo Li " * 30)}] * 120)

    async def meet_bo(_: Nothing, __: Desk) -> Found:
        return Found([{"student": Someone(uuid.uuid5(uuid.NAMESPACE_OID, "bo"), "Bo Li")}])

    at = looking(lambda _: titles)
    held = {**at.toolbox.tools, "people": tool("people", meet_bo)}
    forms = dict.fromkeys(held, Disclosure.OPEN) | {"people": Disclosure.MASKED}
    at = replace(at, toolbox=replace(at.toolbox, tools=held, disclosures=forms))
    await at.run([look(1)])
    assert missing(at) == set()
    await at.run([ToolCall("b", "people", {})])
    assert missing(at) == {Miss.CUT}
