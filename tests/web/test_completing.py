"""`POST /llm/complete` over HTTP: a valid object or a documented refusal, asked for twice at most, nothing kept."""

import json
from collections.abc import Callable, Iterator

import asyncpg
import pytest
import structlog

from assist_service.domain.messages import AssistantText, ModelReply, ProviderFault, ProviderFaultKind, Stop, UserText
from assist_service.telemetry import configure_logging
from examples.reference_lms.clients import CLIENT
from tests.fakes.house import completion_body, running_house
from tests.fakes.models import USAGE, ScriptedModel, calls, says

pytestmark = pytest.mark.slow

GOOD = '{"points": 4, "comment": "Well done"}'
SCHEMA = completion_body()["schema"]

BUSY = ProviderFault(ProviderFaultKind.TRANSIENT, billed=False, reason="status_529")
GONE = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="status_400")


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """What was logged as production logs, whole."""
    configure_logging("DEBUG")

    def printed() -> str:
        return "".join(capsys.readouterr())

    yield printed
    structlog.reset_defaults()


async def test_a_valid_object_comes_back_with_its_receipt(database_url: str, pool: asyncpg.Pool) -> None:
    model = ScriptedModel(says(GOOD))
    async with running_house(database_url, provider=model) as house:
        answer = await house.complete()
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        assert answer.json() == {
            "output": {"points": 4, "comment": "Well done"},
            "receipt": {
                "models": ["stub"],
                "requests": 1,
                "input_tokens": 100,
                "cached_input_tokens": 0,
                "output_tokens": 20,
                "cost_micros": 400,
            },
        }
    row = await pool.fetchrow("SELECT purpose, model, person, cost_micros, outcome FROM llm_calls")
    assert row is not None
    assert tuple(row) == ("grading", "stub", CLIENT, 400, "ok")
    for table in ("conversations", "exchanges", "idempotent_replies", "question_rates"):
        assert await pool.fetchval(f"SELECT count(*) FROM {table}") == 0  # noqa: S608 a constant list


async def test_the_model_is_asked_for_one_object_and_may_call_nothing(database_url: str) -> None:
    model = ScriptedModel(says(GOOD))
    spoken = [
        {"role": "system", "content": "Grade\U000e0041."},
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "2 + 2 = 4\u202e"},
        {"role": "assistant", "content": "Earlier."},
        {"role": "user", "content": "And now?"},
    ]
    async with running_house(database_url, provider=model) as house:
        assert (await house.complete(messages=spoken, max_tokens=77)).status_code == 200
    [request] = model.requests
    assert request.messages == (UserText("2 + 2 = 4"), AssistantText("Earlier."), UserText("And now?"))
    assert request.prefix.startswith("Grade.\n\nBe kind.\n\nAnswer with one JSON object")
    assert request.prefix.endswith(json.dumps(SCHEMA, separators=(",", ":")))
    assert (request.screen, request.tools, request.may_call, request.max_tokens) == ("", (), False, 77)
    assert request.output_schema == SCHEMA


async def test_the_stub_answers_without_a_key(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await house.complete(model="stub")).json()["output"] == {"points": 0, "comment": ""}


TAKEN: dict[str, str] = {
    "a code fence": f"```json\n{GOOD}\n```",
    "a code fence without a word": f"```\n{GOOD}```",
    "space around": f" \n{GOOD}\n ",
    "invisible characters": '{"points": 4, "comment": "Well\U000e0041 \\u202edone"}',
    "an invisible character in a key": '{"points": 4, "com\\u200bment": "Well done"}',
}


async def test_what_is_taken_for_the_object(database_url: str) -> None:
    async with running_house(database_url, provider=ScriptedModel(*map(says, TAKEN.values()))) as house:
        for name in TAKEN:
            answer = (await house.complete()).json()
            assert (answer["output"], answer["receipt"]["requests"]) == (json.loads(GOOD), 1), name


