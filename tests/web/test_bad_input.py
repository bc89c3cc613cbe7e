"""Every malformed question is a documented refusal with the field named, and nothing of it is kept."""

import json
from typing import Any

import asyncpg
import pytest

from tests.fakes.house import House, question_body, running_house
from tests.fakes.models import ScriptedModel, says

GOOD = question_body()


def _context(**changes: Any) -> dict[str, Any]:
    return question_body(context={**GOOD["context"], **changes})


def _command(**changes: Any) -> dict[str, Any]:
    return {"id": "a", "label": "A", "effect": "none", "gesture": False, "danger": False, **changes}


UUID = "7ae367d2-ee69-4d77-afbb-5be26ee7f121"

INVALID: list[tuple[str, Any, str]] = [
    ("a student among the entities", _context(entities={"student": UUID}), "context.entities.student"),
    ("a user among the entities", _context(entities={"user": UUID}), "context.entities.user"),
    ("an enrolment among the entities", _context(entities={"enrollment": UUID}), "context.entities.enrollment"),
    ("an attempt among the entities", _context(entities={"attempt": UUID}), "context.entities.attempt"),
    ("an entity that is no UUID", _context(entities={"pool": "printf"}), "context.entities.pool"),
    ("an id in the route", _context(route=f"/pools/{UUID}"), "context.route"),
    ("a name in the route", _context(route="/pools/marie-dupont"), "context.route"),
    ("a capital in the route", _context(route="/Pools/:id"), "context.route"),
    ("a query in the route", _context(route="/pools/:id?q=x"), "context.route"),
    ("a tab that is no literal", _context(route="/pools/:id?tab=Stats"), "context.route"),
    ("a tab the screen has not", _context(route="/pools/:id?tab=marie"), "context.route"),
    ("a route of nowhere", _context(route="/grades/:id"), "context.route"),
    ("a long route", _context(route="/" + "a" * 200), "context.route"),
    ("a route that is no text", _context(route=7), "context.route"),
    ("an unknown key", _context(student="x"), "context.student"),
    ("another language", _context(language="de"), "context.language"),
    ("a topic that is prose", _context(topic="My pupil Marie"), "context.topic"),
    ("41 commands", _context(commands=[_command(id=f"c{n}") for n in range(41)]), "context.commands"),
    ("a long label", _context(commands=[_command(label="x" * 81)]), "context.commands.0.label"),
    ("an invisible label", _context(commands=[_command(label="A\U000e0041")]), "context.commands.0.label"),
    ("a label of two lines", _context(commands=[_command(label="A\nB")]), "context.commands.0.label"),
    ("an id of capitals", _context(commands=[_command(id="Try It")]), "context.commands.0.id"),
    ("an unknown effect", _context(commands=[_command(effect="delete")]), "context.commands.0.effect"),
    ("a word for a truth", _context(commands=[_command(gesture="true")]), "context.commands.0.gesture"),
    ("one command twice", _context(commands=[_command(), _command()]), "context.commands"),
    ("an over-long question", question_body("x" * 2001), "question"),
    ("an empty question", question_body(""), "question"),
    ("a blank question", question_body("  \n "), "question"),
    ("an invisible question", question_body("\U000e0041\u200b"), "question"),
    ("a question that is none", question_body(7), "question"),
    ("no question", {k: v for k, v in GOOD.items() if k != "question"}, "question"),
    ("no context", {k: v for k, v in GOOD.items() if k != "context"}, "context"),
    ("a conversation that is no id", question_body(conversation_id="mine"), "conversation_id"),
    ("an unknown key at the top", question_body(system="obey"), "system"),
    ("a draft without its base", question_body(editor={"question_id": UUID, "type": "mcq"}), "editor.base"),
    ("a list", [GOOD], "body"),
    ("a text", "question", "body"),
    ("nothing", None, "body"),
]

RAW: list[tuple[str, bytes, int, str]] = [
    ("no body", b"", 422, "invalid_request"),
    ("no JSON", b"{", 422, "invalid_request"),
    ("not UTF-8", b'{"question": "\xff\xfe"}', 422, "invalid_request"),
    ("NUL", json.dumps(question_body("a\x00b")).encode(), 422, "invalid_request"),
    ("NUL in a key", json.dumps({**GOOD, "a\x00": 1}).encode(), 422, "invalid_request"),
    ("a lone surrogate", json.dumps(question_body("a\ud800b")).encode(), 422, "invalid_request"),
    ("a lone surrogate in a key", json.dumps({**GOOD, "\udfff": 1}).encode(), 422, "invalid_request"),
    ("NaN", json.dumps(question_body(conversation_id=float("nan"))).encode(), 422, "invalid_request"),
    ("a number beyond all", b'{"question": 1e999}', 422, "invalid_request"),
    ("a number of 5,000 digits", b'{"question": ' + b"9" * 5000 + b"}", 422, "invalid_request"),
    ("nested 40 deep", b'{"question": ' + b"[" * 40 + b"]" * 40 + b"}", 422, "invalid_request"),
    ("nested 100,000 deep", b"[" * 100_000, 422, "invalid_request"),
    ("10 MB", json.dumps(question_body("x" * 10_000_000)).encode(), 413, "too_large"),
    ("just over 1 MiB", b'"' + b"x" * (1024 * 1024) + b'"', 413, "too_large"),
]


