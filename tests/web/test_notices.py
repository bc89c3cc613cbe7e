"""The notice that each role is shown in each language: the policy's days and every provider, and nothing left open."""

import re

import pytest

from assist_service.domain.screens import Language
from tests.fakes.house import PERSON_OF_ROLE, running_house
from tests.fakes.moderation_wire import MODERATOR

pytestmark = pytest.mark.slow

OFFERED = {
    "default": tuple(PERSON_OF_ROLE),
    "school-manuals": tuple(PERSON_OF_ROLE),
    "teacher-assistant": ("teacher", "admin"),
}


@pytest.mark.parametrize(("policy", "roles"), OFFERED.items(), ids=OFFERED)
async def test_a_notice_holds_the_days_and_the_provider_and_no_placeholder(
    database_url: str, policy: str, roles: tuple[str, ...]
) -> None:
    async with running_house(database_url, policy=policy, moderation="words") as house:
        ruled = house.configuration.policy
        for role in roles:
            headers = await house.bearer(PERSON_OF_ROLE[role])
            for language in Language:
                answer = await house.service.get(
                    "/assist/availability", headers={**headers, "Accept-Language": language.value}
                )
                notice = answer.json()["notice"]
                said = {ruled.texts.notice[language][:20], ruled.texts.notice_manual[language][:20]}
                assert notice[:20] in said, (role, language)
                assert "(stub)" in notice
                assert not set("{}") & set(notice)
                days = set(map(int, re.findall(r"\d+", notice)))
                assert days == {ruled.retention.manual_days, ruled.retention.live_days}, (role, language)


MODERATED_AT = {
    "OpenAI": ("https://api.openai.com/v1", "(stub, OpenAI)"),
    "a server of the school": ("http://127.0.0.1:9/v1", "(stub, an OpenAI-compatible server)"),
}


@pytest.mark.parametrize(("address", "named"), MODERATED_AT.values(), ids=MODERATED_AT)
async def test_a_notice_names_the_moderator_by_where_the_texts_go(database_url: str, address: str, named: str) -> None:
    async with running_house(
        database_url, moderation=MODERATOR, moderation_base_url=address, moderation_key="sk-x"
    ) as house:
        answer = await house.service.get("/assist/availability", headers=await house.bearer())
        assert named in answer.json()["notice"]


async def test_a_school_that_keeps_otherwise_tells_so(database_url: str) -> None:
    kept = {"retention": {"manual_days": 12, "live_days": 3}}
    async with running_house(database_url, ruled=kept) as house:
        answer = await house.service.get("/assist/availability", headers=await house.bearer())
        assert "answers from the manual 12 days, all others 3." in answer.json()["notice"]
