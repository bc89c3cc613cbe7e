"""Each of the five writes over HTTP: prepared and shown, done on the person's word alone, once, as it was shown."""

import datetime as dt
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from assist_service.domain.messages import ModelReply, ModelRequest
from assist_service.domain.writes import MAX_WRITES, PENDING
from assist_service.tools.cards import UNPUBLISHED
from assist_service.tools.looking_up import NO_SEAT
from assist_service.tools.writes import SEARCH_FIRST
from tests.fakes.house import OTHER_TEACHER, TEACHER, running_house
from tests.fakes.models import calls, says
from tests.web.live_questions import ActingModel, live_tokens, owned, results, screen
from tests.web.writing import (
    CONFIG,
    COURSE,
    DRAFTS,
    POOL,
    PUBLISHED,
    QUESTION,
    QUESTION_CALL,
    SEARCHED,
    STATEMENT,
    WAITS,
    ask,
    card_of,
    confirm,
    new_category,
    of_first,
    prepared,
    preparing,
    titled,
    unlink,
    written,
)

# What the model does, what stands on the card beside what everyone knows, where the result is.
WRITES: dict[str, tuple[tuple[Any, ...], set[str], str]] = {
    "create_question": (
        (SEARCHED, calls(QUESTION_CALL)),
        {"pool", "type", "statement", "choice", "setting", "explanation", "status"},
        "/questions/",
    ),
    "create_category": ((calls(new_category()),), {"pool", "title"}, f"/pools/{POOL}?category="),
    "create_template": (
        (PUBLISHED, of_first("create_template", title="Contrôle 1")),
        {"title", "question"},
        "/templates/",
    ),
    "add_questions_to_template": (
        (PUBLISHED, of_first("add_questions_to_template")),
        {"template", "question"},
        "/templates/",
    ),
    "link_pool_to_course": (
        (calls(("link_pool_to_course", {"pool": POOL, "course": COURSE})),),
        {"pool", "course", "gains_access"},
        f"/courses/{COURSE}",
    ),
}


@pytest.mark.parametrize("tool", WRITES)
async def test_a_write_is_prepared_shown_confirmed_and_its_path_opens_what_was_made(
    database_url: str, tool: str
) -> None:
    steps, labels, path = WRITES[tool]
    model = ActingModel(*steps, WAITS)
    async with running_house(database_url, provider=model) as house:
        await unlink(house)
        reply = await prepared(house)
        assert reply["kind"] == "proposal", model.requests[-1].messages[-1]
        assert reply["statement"]["prepared"]
        assert reply["statement"]["changed"] is False
        card = card_of(reply)
        assert card["tool"] == tool
        assert {line["label"] for line in card["lines"]} == labels
        assert dt.datetime.fromisoformat(card["expires_at"]) == house.clock.now() + PENDING
        assert await written(house) == []
        assert await live_tokens(house) == []

        answer = await confirm(house, reply)
        assert answer.status_code == 200, answer.text
        assert answer.json()["path"].startswith(path)
        assert answer.json()["title"]
        assert (await house.lms.get(answer.json()["path"])).status_code == 200
        (entry,) = await written(house)
        assert (entry["actor"], entry["acting_for"], entry["tool"]) == ("assistant", TEACHER, tool)
        assert entry["status"] == 201
        assert await live_tokens(house) == []
        assert (await confirm(house, reply)).status_code == 404
        assert len(await written(house)) == 1


async def test_a_new_question_is_a_draft_with_every_value_of_it_on_the_card(database_url: str) -> None:
    async with running_house(database_url, provider=ActingModel(SEARCHED, calls(QUESTION_CALL), WAITS)) as house:
        reply = await prepared(house)
        lines = [(line["label"], line["value"]) for line in card_of(reply)["lines"]]
        assert lines[0] == ("pool", titled("pool", POOL))
        assert ("statement", STATEMENT) in lines
        assert [value for label, value in lines if label == "choice"] == ["Rien de sûr", "Zéro"]
        assert ("setting", "/choices/0/correct: true") in lines
        assert ("setting", "/choices/1/correct: false") in lines
        assert lines[-1] == ("status", "draft")
        made = (await confirm(house, reply)).json()["path"].removeprefix("/questions/")
        row = house.school.row("SELECT * FROM question WHERE id = :id", id=made)
        assert row is not None
        assert (row["status"], row["explanation"]) == ("draft", "Voir le cours.")