NONE: dict[str, ModelReply] = {
    "words": says("Here you are."),
    "words around": says(f"Here: {GOOD}"),
    "two objects": says(GOOD + GOOD),
    "two fences": says(f"```\n{GOOD}\n```\n```\n{GOOD}\n```"),
    "a list": says(f"[{GOOD}]"),
    "a text": says('"points"'),
    "nothing": says(""),
    "blank": says(" \n"),
    "an open fence": says(f"```json\n{GOOD}"),
    "half of it": says(GOOD[:-1]),
    "cut short, though whole": says(GOOD, stop=Stop.LENGTH),
    "cut short and empty": says("", stop=Stop.LENGTH),
    "a call": calls(("grade", {})),
    "NaN": says('{"points": NaN, "comment": ""}'),
    "a number beyond all": says('{"points": 1e999, "comment": ""}'),
    "a number of too many digits": says('{"points": ' + "9" * 5_000 + ', "comment": ""}'),
    "a key twice": says('{"points": 4, "points": 5, "comment": ""}'),
    "a key twice but for what nobody sees": says('{"points": 4, "comment": "", "com\\u200bment": "x"}'),
    "a lone surrogate": says('{"points": 4, "comment": "\ud800"}'),
    "a lone surrogate, escaped": says('{"points": 4, "comment": "\\udfff"}'),
    "a NUL, escaped": says('{"points": 4, "comment": "\\u0000"}'),
    "nested out of reason": says('{"points": 4, "comment": ' + "[" * 100_000 + "]" * 100_000 + "}"),
    "33 levels": says('{"points": 4, "comment": ' + "[" * 32 + "]" * 32 + "}"),
    "another type": says('{"points": "4", "comment": ""}'),
    "a truth for a number": says('{"points": true, "comment": ""}'),
    "below the least": says('{"points": -1, "comment": ""}'),
    "a key too few": says('{"points": 4}'),
    "a key too many": says('{"points": 4, "comment": "", "more": 1}'),
}


async def test_what_is_none_is_asked_for_once_more(database_url: str) -> None:
    model = ScriptedModel(*(step for reply in NONE.values() for step in (reply, says(GOOD))))
    async with running_house(database_url, provider=model) as house:
        for name in NONE:
            answer = (await house.complete()).json()
            assert (answer["output"], answer["receipt"]["requests"]) == (json.loads(GOOD), 2), name
            assert answer["receipt"]["cost_micros"] == 800
            first, second = model.requests[-2:]
            assert (second.prefix, second.output_schema) == (first.prefix, first.output_schema)
            last = second.messages[-1]
            assert isinstance(last, UserText)
            assert "That was not the answer" in last.text
        assert len(model.requests) == 2 * len(NONE)


async def test_twice_none_is_no_answer(database_url: str, pool: asyncpg.Pool) -> None:
    model = ScriptedModel(*(reply for reply in NONE.values() for _ in range(2)))
    async with running_house(database_url, provider=model) as house:
        for requests, name in enumerate(NONE, start=1):
            answer = await house.complete()
            assert (answer.status_code, answer.json()["code"]) == (503, "llm_unavailable"), name
            assert len(model.requests) == 2 * requests, name
        assert await pool.fetchval("SELECT sum(cost_micros) FROM llm_calls WHERE outcome = 'ok'") == 800 * len(NONE)


async def test_the_model_is_told_what_is_wrong(database_url: str) -> None:
    model = ScriptedModel(says('{"points": -1, "comment": ""}'), says(GOOD))
    async with running_house(database_url, provider=model) as house:
        await house.complete()
    assert model.requests[1].messages[1:] == (
        AssistantText('{"points": -1, "comment": ""}'),
        UserText(
            "That was not the answer: it is not valid: at $.points: -1 is less than the minimum of 0. "
            "Answer again, with the one JSON object alone, valid by the schema."
        ),
    )


async def test_a_refusal_of_the_provider_is_no_answer_and_not_asked_again(database_url: str) -> None:
    model = ScriptedModel(says(GOOD, stop=Stop.REFUSAL))
    async with running_house(database_url, provider=model) as house:
        answer = await house.complete()
        assert (answer.status_code, answer.json()["code"]) == (503, "llm_unavailable")
        assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("steps", "status", "requests"),
    [
        ([BUSY, BUSY, says(GOOD)], 200, 3),
        ([BUSY, BUSY, BUSY, says(GOOD)], 503, 3),
        ([BUSY, says("no"), says(GOOD)], 200, 3),
        ([BUSY, BUSY, says("no"), says(GOOD)], 503, 3),
        ([BUSY, says("no"), BUSY, says(GOOD)], 503, 3),
        ([GONE, says(GOOD)], 503, 1),
    ],
)
async def test_three_provider_requests_at_most(
    database_url: str, steps: list[ModelReply | ProviderFault], status: int, requests: int
) -> None:
    model = ScriptedModel(*steps)
    async with running_house(database_url, provider=model) as house:
        answer = await house.complete()
        assert (answer.status_code, len(model.requests)) == (status, requests)


