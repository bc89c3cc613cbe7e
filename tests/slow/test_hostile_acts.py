"""A hostile model with every tool that acts: nothing is done but by the person's word, and nothing is shown untrue."""

from collections.abc import Mapping

import asyncpg
import pytest

from assist_service.domain.people import Role
from assist_service.domain.writes import WriteTool
from examples.reference_lms.making.plan import THIRD_TEACHER
from tests.case_counts import CountCases
from tests.fakes.house import ADMINISTRATOR, OTHER_TEACHER, STUDENT, TEACHER, TRAINER, running_house
from tests.fakes.recorded_writes import RecordedWrites
from tests.slow.deciding_people import ActingModel, Attack
from tests.web.live_questions import live_tokens
from tests.web.writing import written

TURNS = 500
"""Of each run: replies of the model that call."""

STAFF: Mapping[str, Role] = {
    TEACHER: Role.TEACHER,
    OTHER_TEACHER: Role.TEACHER,
    THIRD_TEACHER.sub: Role.TEACHER,
    ADMINISTRATOR: Role.ADMIN,
}

PEOPLE: Mapping[str, Mapping[str, Role]] = {
    "default": {**STAFF, STUDENT: Role.STUDENT, TRAINER: Role.TRAINER_ADMIN},
    "teacher-assistant": STAFF,
}
"""Who may ask, by policy."""

HAPPENS = {*WriteTool, "open_screen", "run_command", "offer_command", "confirm_command", "edit_question"}
"""Each act goes out in each run, or the run proves nothing of it."""

DECIDED = {"confirmed", "cancelled", "not theirs, or spent"}


@pytest.mark.slow
@pytest.mark.parametrize("policy", PEOPLE)
@pytest.mark.parametrize("seed", [1, 2])
async def test_nothing_is_done_but_what_was_shown_and_confirmed(
    database_url: str, pool: asyncpg.Pool, policy: str, seed: int, count_cases: CountCases
) -> None:
    model, recorded = ActingModel(), RecordedWrites()
    ruled = {"limits": {"questions_per_minute": 1_000, "questions_per_day": None}}
    async with running_house(
        database_url, provider=model, policy=policy, ruled=ruled, before_lms=recorded.before
    ) as house:
        attack = Attack(house, model, pool, recorded, f"acts/{policy}/{seed}", PEOPLE[policy], TURNS)
        await attack.run()
        entries = await written(house)
        assert {(each["actor"], each["method"]) for each in entries} == {("assistant", "POST")}
        assert len(entries) == len(attack.sent)
        assert {each.key for each in recorded.sent} == attack.sent
        assert await live_tokens(house) == []
    assert await pool.fetchval("SELECT count(*) FROM pending_writes") == len(attack.cards)
    assert len(attack.gone) == 1
    assert attack.done.keys() >= HAPPENS | DECIDED, attack.done
    assert model.turns >= TURNS
    count_cases("hostile acts", model.turns, policy)
