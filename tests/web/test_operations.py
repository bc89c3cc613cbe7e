"""What operators see: liveness, readiness check by check, metrics and headers, none of it with content."""

import re
from collections.abc import Callable, Iterator

import asyncpg
import pytest
import structlog

from assist_service.telemetry import configure_logging
from examples.reference_lms.school import FRENCH_TEACHER
from tests.fakes.house import LMS_ORIGIN, House, running_house
from tests.fakes.models import ScriptedModel, reads, says


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """What was logged as production logs, whole."""
    configure_logging("DEBUG")

    def printed() -> str:
        return "".join(capsys.readouterr())

    yield printed
    structlog.reset_defaults()


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


async def test_a_database_that_fails_is_a_plain_500_and_its_words_are_in_no_log(
    database_url: str, pool: asyncpg.Pool, logged: Callable[[], str]
) -> None:
    async with running_house(database_url) as house:
        await pool.execute("ALTER TABLE exchanges RENAME COLUMN route TO canary_column")
        asked = await house.ask("A canary question?")
        assert (asked.status_code, asked.json()["code"]) == (500, "internal_error")
        await pool.execute("ALTER TABLE exchanges RENAME COLUMN canary_column TO route")
        assert (await house.ask()).status_code == 200
        assert await pool.fetchval("SELECT count(*) FROM conversations") == 1
    printed = logged()
    assert '"event": "unexpected"' in printed
    assert "UndefinedColumnError" in printed
    assert "canary" not in printed
    assert "column" not in printed.replace("UndefinedColumnError", "")


async def test_a_database_that_is_gone_is_not_ready_and_comes_back(database_url: str) -> None:
    name = re.search(r"/(test_\w+)\?", database_url)
    assert name is not None
    async with running_house(database_url) as house:
        server = await asyncpg.connect(database_url.replace(f"/{name[1]}?", "/postgres?"))
        await server.execute(f"ALTER DATABASE {name[1]} ALLOW_CONNECTIONS false")
        await server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name[1])
        ready = await house.service.get("/readyz")
        assert (ready.status_code, ready.json()["ready"]) == (503, False)
        assert ready.json()["checks"]["database"] == "unknown"
        assert (await house.ask()).json()["code"] == "internal_error"
        assert (await house.service.get("/healthz")).status_code == 200
        await server.execute(f"ALTER DATABASE {name[1]} ALLOW_CONNECTIONS true")
        await server.close()
        assert (await house.service.get("/readyz")).status_code == 200
        assert (await house.ask()).status_code == 200


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


async def test_no_content_reaches_logs_metrics_or_problems(database_url: str, logged: Callable[[], str]) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("A canary answer [s1]."), says(""))
    async with running_house(database_url, provider=model) as house:
        token = await house.token()
        await house.ask("A canary question?")
        failed = await house.ask("Another canary question?")
        assert failed.status_code == 503
        metrics = (await house.service.get("/metrics")).text
        assert 'assist_questions_total{kind="manual"}' in metrics
        printed = logged()
        for text in (printed, metrics, failed.text):
            for canary in ("canary", token, FRENCH_TEACHER.sub, FRENCH_TEACHER.name):
                assert canary not in text
        assert '"route": "/assist/ask"' in printed


async def test_browsers_may_call_from_the_lms_only_and_nothing_is_cached(database_url: str) -> None:
    async with running_house(database_url) as house:
        assert (await _preflight(house, LMS_ORIGIN)) == LMS_ORIGIN
        assert (await _preflight(house, "https://evil.example")) is None
        answer = await house.service.get("/assist/availability", headers=await house.bearer())
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        refused = await house.service.options("/assist/ask", headers={"Origin": "https://evil.example"})
        assert refused.headers["cache-control"] == "no-store"


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
