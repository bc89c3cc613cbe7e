"""Follow-up references over HTTP: what is wrong with one is one refusal, and a choice is answered without a model."""

import asyncio
import base64
import json
import uuid
from typing import Any

import asyncpg
import pytest

from assist_service.domain.conversation import CHOSE, LOOKED_UP
from assist_service.web.schemas import REFERENCE_CHARACTERS
from tests.fakes.house import OTHER_TEACHER, TEACHER, House, question_body
from tests.fakes.models import ScriptedModel, calls, says
from tests.web.choosing import (
    begun,
    calls_paid,
    choice,
    choose,
    choosing_house,
    class_id,
    classes_of,
    follow_up,
    students_of,
    told_apart,
)
from tests.web.kept_rows import all_kept, kept
from tests.web.live_questions import asked_of_lms, spoken
from tests.web.person_rows import at_data
from tests.web.streamed import EVENTS, steps, told

pytestmark = pytest.mark.slow

LOOKS_UP = calls(("query_classes", {"operation": "list"}))
CANARY = "canaryword"
DAY = 24 * 60 * 60


def looks_up(_: object) -> Any:
    """As often as it is asked."""
    return calls(("query_classes", {"operation": "list"}))


async def row_as_token(pool: asyncpg.Pool, prefix: str) -> str:
    """The sealed text of an exchange, in the form of a token."""
    row = await pool.fetchrow("SELECT key_id, sealed FROM exchanges WHERE owner = $1 LIMIT 1", TEACHER)
    assert row is not None
    return ".".join((prefix, row["key_id"], base64.urlsafe_b64encode(row["sealed"]).decode().rstrip("=")))


def mutated(token: str) -> dict[str, str]:
    """The token changed a little, at each of its parts."""
    prefix, key_id, sealed = token.split(".")
    middle = len(sealed) // 2
    other = "A" if sealed[middle] != "A" else "B"
    return {
        "another first letter": f"{'f' if prefix == 'c' else 'c'}.{key_id}.{sealed}",
        "another key's name": f"{prefix}.{key_id[::-1]}.{sealed}",
        "a letter changed": f"{prefix}.{key_id}.{sealed[:middle]}{other}{sealed[middle + 1 :]}",
        "cut short": token[:-1],
        "longer": token + "A",
        "padded": token + "=",
        "a letter of no alphabet": token[:-1] + "é",
        "nothing": "",
        "as long as may be": "x" * REFERENCE_CHARACTERS,
    }


async def test_whatever_is_wrong_with_a_reference_is_one_refusal_before_anything_is_asked(
    database_url: str, pool: asyncpg.Pool
) -> None:
    model = ScriptedModel(looks_up)
    async with choosing_house(database_url, provider=model) as house:
        mine, mine_too = await begun(house), await begun(house)
        theirs = await begun(house, OTHER_TEACHER)
        asks: list[tuple[str, str, str | None]] = []
        for token in (choice(house, mine), follow_up(house, mine)):
            asks += [(TEACHER, changed, mine) for changed in mutated(token).values()]
            asks += [(TEACHER, token, mine_too), (TEACHER, token, None), (TEACHER, token, str(uuid.uuid4()))]
            asks += [(OTHER_TEACHER, token, mine), (OTHER_TEACHER, token, theirs), (OTHER_TEACHER, token, None)]
        asks.append((TEACHER, choice(house, theirs, person=OTHER_TEACHER), theirs))
        asks += [(TEACHER, await row_as_token(pool, prefix), mine) for prefix in ("c", "f")]
        old = [choice(house, mine), follow_up(house, mine)]
        before = (await kept(pool), await asked_of_lms(house), len(model.requests))
        signed = {person: await house.bearer(person) for person in (TEACHER, OTHER_TEACHER)}
        bodies = set()
        for person, token, conversation in asks:
            for question, headers in (("", {"Idempotency-Key": "one"}), ("How is it?", EVENTS)):
                answer = await house.service.post(
                    "/assist/ask",
                    json=question_body(question, conversation_id=conversation, reference=token),
                    headers={**signed[person], **headers},
                )
                bodies.add((answer.status_code, answer.headers["content-type"], answer.content))
        house.clock.move(DAY)
        for token in old:
            answer = await house.ask("How is it?", conversation_id=mine, reference=token)
            bodies.add((answer.status_code, answer.headers["content-type"], answer.content))
        assert len(bodies) == 1
        [(status, _, _)] = bodies
        assert (status, answer.json()["code"]) == (422, "reference_invalid")
        assert (await kept(pool), await asked_of_lms(house), len(model.requests)) == before


BAD: dict[str, object] = {
    "a character too long": "x" * (REFERENCE_CHARACTERS + 1),
    "half a character": "\ud800",
    "a NUL": "c.\0",
    "a number": 7,
    "a list": ["c"],
    "an object": {"token": "c"},
}


async def test_what_is_no_reference_at_all_or_asks_nothing_is_no_request(database_url: str, pool: asyncpg.Pool) -> None:
    async with choosing_house(database_url, provider=ScriptedModel(looks_up)) as house:
        mine = await begun(house)
        before = await kept(pool)
        asked = [("How is it?", bad) for bad in BAD.values()]
        asked += [(blank, follow_up(house, mine)) for blank in ("", "  ", "\u200b")]
        for question, reference in asked:
            answer = await house.service.post(
                "/assist/ask",
                content=as_json(question_body(question, conversation_id=mine, reference=reference)),
                headers={**await house.bearer(), "Content-Type": "application/json"},
            )
            assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request"), (question, reference)
        assert await kept(pool) == before


