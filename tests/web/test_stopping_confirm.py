"""A confirm that is stopped at any of its awaits leaves no token and no lease, and its change is made once or waits."""

from uuid import UUID

import asyncpg
import pytest

from assist_service.domain.people import person_of
from tests.case_counts import CountCases
from tests.fakes.house import House, running_house
from tests.fakes.models import ScriptedModel, calls, says
from tests.web.live_questions import live_tokens
from tests.web.stopping_steps import Moment, Stopping
from tests.web.writing import card_of, confirm, new_category, prepared, written

MOST_STEPS = 500
RULED = {"limits": {"questions_per_minute": 1000, "questions_per_day": None}}


def _model() -> ScriptedModel:
    """Prepares a category, of another title each time, and says so."""
    model = ScriptedModel(
        lambda request: calls(new_category(f"Loops {len(model.requests)}")) if request.may_call else says("It waits.")
    )
    return model


async def _state(pool: asyncpg.Pool, write: str) -> str:
    row = await pool.fetchrow("SELECT state, lease FROM pending_writes WHERE id = $1", UUID(write))
    assert row is not None
    assert row["lease"] is None
    return str(row["state"])


async def _ends_in_one_write(house: House, pool: asyncpg.Pool, reply: dict[str, object], before: int) -> str:
    """Where it stood after the stop; confirmed again, it is made once, all told."""
    assert await live_tokens(house) == []
    state = await _state(pool, card_of(reply)["id"])
    assert len(await written(house)) - before == (state == "done")
    assert (await confirm(house, reply)).status_code == (404 if state == "done" else 200)
    assert len(await written(house)) - before == 1
    return state


@pytest.mark.slow
@pytest.mark.parametrize("moment", list(Moment))
async def test_a_confirm_stopped_at_any_await_is_made_once_or_waits(
    database_url: str, pool: asyncpg.Pool, moment: Moment, count_cases: CountCases
) -> None:
    async with running_house(database_url, provider=_model(), ruled=RULED, daily_cap_usd="100000") as house:
        token = await house.token()
        person = person_of(await house.running.sessions.verify(token))
        step, states = 0, set()
        while True:
            step += 1
            assert step < MOST_STEPS
            reply, before = await prepared(house), len(await written(house))
            stopping = Stopping(step, moment, look=lambda: 0)
            deciding = house.running.writes.confirm(
                person, UUID(reply["conversation_id"]), UUID(card_of(reply)["id"]), session=token
            )
            await stopping.run(deciding)
            states.add(await _ends_in_one_write(house, pool, reply, before))
            if not stopping.has_stopped:
                break
        assert states == {"pending", "done"}
    count_cases("stopped confirms", step - 1, moment.value)  # at the last step there was nothing to stop
