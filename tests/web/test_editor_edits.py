"""A draft in the question editor comes back as a diff for its own person, goes nowhere else, and is never stored."""

from typing import Any

import asyncpg
import pytest

from assist_service.domain.statement import EDIT, EN
from tests.fakes.house import OTHER_TEACHER, STUDENT, TEACHER, TRAINER, House, running_house
from tests.fakes.models import calls, says
from tests.web.editing import (
    CANARY,
    CONFIG,
    EXPLANATION,
    PROPOSES,
    QUESTION,
    REWRITES,
    WAITS,
    ask_in_editor,
    draft,
    editor_screen,
    told,
    tools_of,
    trying,
)
from tests.web.kept_rows import all_kept, kept, strings_in
from tests.web.live_questions import (
    ActingModel,
    asked_of_lms,
    inject,
    live_tokens,
    owned,
    reads_of_lms,
    results,
    screen,
)
from tests.web.writing import written

pytestmark = pytest.mark.slow

TOOL = "propose_question_edit"
POOL = owned("pool", TEACHER)


async def test_a_proposal_is_a_diff_with_its_base_that_waits_for_the_person(database_url: str) -> None:
    async with running_house(database_url, provider=ActingModel(PROPOSES, WAITS)) as house:
        answer = await ask_in_editor(house)
        assert answer.status_code == 200, answer.text
        reply = answer.json()
        (edit,) = reply["actions"]
        assert (reply["kind"], edit["type"], edit["question_id"]) == ("proposal", "edit_question", QUESTION)
        assert edit["base"] == f"{CANARY}-base"
        assert edit["explanation"] == "It follows."
        assert edit["config"] == {
            **CONFIG,
            "statement": REWRITES[0]["text"],
            "choices": [*CONFIG["choices"][:2], _added("A third"), _added("A fourth")],
        }
        assert [tuple(change.values()) for change in edit["changes"]] == [
            ("/config/statement", "statement", CONFIG["statement"], REWRITES[0]["text"]),
            ("/explanation", "explanation", EXPLANATION, "It follows."),
            ("/config/choices/2/text", "choice", "", "A third"),
            ("/config/choices/3/text", "choice", "", "A fourth"),
        ]
        assert reply["statement"] == {"opened": [], "prepared": [EDIT[EN]], "changed": False}
        assert f"Prepared, and waiting for you: {EDIT[EN]}." in reply["answer"]
        assert (reply["writes"], reply["receipt"]["also_sent"]) == ([], ["question", "draft"])
        assert await written(house) == []
        assert await live_tokens(house) == []


def _added(text: str) -> dict[str, Any]:
    return {"text": text, "correct": False}


async def test_the_prompt_has_the_texts_by_path_and_neither_key_nor_settings(database_url: str) -> None:
    model = ActingModel(PROPOSES, WAITS)
    async with running_house(database_url, provider=model) as house:
        await ask_in_editor(house)
    assert TOOL in tools_of(model)
    in_prompt = model.requests[0].screen
    for path, text in (
        ("/config/statement (statement)", CONFIG["statement"]),
        ("/config/choices/0/text (choice)", f"{CANARY}-one"),
        ("/config/choices/1/text (choice)", f"{CANARY}-two"),
        ("/explanation (explanation)", EXPLANATION),
    ):
        assert f'{path}: "{text}"' in in_prompt
    for hidden in ("correct", "multiple", "setting", f"{CANARY}-base"):
        assert hidden not in in_prompt
    assert f"{CANARY}-setting" not in told(model)


async def test_a_draft_that_is_not_the_one_on_screen_is_refused_before_anyone_is_asked(database_url: str) -> None:
    model = trying()
    another = owned("question", OTHER_TEACHER)
    async with running_house(database_url, provider=model) as house:
        for context in (
            editor_screen(another),
            editor_screen(QUESTION, "/pools/:id"),
            {**screen(pool=POOL), "route": "/questions/:id"},
        ):
            answer = await ask_in_editor(house, context=context)
            assert (answer.status_code, answer.json()["code"]) == (422, "editor_off_screen")
        assert model.requests == []
        assert await asked_of_lms(house, "/api/") == []
        assert await live_tokens(house) == []


# What the LMS would have to say for this person to have the draft edited, and does not.
UNREADABLE: dict[str, tuple[dict[str, Any], dict[str, Any] | None]] = {
    "another teacher's": (draft(question_id=owned("question", OTHER_TEACHER)), None),
    "nobody's": (draft(question_id="5d0a6f0e-1111-4222-8333-444455556666"), None),
    "an LMS that fails": (draft(), {"fault": "status", "status": 503, "path": "/api/questions"}),
    "no types": (draft(), {"fault": "status", "status": 503, "path": "/api/question-types"}),
    "an LMS that talks nonsense": (draft(), {"fault": "not_json", "path": "/api/questions"}),
    "another type": (draft(type="numeric"), None),
    "a type that is none": (draft(type="essay"), None),
}