async def test_linking_names_everyone_who_gains_access(database_url: str) -> None:
    link = ("link_pool_to_course", {"pool": POOL, "course": COURSE})
    async with running_house(database_url, provider=preparing(link)) as house:
        await unlink(house)
        lines = card_of(await prepared(house))["lines"]
        named = [line["value"] for line in lines if line["label"] == "gains_access"]
        staff = house.school.rows(
            "SELECT name, seat.role FROM seat JOIN person ON person.id = seat.person WHERE course = :course",
            course=COURSE,
        )
        assert named == sorted(f"{row['name']} ({row['role']})" for row in staff)
        assert named


ENDLESS = {"statement": STATEMENT, "answer": float("inf"), "tolerance": 0, "unit": "cm"}

REFUSALS: dict[str, tuple[tuple[Any, ...], str]] = {
    "another teacher's pool": ((calls(new_category(pool=owned("pool", OTHER_TEACHER))),), NO_SEAT),
    "a made-up pool": ((calls(new_category(pool=str(uuid4()))),), NO_SEAT),
    "a question nobody searched for": ((calls(QUESTION_CALL),), SEARCH_FIRST),
    "a search in the same step": (
        (calls(("find_similar_questions", {"text": STATEMENT}), QUESTION_CALL),),
        SEARCH_FIRST,
    ),
    "a draft in a new template": ((DRAFTS, of_first("create_template", title="Contrôle")), UNPUBLISHED),
    "a draft for a template": ((DRAFTS, of_first("add_questions_to_template")), UNPUBLISHED),
    "a type that is none": (
        (SEARCHED, calls(("create_question", {**QUESTION_CALL[1], "type": "essay"}))),
        "there is no such type",
    ),
    "a config of another type": (
        (SEARCHED, calls(("create_question", {**QUESTION_CALL[1], "type": "numeric"}))),
        "does not fit its type",
    ),
    "a category of nowhere": (
        (SEARCHED, calls(("create_question", {**QUESTION_CALL[1], "category": str(uuid4())}))),
        NO_SEAT,
    ),
    "a published one": (
        (SEARCHED, calls(("create_question", {**QUESTION_CALL[1], "status": "published"}))),
        "do not fit",
    ),
    "a number that JSON has no word for": (
        (SEARCHED, calls(("create_question", {**QUESTION_CALL[1], "type": "numeric", "config": ENDLESS}))),
        "do not fit",
    ),
    "an empty title": ((calls(new_category(" \u200b ")),), "do not fit"),
    "a title of blanks": ((calls(new_category("\u2800\u00a0\u2800")),), "do not fit"),
    "a title of two hundred and one": ((calls(new_category("x" * 201)),), "do not fit"),
    "a value of a hundred thousand characters": (
        (SEARCHED, calls(("create_question", {**QUESTION_CALL[1], "explanation": "x" * 100_000}))),
        "do not fit",
    ),
    "a statement of five thousand": (
        (SEARCHED, calls(("create_question", {**QUESTION_CALL[1], "config": {**CONFIG, "statement": "x" * 5_000}}))),
        "Not prepared",
    ),
    "a tool that is none": ((calls(("update_question", {"question": QUESTION})),), "There is no such tool"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "said"), REFUSALS.values(), ids=REFUSALS)
async def test_what_may_not_be_prepared_is_refused_to_the_model_and_nothing_waits(
    database_url: str, steps: tuple[Any, ...], said: str
) -> None:
    model = ActingModel(*steps, says("I have created it for you."))
    async with running_house(database_url, provider=model, ruled={"citations": "shown"}) as house:
        reply = await prepared(house)
        told = results(model.requests[-1])[-1]
        assert told.is_error
        assert said in told.content
        assert (reply["writes"], reply["actions"]) == ([], [])
        assert reply["kind"] != "proposal"
        assert "Nothing was changed" in reply["answer"]
        assert reply["statement"] == {"opened": [], "prepared": [], "changed": False}
        assert await written(house) == []


