"""Lookups over HTTP: the model chooses, the service answers, and no provider reads what was found (rows J6 to J10)."""

import pytest

from assist_service.domain.screens import Language
from examples.reference_lms.school import SCHOOL
from tests.fakes.house import OTHER_TEACHER, TEACHER
from tests.fakes.models import ScriptedModel, calls, says
from tests.web.live_questions import reads_of_lms, spoken
from tests.web.school_policy import REFUSALS, school_house


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
