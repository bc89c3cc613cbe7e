"""Who was in a result stays known in the conversation, whatever came of the question; the draft in the editor too."""

import re
from typing import Any

import asyncpg
import pytest

from assist_service.domain.messages import ModelReply, ModelRequest
from assist_service.domain.prompt import DRAFT_CHARACTERS
from tests.fakes.house import running_house
from tests.fakes.models import calls, says
from tests.web.editing import draft
from tests.web.live_questions import ActingModel, results, spoken
from tests.web.placeholders import LEARNS, ask, students, tag_of
from tests.web.writing import POOL, confirm, new_category

pytestmark = pytest.mark.slow


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


async def test_an_edit_that_was_applied_comes_back_masked_and_its_names_are_rewritten_as_they_stand(
    database_url: str,
) -> None:
    def first(request: ModelRequest) -> ModelReply:
        who = f"Person-{tag_of(request)}-1"
        return calls(("propose_question_edit", {"rewrites": [{"path": "/explanation", "text": f"Found by {who}"}]}))

    def shorter(request: ModelRequest) -> ModelReply:
        found = re.search(r"Found by (Person-[a-z]{8}-\d+) in asset:(\S+)\.png", request.screen)
        assert found is not None
        text = f"By {found[1]}: asset:{found[2]}.png"
        return calls(("propose_question_edit", {"rewrites": [{"path": "/explanation", "text": text}]}))

    model = ActingModel(LEARNS, first, says("It waits."), shorter, says("It waits."))
    async with running_house(database_url, provider=model) as house:
        names = students(house)
        reply = (await ask(house)).json()
        [edit] = reply["actions"]
        [name] = [each for each in names if edit["explanation"] == f"Found by {each}"]
        slug = name.lower().replace(" ", "-")
        applied = draft(config=edit["config"], explanation=f"{edit['explanation']} in asset:{slug}.png")
        house.clock.move(1)
        more = await ask(house, editor=applied, conversation_id=reply["conversation_id"])
        assert [each["explanation"] for each in more.json()["actions"]] == [f"By {name}: asset:{slug}.png"]
    assert not any(each in spoken(request) for request in model.requests for each in (*names, slug))


async def test_a_draft_as_long_as_any_makes_no_request_longer_than_its_bound(database_url: str) -> None:
    config = {**draft()["config"], "choices": [{"text": f"a{n}", "correct": False} for n in range(4_000)]}
    rewrites = {"rewrites": [{"path": "/config/choices/3999/text", "text": "x"}]}
    model = ActingModel(calls(("propose_question_edit", rewrites)), says("ok"))
    async with running_house(database_url, provider=model) as house:
        assert (await ask(house, editor=draft(config=config))).json()["actions"] == []
    assert len(model.requests[0].screen) < 2_000 + DRAFT_CHARACTERS
    [result] = results(model.requests[-1])
    assert "was not shown" in result.content