async def test_no_answer_after_the_deadline(database_url: str) -> None:
    def slow(_: object) -> ModelReply:
        house.clock.move(91)
        return says("no")

    model = ScriptedModel(slow, says(GOOD))
    async with running_house(database_url, provider=model) as house:
        answer = await house.complete()
        assert (answer.status_code, answer.json()["code"], len(model.requests)) == (503, "llm_unavailable", 1)


async def test_a_named_model_is_the_one_asked(database_url: str) -> None:
    first, second = ScriptedModel(says(GOOD)), ScriptedModel(says(GOOD), model="anthropic:claude-haiku-5-5")
    async with running_house(
        database_url, provider=first, fallback=second, fallback_model="anthropic:claude-haiku-5-5"
    ) as house:
        answer = await house.complete(model="anthropic:claude-haiku-5-5")
        assert answer.json()["receipt"]["models"] == ["anthropic:claude-haiku-5-5"]
        assert (len(first.requests), len(second.requests)) == (0, 1)


async def test_where_the_first_model_is_down_the_other_answers(database_url: str) -> None:
    first, second = ScriptedModel(BUSY), ScriptedModel(says(GOOD), model="anthropic:claude-haiku-5-5")
    async with running_house(
        database_url, provider=first, fallback=second, fallback_model="anthropic:claude-haiku-5-5"
    ) as house:
        receipt = (await house.complete()).json()["receipt"]
        assert (receipt["requests"], receipt["models"][-1]) == (2, "anthropic:claude-haiku-5-5")
        assert (await house.complete(model="stub")).status_code == 503


async def test_numbers_come_back_as_they_were_said(database_url: str) -> None:
    said = '{"a": ' + "9" * 4_000 + ', "b": -0.5, "c": 1e300}'
    async with running_house(database_url, provider=ScriptedModel(says(said))) as house:
        answer = await house.complete(schema={"type": "object"})
        assert (answer.status_code, answer.json()["output"]) == (200, json.loads(said))


async def test_purposes_are_those_set(database_url: str) -> None:
    async with running_house(database_url, purposes=("essay",)) as house:
        assert (await house.complete(purpose="essay")).status_code == 200
        for purpose in ("grading", "assist"):
            answer = await house.complete(purpose=purpose)
            assert answer.json()["errors"] == [
                {"field": "purpose", "message": "is not one of the purposes set here"}
            ], purpose


async def test_a_schema_that_runs_away_on_an_answer_is_the_callers_fault(database_url: str) -> None:
    twice = {"allOf": [{"items": {"$ref": "#/$defs/r"}}, {"items": {"$ref": "#/$defs/r"}}]}
    schema = {"type": "object", "$defs": {"r": twice}, "properties": {"x": {"$ref": "#/$defs/r"}}}
    model = ScriptedModel(says('{"x": ' + "[" * 28 + "]" * 28 + "}"))
    async with running_house(database_url, provider=model) as house:
        answer = await house.complete(schema=schema)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "schema")


async def test_nothing_of_it_is_logged_counted_or_kept(
    database_url: str, pool: asyncpg.Pool, logged: Callable[[], str]
) -> None:
    canary = "canary"
    schema = {"type": "object", "properties": {canary: {"type": "integer"}}, "required": [canary]}
    model = ScriptedModel(says('{"canary": 1}'), says('{"canary": "canary"}'))
    async with running_house(database_url, provider=model) as house:
        body = {"schema": schema, "messages": [{"role": "user", "content": canary}]}
        assert (await house.complete(**body)).status_code == 200
        failed = await house.complete(**body)
        assert failed.status_code == 503
        refused = await house.complete(**body, purpose=canary, model=canary)
        assert refused.status_code == 422
        metrics = (await house.service.get("/metrics")).text
        printed = logged()
        rows = str([tuple(row) for row in await pool.fetch("SELECT c::text FROM llm_calls c")])
        for text in (printed, metrics, failed.text, refused.text, rows):
            assert canary not in text
        assert '"reason": "off_schema"' in printed


async def test_usage_that_is_missing_is_charged_at_the_worst(database_url: str, pool: asyncpg.Pool) -> None:
    model = ScriptedModel(says(GOOD, usage=None))
    async with running_house(database_url, provider=model) as house:
        receipt = (await house.complete()).json()["receipt"]
        assert receipt["cost_micros"] == await pool.fetchval("SELECT worst_micros FROM llm_calls")
        assert (receipt["input_tokens"], USAGE.input_tokens) == (0, 100)
