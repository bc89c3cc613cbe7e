"""What a step found is noted, written beside the event loop, and masked anew when somebody it names is met."""

import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace

from assist_service.domain.looked_up import Miss
from assist_service.domain.messages import ToolCall
from assist_service.domain.policy import Disclosure
from assist_service.domain.records import Found, FreeText, Record, Someone, Titled
from assist_service.tools.catalog import TOOLS
from assist_service.tools.tool import Desk, Family, Said
from tests.unit.test_toolbox import Nothing, Numbered, bench, one, tool


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
