"""Choices over HTTP: without a budget or a provider, of a role that is no more, on and on, and moderated here."""

from typing import Any

import asyncpg
import pytest

from assist_service.domain.live.query import Lookup, Operation, Query, RecordKind
from assist_service.domain.messages import ProviderFault, ProviderFaultKind
from tests.fakes.house import TEACHER
from tests.fakes.models import ScriptedModel, calls
from tests.fakes.moderation_wire import ModerationWire
from tests.fakes.serving import serve
from tests.web.choosing import (
    EVERY_LOOKUP,
    UNBOUND,
    begun,
    calls_paid,
    choice,
    choose,
    choosing_house,
    class_id,
    students_of,
    told_apart,
)
from tests.web.live_questions import STANDING, asked_of_lms, inject, reads_of_lms, screen
from tests.web.moderated import house_moderated_at
from tests.web.school_policy import SCHOOL
from tests.web.streamed import EVENTS

pytestmark = pytest.mark.slow

LOOKS_UP = calls(("query_classes", {"operation": "list"}))
CANARY = "canaryword"


def looks_up(_: object) -> Any:
    """As often as it is asked."""
    return calls(("query_classes", {"operation": "list"}))


async def test_a_choice_needs_neither_a_budget_nor_a_provider(database_url: str, pool: asyncpg.Pool) -> None:
    down = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="status_400")
    model = ScriptedModel(LOOKS_UP, down)
    async with choosing_house(database_url, provider=model) as house:
        mine = await begun(house)
        failed = await house.ask("And now?", conversation_id=mine)
        assert (failed.status_code, failed.json()["code"]) == (503, "llm_unavailable")
        assert (await choose(house, mine, choice(house, mine))).status_code == 200
        await pool.execute("UPDATE llm_days SET spent_micros = 1e15, chat_spent_micros = 1e15")
        house.clock.move(600)
        spent = await house.ask("And now?", conversation_id=mine)
        assert (spent.status_code, spent.json()["code"]) == (429, "llm_budget_exhausted")
        paid, asked = await calls_paid(pool), len(model.requests)
        assert (await choose(house, mine, choice(house, mine))).status_code == 200
        assert (await calls_paid(pool), len(model.requests)) == (paid, asked)


@pytest.mark.parametrize("role", ["student", "trainer_admin"])
async def test_a_choice_of_a_role_that_is_no_more_is_refused(database_url: str, role: str) -> None:
    async with choosing_house(database_url, provider=ScriptedModel(looks_up)) as house:
        mine, signed = await begun(house), await house.bearer()
        await inject(house, "change_role", person=TEACHER, role=role)
        reads = await reads_of_lms(house)
        for streamed in ({}, EVENTS):
            answer = await choose(house, mine, choice(house, mine), headers={**signed, **streamed})
            assert (answer.status_code, answer.json()["code"]) == (422, "reference_invalid")
        assert await reads_of_lms(house) == reads
        assert any(each["path"].startswith(STANDING) for each in await asked_of_lms(house))


async def test_a_choice_asks_on_where_another_is_needed(database_url: str) -> None:
    async with choosing_house(database_url, provider=ScriptedModel(looks_up)) as house:
        mine = await begun(house)
        waiting = Query(lookup=Lookup.STUDENT_PERFORMANCE, operation=Operation.SUMMARY)
        asks = (await choose(house, mine, choice(house, mine, waiting=waiting))).json()
        assert asks["kind"] == "choice"
        assert sorted(each["label"].split(" · ")[0] for each in asks["choices"]) == told_apart(students_of(house))
        chosen = asks["choices"][0]
        answer = (await choose(house, mine, chosen["token"])).json()
        assert answer["kind"] == "live"
        assert answer["choices"] == []
        assert RecordKind.STUDENT.value in [each["kind"] for each in answer["references"]]


async def test_the_words_of_a_choice_go_to_the_local_moderator_alone(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = ModerationWire()
    tools = {**EVERY_LOOKUP["roles"]["teacher"]["tools"], "run_screen_command": "open"}
    ruled = {**UNBOUND, "roles": {"teacher": {"tools": tools}}}
    with_commands = {**screen(), "commands": [{"id": "new", "label": f"New {CANARY}", "effect": "none"}]}
    async with (
        serve(wire) as url,
        house_moderated_at(
            f"{url}/v1", database_url, monkeypatch, provider=ScriptedModel(looks_up), policy=SCHOOL, ruled=ruled
        ) as house,
    ):
        mine = await begun(house)
        read = [each.body["input"] for each in wire.requests]
        assert read == ["Which classes do I have?"]
        reply = (await choose(house, mine, choice(house, mine), f"And {CANARY}?", context=with_commands)).json()
        assert reply["kind"] == "live"
        assert reply["receipt"]["also_sent"] == []
        assert len(wire.requests) == 1
        house.school.run("UPDATE classroom SET title = 'Pipe bombs' WHERE id = :id", id=class_id())
        listing = Query(lookup=Lookup.CLASSES, operation=Operation.LIST)
        refused = (await choose(house, mine, choice(house, mine, waiting=listing))).json()
        assert (refused["kind"], refused["references"], refused["choices"]) == ("refusal", [], [])
        assert len(wire.requests) == 1
    assert wire.violations == []