def as_json(body: object) -> bytes:
    """With half characters escaped, as a front end would send them."""
    return json.dumps(body).encode()


async def test_a_choice_is_answered_without_a_model_and_nobody_reads_what_stands_beside_it(
    database_url: str, pool: asyncpg.Pool
) -> None:
    model = ScriptedModel(LOOKS_UP, says("Hello."))
    async with choosing_house(database_url, provider=model) as house:
        mine, title, names = await begun(house), classes_of()[class_id()], students_of(house)
        paid, asked = await calls_paid(pool), len(model.requests)
        reply = (await choose(house, mine, choice(house, mine))).json()
        assert (reply["kind"], reply["conversation_id"], reply["language"]) == ("live", mine, "en")
        assert len(names) > 1
        assert all(name in reply["answer"] for name in names)
        assert sorted(each["label"] for each in reply["references"] if each["kind"] == "student") == told_apart(names)
        receipt = reply["receipt"]
        assert (receipt["requests"], receipt["models"], receipt["cost_micros"]) == (0, [], 0)
        assert receipt["sent"] == [{"tool": "query_students", "disclosure": "sealed"}]
        assert receipt["also_sent"] == []

        beside = await choose(house, mine, choice(house, mine), f"And {CANARY} too?")
        assert beside.json()["answer"] == reply["answer"]
        key = {"Idempotency-Key": "one"}
        token = choice(house, mine)
        first, again = [await choose(house, mine, token, headers=key) for _ in range(2)]
        assert first.status_code == 200
        assert again.content == first.content
        assert (await calls_paid(pool), len(model.requests)) == (paid, asked)
        assert CANARY not in await all_kept(pool)

        await _reads_well(house, mine, title, names)
        assert (await house.ask("And now?", conversation_id=mine)).status_code == 200
        last = spoken(model.requests[-1])
        assert (last.count(CHOSE), last.count(LOOKED_UP)) == (3, 4)
        for word in (CANARY, *classes_of().values(), *classes_of(), *names):
            assert word not in last


async def _reads_well(house: House, conversation: str, label: str, names: list[str]) -> None:
    """Their own transcript and export show what was chosen, and what was answered."""
    path = f"/assist/conversations/{conversation}"
    items = (await house.service.get(path, headers=await house.bearer())).json()["items"]
    assert [each["question"] for each in items] == ["Which classes do I have?", label, label, label]
    assert all(name in each["answer"] for each in items[1:] for name in names)
    exported = (await at_data(house, "GET")).json()["exchanges"]
    assert sorted((each["question"], each["answer"]) for each in exported) == sorted(
        (each["question"], each["answer"]) for each in items
    )
    for text in (str(items), str(exported)):
        assert CHOSE not in text
        assert LOOKED_UP not in text


async def test_a_choice_over_the_event_stream_tells_its_steps_and_fails_as_a_plain_problem(
    database_url: str,
) -> None:
    async with choosing_house(database_url, provider=ScriptedModel(looks_up)) as house:
        mine = await begun(house)
        plain = (await choose(house, mine, choice(house, mine))).json()
        house.clock.move(1)
        events = await told(house, "", conversation_id=mine, reference=choice(house, mine))
        assert steps(events) == [{"step": "looking_up", "tool": "query_students"}, {"step": "checking"}]
        assert (events[-1].name, events[-1].json["answer"]) == ("reply", plain["answer"])
        headers = await house.bearer()
        token = choice(house, mine)
        await house.service.delete(f"/assist/conversations/{mine}", headers=headers)
        for streamed in ({}, EVENTS):
            answer = await choose(house, mine, token, headers=streamed)
            assert (answer.status_code, answer.json()["code"]) == (404, "conversation_not_found")
            assert answer.headers["content-type"] == "application/problem+json"


async def test_a_choice_finds_its_conversation_busy_or_ended(database_url: str) -> None:
    model = ScriptedModel(looks_up)
    async with choosing_house(database_url, provider=model) as house:
        mine = await begun(house)
        model.hold()
        running = asyncio.create_task(house.ask("And now?", conversation_id=mine))
        await model.asked(2)
        busy = await choose(house, mine, choice(house, mine))
        assert (busy.status_code, busy.json()["code"]) == (409, "conversation_busy")
        model.let_go()
        assert (await running).status_code == 200
        token = choice(house, mine)
        house.clock.move(31 * 60)
        ended = await choose(house, mine, token)
        assert (ended.status_code, ended.json()["code"]) == (409, "conversation_ended")
        assert len(model.requests) == 2


async def test_whether_a_person_reaches_what_they_chose_is_asked_again(database_url: str) -> None:
    async with choosing_house(database_url, provider=ScriptedModel(looks_up)) as house:
        mine = await begun(house)
        nobodys = (await choose(house, mine, choice(house, mine, classroom=str(uuid.uuid4())))).json()
        anothers = (await choose(house, mine, choice(house, mine, classroom=class_id(OTHER_TEACHER)))).json()
        token, name = choice(house, mine), students_of(house)[0]
        assert name in (await choose(house, mine, token)).json()["answer"]
        house.school.run(
            "UPDATE classroom SET course = (SELECT course FROM classroom WHERE id = :other) WHERE id = :id",
            id=class_id(),
            other=class_id(OTHER_TEACHER),
        )
        gone = (await choose(house, mine, token)).json()
        assert gone["answer"] == nobodys["answer"] == anothers["answer"]
        assert (gone["kind"], gone["references"], gone["choices"]) == ("live", [], [])
        assert name not in gone["answer"]
