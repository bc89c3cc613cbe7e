"""Who was in a result stays known in the conversation, whatever came of the question; the draft in the editor too."""

import re
from typing import Any

import asyncpg
import pytest

from assist_service.domain.messages import ModelReply, ModelRequest
from tests.fakes.house import running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, spoken
from tests.web.placeholders import LEARNS, ask, students, tag_of
from tests.web.writing import POOL, confirm, new_category


def proposes(request: ModelRequest) -> ModelReply:
    return calls(new_category(f"For Person-{tag_of(request)}-1"))


ENDINGS: dict[str, list[Any]] = {
    "a proposal": [proposes, says("It waits.")],
    "an answer": [says("They did well.")],
    "a question back": [calls(("ask_back", {"text": "Which?"}))],
    "a refusal": [calls(("decline", {}))],
    "an edit": [
        lambda request: calls(
            (
                "propose_question_edit",
                {"rewrites": [{"path": "/explanation", "text": f"By Person-{tag_of(request)}-1"}]},
            )
        ),
        says("It waits."),
    ],
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
async def test_who_was_looked_up_stays_masked_in_later_questions(
    database_url: str, pool: asyncpg.Pool, ending: list[Any]
) -> None:
    model = ActingModel(LEARNS, *ending, calls(("get_pool", {"pool": POOL})), says("ok"))
    async with running_house(database_url, provider=model) as house:
        names = students(house)
        first = (await ask(house)).json()
        if first["writes"]:
            assert (await confirm(house, first)).status_code == 200
        else:
            house.school.run("UPDATE pool SET title = :title WHERE id = :id", title=f"For {names[0]}", id=POOL)
        house.clock.move(1)
        more = await ask(house, conversation_id=first["conversation_id"])
        assert more.status_code == 200
    said = spoken(model.requests[-1])
    assert re.search(r"For Person-[a-z]{8}-\d+\b", said)
    assert [name for name in names if name in said] == []
    kinds = [row["kind"] for row in await pool.fetch("SELECT kind FROM exchanges ORDER BY at")]
    assert "manual" not in kinds, "which is kept longer than what rests on live data may be"
