"""What a step with lookups brought and left: only what was looked up is listed as sent, and only the lookup was run."""

from dataclasses import replace

import pytest

from assist_service.domain.live.finding import Finding, Looked, Unclear
from assist_service.domain.live.query import Lookup, Operation, RecordKind
from assist_service.domain.looked_up import Miss
from assist_service.domain.loop import LookedUp
from assist_service.domain.messages import JsonObject, ToolCall
from assist_service.domain.policy import Disclosure
from assist_service.domain.records import Found
from assist_service.services.bench import BESIDE, Bench
from assist_service.tools.tool import Desk, Family, Said
from tests.unit.benches import Nothing, Numbered, bench, tool
from tests.unit.live_findings import query

CLASSES = query(Lookup.CLASSES, Operation.LIST)
FOUND = Finding(CLASSES)
SILENT = Said("no", is_error=True, miss=Miss.SILENT)

COUNTED = ToolCall("a", "query_classes", {})


def sealed(*answers: Looked | Said) -> Bench:
    """A bench with a lookup that answers so one after the other, and a data tool that finds nothing."""
    left = list(answers)

    async def look_up(_: Nothing, __: Desk) -> Looked | Said:
        return left.pop(0)

    async def look(_: Numbered, __: Desk) -> Found:
        return Found([])

    lookup = replace(tool("query_classes", look_up), family=Family.LIVE)
    at = bench(lookup, replace(tool("look", look, arguments=Numbered), family=Family.DATA))
    disclosures = {"query_classes": Disclosure.SEALED, "look": Disclosure.MASKED}
    return replace(at, toolbox=replace(at.toolbox, disclosures=disclosures))


def missing(at: Bench) -> set[Miss]:
    return set(at.look_ups.outcome.missing)


async def test_a_lookup_that_brought_nothing_for_a_fault_of_the_lms_is_not_sent() -> None:
    at = sealed(SILENT)
    assert (await at.run([COUNTED])).ending == LookedUp(())
    assert (at.sent, missing(at)) == ([], {Miss.SILENT})


async def test_each_that_found_or_asks_back_is_sent() -> None:
    unclear = Unclear(CLASSES, RecordKind.CLASS, ())
    at = sealed(FOUND, SILENT, unclear)
    assert (await at.run([COUNTED] * 3)).ending == LookedUp((FOUND, unclear))
    assert [(each.tool, each.disclosure) for each in at.sent] == [("query_classes", Disclosure.SEALED)] * 2


BESIDE_IT: dict[str, JsonObject] = {"one that fits": {"number": 1}, "one that does not": {"number": "x"}}


@pytest.mark.parametrize("arguments", BESIDE_IT.values(), ids=BESIDE_IT)
async def test_what_was_not_run_beside_a_lookup_is_missing_as_such(arguments: JsonObject) -> None:
    at = sealed(FOUND)
    assert (await at.run([COUNTED, ToolCall("b", "look", arguments)])).ending == LookedUp((FOUND,))
    assert missing(at) == {Miss.BESIDE}
    assert [each.tool for each in at.sent] == ["query_classes"]


async def test_beside_a_lookup_that_did_not_fit_either_it_is_a_mistake_that_a_later_step_makes_up_for() -> None:
    at = sealed(FOUND)
    ran = await at.run([ToolCall("a", "query_classes", {"no": "such"}), ToolCall("b", "look", {"number": 1})])
    assert (ran.ending, ran.results[1].content) == (None, BESIDE)
    assert missing(at) == {Miss.UNDONE}
    await at.run([ToolCall("c", "look", {"number": 2})])
    await at.run([COUNTED])
    assert missing(at) == set()
