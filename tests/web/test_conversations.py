"""Conversations belong to one person; everyone else meets the 404 of one that never was."""

import asyncio
import uuid

import asyncpg

from tests.fakes.house import ADMINISTRATOR, OTHER_TEACHER, STUDENT, TEACHER, House, running_house
from tests.fakes.models import ScriptedModel, reads, says

NEVER = "00000000-0000-4000-8000-000000000000"


async def _conversation(house: House, *questions: str, person: str = TEACHER) -> str:
    conversation = None
    for question in questions or ("How do I create a pool?",):
        house.clock.move(1)
        answer = await house.ask(question, person=person, conversation_id=conversation)
        assert answer.status_code == 200, answer.text
        conversation = answer.json()["conversation_id"]
    assert conversation is not None
    return str(conversation)


async def test_the_owner_lists_reads_and_deletes(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        first = await _conversation(house, "How do I create a pool?", "How do I share a pool?")
        second = await _conversation(house, "What is a template?")
        headers = await house.bearer()
        listed = (await house.service.get("/assist/conversations", headers=headers)).json()
        assert [item["id"] for item in listed["items"]] == [second, first]
        assert listed["items"][1]["title"] == "How do I create a pool?"
        assert listed["next"] is None
        page = (await house.service.get("/assist/conversations?limit=1", headers=headers)).json()
        rest = (await house.service.get(f"/assist/conversations?cursor={page['next']}", headers=headers)).json()
        assert [item["id"] for item in page["items"] + rest["items"]] == [second, first]

        read = (await house.service.get(f"/assist/conversations/{first}", headers=headers)).json()
        assert [item["question"] for item in read["items"]] == ["How do I create a pool?", "How do I share a pool?"]
        assert set(read["items"][0]) == {
            "id", "at", "question", "answer", "html", "kind", "citations", "corpus_version",
        }  # fmt: skip
        assert 'data-marker="1"' in read["items"][0]["html"]
        assert await pool.fetchval("SELECT count(*) FROM audit") == 0

        gone = await house.service.delete(f"/assist/conversations/{first}", headers=headers)
        assert (gone.status_code, gone.content) == (204, b"")
        again = await house.service.delete(f"/assist/conversations/{first}", headers=headers)
        assert again.status_code == 404
        assert await pool.fetchval("SELECT count(*) FROM exchanges") == 1


async def test_anothers_conversation_is_one_that_never_was_byte_for_byte(database_url: str) -> None:
    async with running_house(database_url) as house:
        conversation = await _conversation(house)
        for person in (OTHER_TEACHER, STUDENT, ADMINISTRATOR):
            headers = await house.bearer(person)
            for method in ("GET", "DELETE"):
                theirs = await house.service.request(method, f"/assist/conversations/{conversation}", headers=headers)
                never = await house.service.request(method, f"/assist/conversations/{NEVER}", headers=headers)
                assert theirs.status_code == 404
                assert theirs.content == never.content
                assert theirs.headers.raw == never.headers.raw
            asked = await house.ask(person=person, conversation_id=conversation)
            asked_never = await house.ask(person=person, conversation_id=NEVER)
            assert (asked.status_code, asked.json()["code"]) == (404, "conversation_not_found")
            assert asked.content == asked_never.content


async def test_an_administrator_reads_with_elevated_rights_and_it_is_audited(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with running_house(database_url) as house:
        conversation = await _conversation(house)
        plain = await house.bearer(ADMINISTRATOR)
        elevated = await house.bearer(ADMINISTRATOR, elevated=True)
        people = f"/assist/people/{TEACHER}/conversations"
        assert (await house.service.get(people, headers=plain)).json()["code"] == "conversation_not_found"
        assert await pool.fetchval("SELECT count(*) FROM audit") == 0

        listed = await house.service.get(people, headers=elevated)
        assert [item["id"] for item in listed.json()["items"]] == [conversation]
        read = await house.service.get(f"/assist/conversations/{conversation}", headers=elevated)
        assert read.json()["items"][0]["question"] == "How do I create a pool?"
        entries = await pool.fetch("SELECT actor, action, subject, conversation_id FROM audit ORDER BY at, action")
        assert [tuple(entry) for entry in entries] == [
            (ADMINISTRATOR, "assist.read", TEACHER, None),
            (ADMINISTRATOR, "assist.read", TEACHER, uuid.UUID(conversation)),
        ]

        assert (await house.service.get(f"/assist/conversations/{NEVER}", headers=elevated)).status_code == 404
        deleted = await house.service.delete(f"/assist/conversations/{conversation}", headers=elevated)
        assert deleted.status_code == 404
        assert await pool.fetchval("SELECT count(*) FROM audit") == 2
        assert await pool.fetchval("SELECT count(*) FROM exchanges") == 1


async def test_an_id_with_a_slash_is_one_persons(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        elevated = await house.bearer(ADMINISTRATOR, elevated=True)
        for sub in ("a/b", "a%2Fb", "a/conversations/data", "conversations"):
            listed = await house.service.get(f"/assist/people/{sub}/conversations", headers=elevated)
            assert (listed.status_code, listed.json()["items"]) == (200, []), sub
        entries = await pool.fetch("SELECT DISTINCT subject FROM audit ORDER BY 1")
        assert [entry["subject"] for entry in entries] == ["a/b", "a/conversations/data", "conversations"]


async def test_one_reading_of_many_pages_is_one_entry_and_no_page_goes_without(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with running_house(database_url) as house:
        conversation = await _conversation(house, "How do I create a pool?", "How do I share a pool?")
        elevated = await house.bearer(ADMINISTRATOR, elevated=True)
        path = f"/assist/conversations/{conversation}?limit=1"
        cursor = (await house.service.get(path, headers=elevated)).json()["next"]
        rest = (await house.service.get(f"{path}&cursor={cursor}", headers=elevated)).json()
        assert [item["question"] for item in rest["items"]] == ["How do I share a pool?"]
        assert await pool.fetchval("SELECT count(*) FROM audit") == 1
        assert (await house.service.get(path, headers=elevated)).status_code == 200
        assert await pool.fetchval("SELECT count(*) FROM audit") == 2

        await pool.execute("DELETE FROM audit")
        await house.service.get(f"{path}&cursor={cursor}", headers=elevated)  # begun in the middle
        assert await pool.fetchval("SELECT count(*) FROM audit") == 1


async def test_elevated_rights_of_a_teacher_are_worth_nothing(database_url: str) -> None:
    async with running_house(database_url) as house:
        conversation = await _conversation(house)
        headers = await house.bearer(OTHER_TEACHER, elevated=True)
        for path in (f"/assist/conversations/{conversation}", f"/assist/people/{TEACHER}/conversations"):
            assert (await house.service.get(path, headers=headers)).status_code == 404


async def test_a_conversation_deleted_while_the_model_answers(database_url: str, pool: asyncpg.Pool) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So [s1]."), says("Late [s1]."))
    async with running_house(database_url, provider=model) as house:
        conversation = await _conversation(house)
        model.hold()
        running = asyncio.create_task(house.ask(conversation_id=conversation, headers={"Idempotency-Key": "k"}))
        await model.asked(3)
        deleted = await house.service.delete(f"/assist/conversations/{conversation}", headers=await house.bearer())
        assert deleted.status_code == 204
        model.let_go()
        late = await running
        assert (late.status_code, late.json()["code"]) == (404, "conversation_not_found")
        for table in ("conversations", "exchanges", "idempotent_replies"):
            assert await pool.fetchval(f"SELECT count(*) FROM {table}") == 0, table  # noqa: S608 a constant list


async def test_a_conversation_ends_after_its_idle_and_its_total_time(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."), says("Again [s1]."))
    times = {"conversation": {"idle_minutes": 30, "total_hours": 1}}
    async with running_house(database_url, provider=model, ruled=times) as house:

        async def is_active() -> bool:
            listed = await house.service.get("/assist/conversations", headers=await house.bearer())
            return bool(listed.json()["items"][0]["active"])

        conversation = await _conversation(house)
        for _ in range(2):
            house.clock.move(29 * 60)
            assert (await house.ask(conversation_id=conversation)).status_code == 200
        assert await is_active()
        house.clock.move(2 * 60)
        assert not await is_active()
        ended = await house.ask(conversation_id=conversation)
        assert (ended.status_code, ended.json()["code"]) == (409, "conversation_ended")

        idle = await _conversation(house)
        house.clock.move(30 * 60)
        assert (await house.ask(conversation_id=idle)).json()["code"] == "conversation_ended"
        assert len(model.requests) == 5
