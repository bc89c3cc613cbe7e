"""Lookups over HTTP: the model chooses, the service answers, and no provider reads what was found (rows J6 to J10)."""

from typing import Any

import pytest

from assist_service.domain.answer import ONLY_LOOKED_UP
from assist_service.domain.messages import JsonObject, ModelReply
from assist_service.domain.screens import Language
from examples.reference_lms.school import SCHOOL
from tests.fakes.house import OTHER_TEACHER, TEACHER, House
from tests.fakes.models import ScriptedModel, calls, says
from tests.web.choosing import UNBOUND
from tests.web.live_questions import ActingModel, inject, owned, reads_of_lms, results, screen, spoken
from tests.web.school_policy import REFUSALS, school_house
from tests.web.streamed import steps, told

LISTS = ("query_classes", {"operation": "list"})
COUNTS = ("query_classes", {"operation": "count"})
PERFORMS = ("query_class_performance", {"operation": "summary"})
MASKED = ("get_classroom_results", {"classroom": owned("classroom", TEACHER)})
OPEN: tuple[str, JsonObject] = ("list_courses", {})

WITH_DATA = {**UNBOUND, "roles": {"teacher": {"tools": {MASKED[0]: "masked", OPEN[0]: "open"}}}}
"""The school's policy with data tools beside the lookups."""

SENT = [{"tool": "query_classes", "disclosure": "sealed"}]


def class_of(teacher: str) -> str:
    return next(each.title for each in SCHOOL.entities if each.owner == teacher and each.kind.value == "classroom")


async def test_the_service_answers_a_lookup_and_no_model_reads_it_then_or_later(database_url: str) -> None:
    model = ScriptedModel(calls(("query_classes", {"operation": "list"})), says("Hello."))
    async with school_house(database_url, provider=model) as house:
        reply = (await house.ask("Which classes do I have?")).json()
        assert reply["kind"] == "live"
        assert class_of(TEACHER) in reply["answer"]
        assert class_of(OTHER_TEACHER) not in reply["answer"]
        assert {"tool": "query_classes", "disclosure": "sealed"} in reply["receipt"]["sent"]
        assert class_of(TEACHER) in [each["label"] for each in reply["references"]]
        house.clock.move(1)
        token = reply["references"][0]["token"]
        again = await house.ask("How is it doing?", conversation_id=reply["conversation_id"], reference=token)
        assert again.status_code == 200, again.text
        kept = (
            await house.service.get(f"/assist/conversations/{reply['conversation_id']}", headers=await house.bearer())
        ).json()
        assert kept["items"][0]["answer"] == reply["answer"]
    first, second = model.requests
    assert "the selected class" in second.screen
    for request in (first, second):
        assert class_of(TEACHER) not in spoken(request)


@pytest.mark.slow
async def test_a_reply_that_mixes_manual_and_lookup_is_refused_and_nothing_is_run(database_url: str) -> None:
    model = ScriptedModel(calls(("query_classes", {}), ("search_guide", {"query": "pools"})))
    async with school_house(database_url, provider=model) as house:
        reply = (await house.ask("Which classes do I have?")).json()
        assert (reply["kind"], reply["answer"]) == ("refusal", REFUSALS[Language.ENGLISH])
        assert await reads_of_lms(house) == []
    assert len(model.requests) == 1


class Asker:
    """Asks in one house, and of each question what its model said to it."""

    def __init__(self, house: House, model: ActingModel) -> None:
        self.house, self.model = house, model

    async def __call__(self, *said: ModelReply, question: str = "Which classes do I have?", **changes: Any) -> Any:
        """Every event, and the reply."""
        self.house.clock.move(1)
        self.model.steps = list(said)
        events = await told(self.house, question, **{"context": screen(), **changes})
        assert self.model.steps == []
        return steps(events), events[-1].json

    async def looked_up(self, *said: ModelReply, **changes: Any) -> Any:
        """The reply to a question that was only looked up, with one tool."""
        tool = said[-1].calls[0].name if said else PERFORMS[0]
        told_of, reply = await self(*said, **changes)
        assert told_of == [{"step": "looking_up", "tool": tool}, {"step": "checking"}]
        return reply


