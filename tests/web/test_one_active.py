"""Under the school's policy a person has one active conversation, which the next one ends (row J12)."""

import asyncio
from typing import Any

import asyncpg
import pytest

from assist_service.domain.messages import ProviderFault, ProviderFaultKind
from tests.fakes.house import ADMINISTRATOR, OTHER_TEACHER, STUDENT, TEACHER, House
from tests.fakes.models import ScriptedModel, reads, says
from tests.web.live_questions import screen
from tests.web.school_policy import school_house

pytestmark = pytest.mark.slow

ANSWER = says("Press New pool [s1].")


async def ask(house: House, conversation: str | None = None, *, person: str = TEACHER, **more: Any) -> tuple[int, Any]:
    """The status, and the conversation that was answered in or the code of the problem."""
    house.clock.move(7)  # of ten a minute
    answer = await house.ask(person=person, conversation_id=conversation, **more)
    body = answer.json()
    return answer.status_code, body["conversation_id"] if answer.status_code == 200 else body["code"]


async def active(house: House, person: str = TEACHER, *, reader: str | None = None) -> list[str]:
    """The active ones of a person's list, as they or an administrator reads it."""
    path = f"/assist/people/{person}/conversations" if reader else "/assist/conversations"
    headers = await house.bearer(reader or person, elevated=reader is not None)
    listed = (await house.service.get(path, headers=headers)).json()["items"]
    return [item["id"] for item in listed if item["active"]]


ENDED = (409, "conversation_ended")


async def test_the_next_one_ends_the_last_for_its_owner_alone_and_every_list_says_so(database_url: str) -> None:
    async with school_house(database_url) as house:
        _, theirs = await ask(house, person=OTHER_TEACHER)
        _, first = await ask(house)
        assert await ask(house, first) == (200, first)
        _, second = await ask(house)
        assert await ask(house, first) == ENDED
        assert await ask(house, second) == (200, second)
        assert await active(house) == await active(house, reader=ADMINISTRATOR) == [second]
        assert await ask(house, theirs, person=OTHER_TEACHER) == (200, theirs)

        elevated = await house.bearer(ADMINISTRATOR, elevated=True)
        for headers in (elevated, await house.bearer()):  # ended is not gone
            read = await house.service.get(f"/assist/conversations/{first}", headers=headers)
            assert len(read.json()["items"]) == 2

        await house.service.delete(f"/assist/conversations/{second}", headers=await house.bearer())
        assert await active(house) == []
        assert await ask(house, first) == ENDED


async def test_a_question_that_fails_ends_nothing(database_url: str) -> None:
    down = ProviderFault(ProviderFaultKind.PERMANENT, True, "down")
    model = ScriptedModel(ANSWER, down, ANSWER)
    async with school_house(database_url, provider=model) as house:
        _, first = await ask(house)
        assert (await ask(house))[0] == 503
        assert await active(house) == [first]
        assert await ask(house, first) == (200, first)


async def test_a_question_that_ran_while_another_was_started_is_stored_and_its_conversation_stays_ended(
    database_url: str, pool: asyncpg.Pool
) -> None:
    model = ScriptedModel(reads("teacher/pools"), ANSWER)
    async with school_house(database_url, provider=model) as house:
        _, first = await ask(house)
        model.hold()
        running = asyncio.create_task(house.ask("And then?", conversation_id=first))
        starting = asyncio.create_task(house.ask("Anew?"))
        await model.asked(4)
        model.let_go()
        answers = [await each for each in (running, starting)]
        assert [answer.status_code for answer in answers] == [200, 200]
        second = answers[1].json()["conversation_id"]
        assert await pool.fetchval("SELECT count(*) FROM exchanges WHERE conversation_id = $1::uuid", first) == 2
        assert await active(house) == [second]
        assert await ask(house, first) == ENDED


async def test_starts_at_once_leave_one_active(database_url: str) -> None:
    async with school_house(database_url) as house:
        answers = await asyncio.gather(*(house.ask(person=STUDENT, context=screen()) for _ in range(10)))
        assert {answer.status_code for answer in answers} == {200}
        house.clock.move(60)
        [left] = await active(house, STUDENT)
        asked = {answer.json()["conversation_id"] for answer in answers}
        statuses = [(await ask(house, each, person=STUDENT))[0] for each in asked if each != left]
        assert (len(asked), statuses) == (10, [409] * 9)


@pytest.mark.parametrize(("steps", "ends"), [([29 * 60] * 2 + [30 * 60], 3), ([29 * 60] * 60, 50)])
async def test_it_ends_after_half_an_hour_idle_or_a_day_in_all(database_url: str, steps: list[int], ends: int) -> None:
    """Of questions every 29 minutes the fiftieth comes after 24 hours."""
    async with school_house(database_url) as house:
        conversation = (await house.ask()).json()["conversation_id"]
        for number, seconds in enumerate(steps, start=1):
            house.clock.move(seconds)
            is_active = await active(house) == [conversation]
            answer = await house.ask(conversation_id=conversation)
            assert (answer.status_code == 200) is is_active is (number < ends), number
            if number == ends:
                assert answer.json()["code"] == "conversation_ended"
                return
        pytest.fail("it never ended")


async def test_a_kept_reply_is_the_same_though_its_conversation_was_ended(database_url: str) -> None:
    async with school_house(database_url) as house:
        first = await house.ask(headers={"Idempotency-Key": "one"})
        _, second = await ask(house)
        again = await house.ask(headers={"Idempotency-Key": "one"})
        assert again.content == first.content
        assert await active(house) == [second]


async def test_what_was_ended_stays_so_under_a_policy_that_would_not_have(database_url: str) -> None:
    async with school_house(database_url) as house:
        _, first = await ask(house)
        _, second = await ask(house)
    async with school_house(database_url, policy="default") as house:
        house.clock.move(60)
        assert await active(house) == [second]
        assert await ask(house, first) == ENDED
