"""A question that is stopped at any of its awaits leaves no token, no reservation, no lease, and nothing stored."""

import json

import asyncpg
import pytest

from assist_service.domain.asked import Asked
from assist_service.domain.people import person_of
from assist_service.web.schemas import AskRequest
from tests.case_counts import CountCases
from tests.fakes.house import House, question_body, running_house
from tests.fakes.models import ScriptedModel
from tests.postgres.money import refuse_unbalanced_books
from tests.web.data_questions import reads_guide_and_data
from tests.web.stopping_steps import Moment, Stopping

MOST_STEPS = 2_000
RULED = {"limits": {"questions_per_minute": 1000, "questions_per_day": None}}

_LEFT = """
SELECT (SELECT count(*) FROM llm_calls WHERE settled_at IS NULL) AS unsettled,
       (SELECT coalesce(sum(reserved_micros + chat_reserved_micros), 0) FROM llm_days) AS reserved,
       (SELECT count(*) FROM conversations WHERE lease IS NOT NULL) AS leased,
       (SELECT count(*) FROM idempotent_replies WHERE sealed_reply IS NULL) AS claimed
"""
_STORED = "SELECT (SELECT count(*) FROM exchanges), (SELECT count(*) FROM idempotent_replies)"


def _asked(conversation: str) -> Asked:
    body = AskRequest.model_validate_json(json.dumps(question_body(conversation_id=conversation)))
    return Asked(
        conversation_id=body.conversation_id,
        question=body.question,
        context=body.context,
        editor=None,
        reference=None,
        canonical=body.model_dump_json().encode(),
    )


async def _refuse_leftovers(house: House, pool: asyncpg.Pool, stored: tuple[int, int], where: str) -> None:
    row = await pool.fetchrow(_LEFT)
    assert row is not None
    assert dict(row) == {"unsettled": 0, "reserved": 0, "leased": 0, "claimed": 0}, where
    assert (await house.lms.get("/demo/tokens")).json()["tokens"] == [], where
    assert [tuple(each) for each in await pool.fetch(_STORED)] == [stored], where
    await refuse_unbalanced_books(pool)


@pytest.mark.slow
@pytest.mark.parametrize("moment", list(Moment))
async def test_a_question_stopped_at_any_await_leaves_nothing(
    database_url: str, pool: asyncpg.Pool, moment: Moment, count_cases: CountCases
) -> None:
    model = ScriptedModel(reads_guide_and_data)
    async with running_house(database_url, provider=model, ruled=RULED, daily_cap_usd="100000") as house:
        conversation = (await house.ask()).json()["conversation_id"]
        token = await house.token()
        person = person_of(await house.running.sessions.verify(token))
        asked, reached = _asked(conversation), set()
        stopped = too_late = 0
        is_stopped = True
        while is_stopped:
            # One that is not stopped comes before each: connections that a stop closed would shift what a step is.
            assert (await house.ask(conversation_id=conversation)).status_code == 200
            model.requests.clear()
            step = stopped + too_late + 1
            assert step < MOST_STEPS
            stopping = Stopping(step, moment, look=lambda: len(model.requests))
            question = house.running.ask(person, asked, key=f"key {too_late}", session=token)
            is_complete = await stopping.run(question)
            is_stopped = stopping.has_stopped
            reached.add(len(model.requests))
            stopped, too_late = stopped + (not is_complete), too_late + is_complete
            stored = (1 + step + too_late, too_late)
            await _refuse_leftovers(house, pool, stored, f"stopped at step {step}, {moment}")
            # One that was reserved and about to go out may still go, and is paid.
            asked_after = 0 if is_complete else len(model.requests) - stopping.seen
            assert asked_after <= (moment is Moment.DONE), f"stopped at step {step}, {moment}"
            assert is_complete or not too_late  # once it is being stored, it is answered
        assert reached == {0, 1, 2, 3, 4}
        assert too_late > 1
    count_cases("stopped questions", step - 1, moment.value)  # at the last step there was nothing to stop