async def test_three_are_prepared_in_an_answer_in_the_order_they_were_asked_for_and_none_twice(
    database_url: str,
) -> None:
    titles = ["d", "c", "c", "b", "a"]
    async with running_house(database_url, provider=preparing(*map(new_category, titles))) as house:
        reply = await prepared(house)
        shown = [line["value"] for card in reply["writes"] for line in card["lines"] if line["label"] == "title"]
        assert shown == ["d", "c", "b"]
        assert len(shown) == MAX_WRITES
        for card in reply["writes"]:
            assert (await confirm(house, reply, write=card["id"])).status_code == 200
        assert len(await written(house)) == MAX_WRITES


async def test_the_turn_ends_after_a_step_that_prepared_one(database_url: str) -> None:
    model = ActingModel(calls(new_category()), calls(new_category("Arrays")))
    async with running_house(database_url, provider=model) as house:
        reply = await prepared(house)
        assert [request.may_call for request in model.requests] == [True, False]
        assert [line["value"] for line in card_of(reply)["lines"]][1] == "Loops"
        assert "Prepared, and waiting for you" in reply["answer"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [("decline", {}), ("ask_back", {"text": "Which pool?"})])
async def test_what_ends_in_a_refusal_or_a_question_prepares_nothing(
    database_url: str, pool: asyncpg.Pool, ending: tuple[str, dict[str, Any]]
) -> None:
    async with running_house(database_url, provider=ActingModel(calls(new_category(), ending))) as house:
        reply = await prepared(house)
        assert (reply["writes"], reply["statement"]["prepared"]) == ([], [])
        assert await pool.fetchval("SELECT count(*) FROM pending_writes") == 0


async def test_a_question_that_fails_leaves_no_write(database_url: str, pool: asyncpg.Pool) -> None:
    def cut(_: ModelRequest) -> ModelReply:
        raise RuntimeError("the provider's answer was lost")

    async with running_house(database_url, provider=ActingModel(calls(new_category()), cut)) as house:
        assert (await ask(house)).status_code == 500
        assert await pool.fetchval("SELECT count(*) FROM pending_writes") == 0


async def test_the_same_question_again_has_the_same_card(database_url: str) -> None:
    async with running_house(database_url, provider=preparing(new_category())) as house:
        headers = {"Idempotency-Key": "k1"}
        first, second = [(await ask(house, headers=headers)).content for _ in range(2)]
        assert first == second


async def test_without_live_data_nothing_is_prepared(database_url: str) -> None:
    model = ActingModel(calls(new_category()), says("I cannot. [s1]"))
    async with running_house(database_url, provider=model, ruled={"switches": {"live": False}}) as house:
        reply = await prepared(house)
        assert not {tool.name for tool in model.requests[0].tools} & {"create_category", "propose_question_edit"}
        assert reply["writes"] == []


async def test_no_word_of_the_model_is_on_the_card_and_no_character_that_cannot_be_seen(database_url: str) -> None:
    title = "Loops\u202e\U000e0041 <b>x</b> [y](https://elsewhere.example)"
    async with running_house(database_url, provider=preparing(new_category(title))) as house:
        reply = await prepared(house)
        (line,) = [line for line in card_of(reply)["lines"] if line["label"] == "title"]
        assert line["value"] == "Loops <b>x</b> [y](https://elsewhere.example)"
        assert (await confirm(house, reply)).json()["title"] == line["value"]
        assert house.school.rows("SELECT id FROM category WHERE title = :title", title=line["value"])


def test_the_ids_of_the_cast_are_ids() -> None:
    assert all(UUID(each) for each in (POOL, COURSE, QUESTION))
    assert screen(pool=POOL)["entities"] == {"pool": POOL}
