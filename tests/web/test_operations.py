"""What operators see: liveness, readiness check by check, metrics and headers, none of it with content."""

import asyncpg
import pytest

from examples.reference_lms.school import FRENCH_TEACHER
from tests.fakes.house import LMS_ORIGIN, House, running_house
from tests.fakes.models import ScriptedModel, reads, says


async def test_alive_and_ready(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await house.service.get("/healthz")).text == "ok"
        ready = await house.service.get("/readyz")
        assert ready.status_code == 200
        assert ready.json() == {
            "ready": True,
            "checks": {
                "database": "ok",
                "publication": "ok",
                "llm.budget": "ok",
                "lms": "ok",
                "moderation": "not_set",
            },
        }


async def test_a_database_that_is_gone_is_not_ready_and_every_question_a_plain_500(
    database_url: str, pool: asyncpg.Pool, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running_house(database_url) as house:
        await pool.execute("ALTER TABLE conversations RENAME TO hidden")
        headers = await house.bearer()
        answer = await house.service.get("/assist/conversations", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
        assert "conversations" not in answer.text
        await pool.execute("ALTER TABLE hidden RENAME TO conversations")
        assert (await house.service.get("/assist/conversations", headers=headers)).status_code == 200
    assert "relation" not in capsys.readouterr().out


async def test_a_cap_refused_today_is_reported_and_does_not_decide(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house:
        await pool.execute(
            """INSERT INTO llm_calls (id, day, purpose, model, person, question_id, reserved_at, lease_until,
               worst_micros, settled_at, outcome, cost_micros)
               VALUES (gen_random_uuid(), $1, 'grading', 'stub', 'lms', gen_random_uuid(), $2, $2, 0, $2,
               'cap_refused', 0)""",
            house.clock.now().date(),
            house.clock.now(),
        )
        ready = await house.service.get("/readyz")
        assert (ready.status_code, ready.json()["checks"]["llm.budget"]) == (200, "failed")


async def test_an_lms_that_does_not_answer_is_reported_and_sessions_are_told_so(database_url: str) -> None:
    async with running_house(database_url) as house:
        await house.lms.post("/demo/faults", json={"fault": "jwks_down"})
        token = await house.token()
        answer = await house.service.get("/assist/conversations", headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json()["code"]) == (503, "lms_unavailable")
        ready = await house.service.get("/readyz")
        assert (ready.status_code, ready.json()["checks"]["lms"]) == (200, "failed")
        await house.lms.post("/demo/faults", json={"fault": "none"})
        house.clock.move(31)
        answer = await house.service.get("/assist/conversations", headers=await house.bearer())
        assert answer.status_code == 200


async def test_no_content_reaches_logs_metrics_or_problems(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("A canary answer [s1]."), says(""))
    async with running_house(database_url, provider=model) as house:
        token = await house.token()
        await house.ask("A canary question?")
        failed = await house.ask("Another canary question?")
        assert failed.status_code == 503
        metrics = (await house.service.get("/metrics")).text
        assert 'assist_questions_total{kind="manual"}' in metrics
        printed = capsys.readouterr()
        for text in (printed.out, printed.err, metrics, failed.text):
            for canary in ("canary", token, FRENCH_TEACHER.sub, FRENCH_TEACHER.name):
                assert canary not in text
        assert "/assist/ask" in printed.out + printed.err


async def test_browsers_may_call_from_the_lms_only_and_nothing_is_cached(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await _preflight(house, LMS_ORIGIN)) == LMS_ORIGIN
        assert (await _preflight(house, "https://evil.example")) is None
        answer = await house.service.get("/assist/availability", headers=await house.bearer())
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"


async def _preflight(house: House, origin: str) -> str | None:
    answer = await house.service.options(
        "/assist/ask",
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,idempotency-key",
        },
    )
    allowed: str | None = answer.headers.get("access-control-allow-origin")
    return allowed
