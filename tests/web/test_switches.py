"""Manual and live data have a switch each: what is off is not in the prompt, not a tool, and not said to be there."""

from typing import Any

import asyncpg
import pytest

from assist_service.domain.availability import worded_notice
from assist_service.domain.policy import Wording
from assist_service.domain.screens import Language
from tests.fakes.house import PERSON_OF_ROLE, STUDENT, TEACHER, House, question_body, running_house
from tests.fakes.models import ScriptedModel, says
from tests.unit.test_tools_allowlist import LOOKUPS
from tests.web.live_questions import asked_of_lms
from tests.web.school_policy import school_house

pytestmark = pytest.mark.slow

MANUAL_TOOLS = {"read_guide", "search_guide"}

LOOKING_UP = {TEACHER, PERSON_OF_ROLE["admin"]}
"""Who has the lookups of the school's policy."""

ENDINGS = {"decline", "ask_back"}

FOUR = [(manual, live) for manual in (True, False) for live in (True, False)]

ON_A_SCREEN_WITH_HELP: dict[str, Any] = question_body()["context"]


def switched(*, manual: bool, live: bool) -> dict[str, Any]:
    return {"switches": {"manual": manual, "live": live}}


def worded(house: House, notice: Wording) -> str:
    retention = house.configuration.policy.retention
    return worded_notice(notice[Language.ENGLISH], providers=("stub",), retention=retention)


async def available(house: House, person: str = TEACHER) -> dict[str, Any]:
    answer = await house.service.get("/assist/availability", headers=await house.bearer(person))
    return dict(answer.json())


@pytest.mark.parametrize(("manual", "live"), FOUR)
async def test_what_is_off_reaches_no_provider_under_a_policy_that_has_both(
    database_url: str, manual: bool, live: bool
) -> None:
    model = ScriptedModel(says("Nothing cited."))
    async with running_house(database_url, provider=model, ruled=switched(manual=manual, live=live)) as house:
        answer = (await house.ask(context=ON_A_SCREEN_WITH_HELP)).json()
        assert answer["kind"] == "refusal"
        [request] = model.requests
        offered = {spec.name for spec in request.tools}
        assert (offered >= MANUAL_TOOLS, bool(offered & MANUAL_TOOLS)) == (manual, manual)
        assert ("get_classroom_results" in offered, "create_category" in offered) == (live, live)
        sent = request.prefix + request.screen
        assert ("Index of the manual" in sent) is manual
        assert ("Help of this screen" in sent) is manual
        assert ("read_guide" in sent) is manual
        assert ("[s1]" in sent) is manual
        assert any(page.path in sent for page in house.publication.pages) is manual
        assert answer["receipt"]["sent"] == ([{"tool": "read_guide", "disclosure": "open"}] if manual else [])
        said = await available(house)
        assert (said["offered"], said["manual"], said["live"]) == (True, manual, live)
        texts = house.configuration.policy.texts
        assert said["notice"] == worded(house, texts.notice if live else texts.notice_manual)


@pytest.mark.parametrize(("manual", "live"), FOUR)
async def test_under_the_schools_policy_nobody_is_offered_what_could_answer_nothing(
    database_url: str, pool: asyncpg.Pool, manual: bool, live: bool
) -> None:
    """Who teaches has lookups beside the manual. Without both all that is left are the two ways to end a question."""
    model = ScriptedModel(says("Nothing cited."))
    async with school_house(database_url, provider=model, ruled=switched(manual=manual, live=live)) as house:
        for role, person in PERSON_OF_ROLE.items():
            model.requests.clear()
            looks_up = live and person in LOOKING_UP
            await offered_or_not(house, role, manual=manual, looks_up=looks_up)
            if not manual and not looks_up:
                assert model.requests == [], role
                assert await pool.fetchval("SELECT count(*) FROM question_rates WHERE person = $1", person) == 0, role
                continue
            assert {spec.name for spec in model.requests[0].tools} == {
                *ENDINGS,
                *(MANUAL_TOOLS if manual else ()),
                *(LOOKUPS if looks_up else ()),
            }, role
        assert await asked_of_lms(house, "/oauth") == []


async def offered_or_not(house: House, role: str, *, manual: bool, looks_up: bool) -> None:
    """What is said to be there, and what asking brings."""
    person, is_offered = PERSON_OF_ROLE[role], manual or looks_up
    said = await available(house, person)
    assert (said["offered"], said["manual"], said["live"]) == (is_offered, manual, looks_up), role
    assert said["reason"] == (None if is_offered else "not_offered"), role
    texts = house.configuration.policy.texts
    notice = texts.notice if looks_up else texts.notice_manual
    assert said["notice"] == (worded(house, notice) if is_offered else ""), role
    answer = await house.ask(person=person, context=ON_A_SCREEN_WITH_HELP)
    told = (answer.status_code, answer.json().get("kind"), answer.json().get("code"))
    assert told == ((200, "refusal", None) if is_offered else (403, None, "not_offered")), role


async def test_what_was_kept_is_read_and_deleted_while_nothing_is_offered(database_url: str) -> None:
    async with school_house(database_url) as house:
        asked = (await house.ask(person=STUDENT, question="How do I join a course?")).json()
    async with school_house(database_url, ruled=switched(manual=False, live=False)) as house:
        headers, path = await house.bearer(STUDENT), f"/assist/conversations/{asked['conversation_id']}"
        assert (await house.service.get(path, headers=headers)).status_code == 200
        [citation] = asked["citations"]
        assert (await house.service.get(citation["href"], headers=headers)).status_code == 404
        assert (await house.service.delete(path, headers=headers)).status_code == 204


async def test_who_has_no_data_tools_is_given_the_notice_of_the_manual(database_url: str) -> None:
    async with running_house(database_url) as house:
        texts = house.configuration.policy.texts
        for person, wording in ((TEACHER, texts.notice), (STUDENT, texts.notice_manual)):
            assert (await available(house, person))["notice"] == worded(house, wording)