async def test_a_reply_with_a_lookup_over_http_from_its_calls_to_its_choices(database_url: str) -> None:
    model = ActingModel()
    async with school_house(database_url, provider=model, ruled=WITH_DATA) as house:
        ask = Asker(house, model)
        await _runs_nothing_beside(ask)
        await _tells_the_model_what_did_not_fit(ask)
        await _lists_each_once(ask)
        await _counts_the_screen_where_nothing_is_selected(ask)
        await _goes_on_with_a_choice(ask)
        await _says_that_it_failed(ask)


async def _runs_nothing_beside(ask: Asker) -> None:
    untold = ONLY_LOOKED_UP[Language.ENGLISH]
    for both in ((LISTS, MASKED), (OPEN, LISTS)):
        before = len(await reads_of_lms(ask.house))
        wanted = calls(*both)
        told_of, reply = await ask(wanted)
        assert told_of == [{"step": "looking_up", "tool": "query_classes"}, {"step": "checking"}]
        assert class_of(TEACHER) in reply["answer"]
        assert untold in reply["answer"], "that something was not looked up is told"
        assert reply["receipt"]["sent"] == SENT
        new = [each["path"] for each in (await reads_of_lms(ask.house))[before:]]
        assert [path.rpartition("/")[2] for path in new] == ["classrooms"]


async def _tells_the_model_what_did_not_fit(ask: Asker) -> None:
    _, reply = await ask(calls(("query_classes", {"operation": "rate"})), calls(COUNTS))
    assert (reply["kind"], reply["receipt"]["requests"], reply["receipt"]["sent"]) == ("live", 2, SENT)
    assert results(ask.model.requests[-1])[0].is_error


async def _lists_each_once(ask: Asker) -> None:
    _, reply = await ask(calls(LISTS, LISTS))
    labels = [each["label"] for each in reply["references"]]
    assert len(labels) == len(set(labels)) > 1


async def _counts_the_screen_where_nothing_is_selected(ask: Asker) -> None:
    """A used reference makes the screen say nothing, of whatever kind its record is."""
    shown = {"context": screen(classroom=owned("classroom", TEACHER))}
    by_screen = await ask.looked_up(calls(PERFORMS), **shown)
    assert (by_screen["kind"], class_of(TEACHER) in by_screen["answer"]) == ("live", True)
    _, exams = await ask(calls(("query_exams", {"operation": "list"})))
    follow_up = {"conversation_id": exams["conversation_id"], "reference": exams["references"][0]["token"]}
    asks = await ask.looked_up(calls(PERFORMS), **shown, **follow_up)
    assert asks["kind"] == "choice"


async def _goes_on_with_a_choice(ask: Asker) -> None:
    asks = await ask.looked_up(calls(PERFORMS))
    assert asks["kind"] == "choice"
    goes_on = {"conversation_id": asks["conversation_id"], "reference": asks["choices"][0]["token"], "question": ""}
    reply = await ask.looked_up(**goes_on)
    assert (reply["kind"], reply["receipt"]["requests"]) == ("live", 0)
    title = asks["choices"][0]["label"].partition(" · ")[0]
    assert title in reply["answer"]
    # Whoever has the lookup no more goes on with nothing.
    signed = await ask.house.bearer()
    await inject(ask.house, "change_role", person=TEACHER, role="student")
    refused = await ask.house.ask(**goes_on, headers=signed)
    assert (refused.status_code, refused.json()["code"]) == (422, "reference_invalid")
    await inject(ask.house, "change_role", person=TEACHER, role="teacher")


async def _says_that_it_failed(ask: Asker) -> None:
    silent = ask.house.configuration.policy.texts.lms_silent[Language.ENGLISH]
    await inject(ask.house, "status", path="/api/classrooms", status=503)
    reply = await ask.looked_up(calls(COUNTS))
    assert (reply["kind"], reply["answer"]) == ("refusal", silent)