async def _nothing_kept(pool: asyncpg.Pool) -> None:
    for table in ("conversations", "exchanges", "idempotent_replies", "question_rates", "llm_calls", "llm_days"):
        assert await pool.fetchval(f"SELECT count(*) FROM {table}") == 0, table  # noqa: S608 a constant list


async def test_each_invalid_body_names_its_field(database_url: str, pool: asyncpg.Pool) -> None:
    model = ScriptedModel(says("never"))
    async with running_house(database_url, provider=model) as house:
        headers = {**await house.bearer(), "Idempotency-Key": "k"}
        for name, body, field in INVALID:
            answer = await house.service.post("/assist/ask", json=body, headers=headers)
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (422, "invalid_request"), name
            assert field in [error["field"] for error in problem["errors"]], (name, problem)
        assert model.requests == []
        await _nothing_kept(pool)


async def test_any_bytes_are_a_documented_refusal(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        headers = {**await house.bearer(), "Content-Type": "application/json"}
        for name, content, status, code in RAW:
            answer = await house.service.post("/assist/ask", content=content, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (status, code), name
        await _nothing_kept(pool)


async def test_a_refusal_never_quotes_what_was_sent(database_url: str) -> None:
    canary = "Marie Dupont 4.5"
    async with running_house(database_url) as house:
        headers = await house.bearer()
        for body in (
            question_body(canary, **{canary: 1}),
            _context(route=canary),
            _context(topic=canary),
            _context(language=canary),
            _context(entities={canary: UUID, "pool": canary}),
            _context(commands=[_command(id=canary, label=canary * 9, effect=canary)]),
            question_body(canary, conversation_id=canary),
        ):
            answer = await house.service.post("/assist/ask", json=body, headers=headers)
            assert answer.status_code == 422
            assert "Marie" not in answer.text


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 256])
async def test_a_key_that_is_none(database_url: str, key: str) -> None:
    async with running_house(database_url) as house:
        answer = await _ask_with_raw_key(house, key)
        assert (answer["code"], answer["errors"][0]["field"]) == ("invalid_request", "Idempotency-Key")


async def _ask_with_raw_key(house: House, key: str) -> Any:
    headers = [
        *((name.encode(), value.encode()) for name, value in (await house.bearer()).items()),
        (b"Idempotency-Key", key.encode("latin-1")),
    ]
    return (await house.service.post("/assist/ask", json=GOOD, headers=headers)).json()


async def test_a_draft_of_another_screen_or_question(database_url: str) -> None:
    draft = {"question_id": UUID, "type": "mcq", "base": "7", "config": {}, "explanation": ""}
    other = "4ee8e431-d881-46ee-bbdc-234a849d098c"
    async with running_house(database_url) as house:
        for context in (
            _context(entities={"question": UUID}),
            _context(route="/questions/:id", entities={"question": other}),
            _context(route="/questions/:id"),
        ):
            answer = await house.ask(context=context["context"], editor=draft)
            assert (answer.status_code, answer.json()["code"]) == (422, "editor_off_screen")
        fine = await house.ask(
            context=_context(route="/questions/:id", entities={"question": UUID})["context"], editor=draft
        )
        assert fine.status_code == 200


async def test_a_reference_that_nobody_gave(database_url: str) -> None:
    async with running_house(database_url) as house:
        answer = await house.ask(reference="x")
        assert (answer.status_code, answer.json()["code"]) == (422, "reference_invalid")


async def test_addresses_and_methods_that_are_not(database_url: str) -> None:
    async with running_house(database_url) as house:
        nowhere = await house.service.get("/assist/nothing")
        assert (nowhere.status_code, nowhere.json()["code"]) == (404, "not_found")
        wrong = await house.service.put("/assist/ask", json={})
        assert (wrong.status_code, wrong.json()["code"], wrong.headers["allow"]) == (405, "method_not_allowed", "POST")
        slash = await house.service.get("/assist/conversations/")
        assert slash.status_code == 404
        for path in (
            "/assist/conversations?limit=0",
            "/assist/conversations?limit=x",
            "/assist/conversations?cursor=x",
        ):
            answer = await house.service.get(path, headers=await house.bearer())
            assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
        for path in ("/assist/conversations/%00", "/assist/conversations/%ff", "/assist/people/%00/conversations"):
            answer = await house.service.get(path, headers=await house.bearer())
            assert (answer.status_code, answer.json()["code"]) == (404, "conversation_not_found")
