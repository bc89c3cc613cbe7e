"""What refuses a question before a provider is asked is answered over the stream as without it, byte for byte."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest

from tests.fakes.house import OTHER_TEACHER, STUDENT, TEACHER, House, question_body, running_house
from tests.fakes.models import ScriptedModel, reads, says
from tests.web.streamed import EVENTS

pytestmark = pytest.mark.slow

NOBODY = "00000000-0000-4000-8000-000000000000"


async def _both(
    house: House, headers: dict[str, str], content: bytes | None = None, **changes: Any
) -> tuple[httpx2.Response, httpx2.Response]:
    """The same request to either form."""
    body: dict[str, Any] = {"json": question_body(**changes)} if content is None else {"content": content}
    plain = await house.service.post("/assist/ask", headers=headers, **body)
    streamed = await house.service.post("/assist/ask", headers={**headers, **EVENTS}, **body)
    return plain, streamed


async def _fault(house: House, fault: str, **parameters: Any) -> None:
    (await house.lms.post("/demo/faults", json={"fault": fault, **parameters})).raise_for_status()


async def _no_session(house: House) -> Any:
    return await _both(house, {"Authorization": "Bearer none"})


async def _session_of_a_kiosk(house: House) -> Any:
    return await _both(house, await house.bearer(STUDENT, kind="student_view"))


async def _during_an_exam(house: House) -> Any:
    await _fault(house, "start_exam", person=TEACHER)
    return await _both(house, await house.bearer())


async def _account_over(house: House) -> Any:
    headers = await house.bearer()
    await _fault(house, "end_account", person=TEACHER)
    return await _both(house, headers)


async def _no_standing(house: House) -> Any:
    await _fault(house, "status", status=500, path="/api/assist/standing/")
    return await _both(house, await house.bearer())


async def _not_json(house: House) -> Any:
    return await _both(house, await house.bearer(), content=b"{")


async def _empty_question(house: House) -> Any:
    return await _both(house, await house.bearer(), question=" ")


async def _too_large(house: House) -> Any:
    return await _both(house, await house.bearer(), content=b" " * (1024 * 1024 + 1))


async def _bad_key(house: House) -> Any:
    return await _both(house, {**await house.bearer(), "Idempotency-Key": "a key"})


async def _no_conversation(house: House) -> Any:
    return await _both(house, await house.bearer(), conversation_id=NOBODY)


Refused = Callable[[House], Awaitable[tuple[httpx2.Response, httpx2.Response]]]

REFUSED: list[tuple[Refused, int, str]] = [
    (_no_session, 401, "unauthenticated"),
    (_account_over, 401, "unauthenticated"),
    (_session_of_a_kiosk, 403, "not_offered"),
    (_during_an_exam, 403, "exam_in_progress"),
    (_no_conversation, 404, "conversation_not_found"),
    (_too_large, 413, "too_large"),
    (_not_json, 422, "invalid_request"),
    (_empty_question, 422, "invalid_request"),
    (_bad_key, 422, "invalid_request"),
    (_no_standing, 503, "lms_unavailable"),
]


@pytest.mark.parametrize(("refused", "status", "code"), REFUSED)
async def test_a_refusal_is_a_plain_problem(database_url: str, refused: Refused, status: int, code: str) -> None:
    model = ScriptedModel(says("never"))
    async with running_house(database_url, provider=model) as house:
        _refuse_different(*await refused(house), status=status, code=code)
        assert model.requests == []


def _refuse_different(plain: httpx2.Response, streamed: httpx2.Response, *, status: int, code: str) -> None:
    assert (streamed.status_code, streamed.json()["code"]) == (status, code)
    assert streamed.headers["content-type"] == "application/problem+json"
    assert (plain.status_code, plain.content) == (streamed.status_code, streamed.content)
    assert {**plain.headers, "date": ""} == {**streamed.headers, "date": ""}


async def test_the_minutes_limit_is_a_plain_problem(database_url: str) -> None:
    model = ScriptedModel(says("So it is."))
    ruled = {"limits": {"questions_per_minute": 1}}
    async with running_house(database_url, provider=model, ruled=ruled) as house:
        await house.ask()
        asked = len(model.requests)
        _refuse_different(*await _both(house, await house.bearer()), status=429, code="rate_limited")
        assert len(model.requests) == asked


async def test_a_share_that_is_spent_is_a_plain_problem(database_url: str) -> None:
    model = ScriptedModel(says("never"))
    async with running_house(database_url, provider=model, daily_cap_usd="0.1") as house:
        _refuse_different(*await _both(house, await house.bearer()), status=429, code="llm_budget_exhausted")
        assert model.requests == []


async def test_a_busy_conversation_and_anothers_key_are_plain_problems(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("So it is [s1]."))
    async with running_house(database_url, provider=model) as house:
        conversation = (await house.ask(headers={"Idempotency-Key": "one"})).json()["conversation_id"]
        model.hold()
        sent = {**await house.bearer(), **EVENTS}
        body = question_body(conversation_id=conversation)
        async with house.service.stream("POST", "/assist/ask", json=body, headers=sent) as running:
            assert running.status_code == 200
            busy = await _both(house, await house.bearer(), conversation_id=conversation)
            _refuse_different(*busy, status=409, code="conversation_busy")
            other = await _both(house, {**await house.bearer(), "Idempotency-Key": "one"}, question="Another?")
            _refuse_different(*other, status=422, code="idempotency_mismatch")
            theirs = await _both(house, await house.bearer(OTHER_TEACHER), conversation_id=conversation)
            _refuse_different(*theirs, status=404, code="conversation_not_found")
            model.let_go()
            await running.aread()
            assert "event: reply" in running.text