@pytest.mark.parametrize(("editor", "fault"), UNREADABLE.values(), ids=UNREADABLE)
async def test_whoever_cannot_read_the_question_has_neither_the_tool_nor_the_draft_in_the_prompt(
    database_url: str, editor: dict[str, Any], fault: dict[str, Any] | None
) -> None:
    model = trying()
    async with running_house(database_url, provider=model, ruled={"citations": "shown"}) as house:
        if fault is not None:
            await inject(house, **fault)
        reply = (await ask_in_editor(house, editor=editor)).json()
        assert TOOL not in tools_of(model)
        assert CANARY not in told(model)
        assert "There is no such tool" in results(model.requests[1])[0].content
        assert (reply["actions"], reply["receipt"]["also_sent"]) == ([], ["question"])
        assert reply["statement"] == {"opened": [], "prepared": [], "changed": False}
        assert "Nothing was changed" in reply["answer"]
        assert await live_tokens(house) == []


async def test_a_seat_that_was_revoked_closes_the_editor(database_url: str) -> None:
    model = trying()
    async with running_house(database_url, provider=model) as house:
        for row in house.school.rows("SELECT course FROM seat WHERE person = :person", person=TEACHER):
            await inject(house, "revoke_seat", person=TEACHER, course=row["course"])
        await ask_in_editor(house)
    assert TOOL not in tools_of(model)
    assert CANARY not in told(model)


WITHOUT: dict[str, tuple[str, dict[str, Any]]] = {
    "a student": (STUDENT, {}),
    "a trainer administrator": (TRAINER, {}),
    "no live data": (TEACHER, {"switches": {"live": False}}),
}


@pytest.mark.parametrize(("person", "ruled"), WITHOUT.values(), ids=WITHOUT)
async def test_without_the_tool_the_lms_is_asked_for_nothing_and_no_token(
    database_url: str, person: str, ruled: dict[str, Any]
) -> None:
    model = trying()
    async with running_house(database_url, provider=model, ruled=ruled) as house:
        answer = await ask_in_editor(house, person=person)
        assert answer.status_code == 200, answer.text
        assert TOOL not in tools_of(model)
        assert CANARY not in told(model)
        assert answer.json()["actions"] == []
        assert await reads_of_lms(house) == []
        assert await asked_of_lms(house, "/oauth/") == []


async def test_without_a_draft_there_is_no_tool_and_the_lms_is_not_asked(database_url: str) -> None:
    model = trying()
    async with running_house(database_url, provider=model) as house:
        await house.ask("Write it otherwise.", context=editor_screen())
        assert TOOL not in tools_of(model)
        assert await asked_of_lms(house, "/oauth/") == []


async def _asked_twice(house: House, **about: Any) -> dict[str, Any]:
    """The second question goes on in the conversation of the first, without a draft."""
    first = await ask_in_editor(house, **about)
    assert first.status_code == 200, first.text
    reply: dict[str, Any] = first.json()
    await house.ask("And now?", conversation_id=reply["conversation_id"], context=screen())
    return reply


async def test_nothing_of_a_draft_is_stored_nor_told_in_a_later_question(database_url: str, pool: asyncpg.Pool) -> None:
    model = ActingModel(PROPOSES, WAITS, says("What do you mean?"))
    async with running_house(database_url, provider=model) as house:
        reply = await _asked_twice(house)
        assert CANARY in str(reply["actions"])
        assert CANARY not in str(model.requests[-1])
        assert CANARY not in await all_kept(pool)
        sealed = [row["sealed"] for row in (await kept(pool))["exchanges"]]
        assert all(set(each) == {"question", "answer", "names", "conversation", "withheld"} for each in sealed)
        words = {each["question"]: each["answer"] for each in sealed}
        assert words["Write it otherwise, please."] == reply["answer"]


async def test_what_was_proposed_is_kept_with_a_reply_that_may_be_repeated_and_nowhere_else(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with running_house(database_url, provider=ActingModel(PROPOSES, WAITS)) as house:
        first, again = [await ask_in_editor(house, headers={"Idempotency-Key": "k"}) for _ in range(2)]
        assert first.content == again.content
    holding = {table for table, rows in (await kept(pool)).items() if CANARY in "\n".join(strings_in(rows))}
    assert holding == {"idempotent_replies"}
    plain = "\n".join([str(dict(row)) for row in await pool.fetch("SELECT * FROM idempotent_replies")])
    assert CANARY not in plain
    assert f"{CANARY}-setting" in await all_kept(pool), "this test could see it anywhere"


async def test_a_proposal_that_may_not_be_made_changes_nothing(database_url: str) -> None:
    keyed = [{"path": "/config/choices/1/correct", "text": "false"}]
    torn = [{"path": "/config/statement", "text": "Without any of its tokens?"}]
    wrong: list[dict[str, Any]] = [{"rewrites": keyed}, {"rewrites": torn}, {"additions": [str(n) for n in range(7)]}]
    model = ActingModel(calls(*((TOOL, each) for each in wrong)), says("I have changed it. [s1]"))
    async with running_house(database_url, provider=model, ruled={"citations": "shown"}) as house:
        reply = (await ask_in_editor(house)).json()
        assert all(each.is_error for each in results(model.requests[1]))
        assert (reply["actions"], reply["statement"]["prepared"]) == ([], [])
        assert "Nothing was changed" in reply["answer"]
