"""What operators see: liveness, readiness check by check, metrics and headers, none of it with content."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping

import asyncpg
import pytest
import structlog

from assist_service.domain.breaker import State
from assist_service.services.gauges import READ_EVERY_SECONDS, READ_SECONDS
from assist_service.telemetry import REGISTRY, configure_logging, set_breaker
from examples.reference_lms.school import FRENCH_TEACHER
from tests.fakes.house import LMS_ORIGIN, House, running_house
from tests.fakes.models import ScriptedModel, reads, says

pytestmark = pytest.mark.slow


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


def metric(name: str, **labels: str) -> float | None:
    """A metric of this process, which all its tests count in: look at differences, or at a gauge."""
    return REGISTRY.get_sample_value(name, labels)


def differences(before: Mapping[str, float | None], after: Mapping[str, float | None]) -> dict[str, float]:
    return {name: (after[name] or 0.0) - (before[name] or 0.0) for name in after}


async def test_a_scrape_shows_the_days_money_by_purpose_the_cap_and_the_share(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with running_house(database_url, daily_cap_usd="8", chat_share="0.25", purposes=("grading",)) as house:
        await house.ask()
        metrics = (await house.service.get("/metrics")).text
        spent = await pool.fetchval("SELECT chat_spent_micros FROM llm_days")
        assert spent > 0
        assert metric("assist_budget_up") == 1
        assert metric("assist_budget_spent_micros", purpose="assist") == spent
        assert metric("assist_budget_spent_micros", purpose="grading") == 0
        assert metric("assist_budget_cap_micros") == 8_000_000
        assert metric("assist_budget_chat_share_micros") == 2_000_000
        assert metric("assist_breaker_state", model="stub") == 0
        assert metric("assist_publication_live") == 1
        assert 'assist_budget_reserved_micros{purpose="assist"} 0.0' in metrics


async def test_every_breaker_is_shown_from_the_start(database_url: str) -> None:
    standby = ScriptedModel(says("Never."), model="anthropic:claude-sonnet-5-5")
    async with running_house(database_url, fallback=standby, fallback_model=standby.model):
        assert metric("assist_breaker_state", model=standby.model) == 0
        set_breaker(model=standby.model, state=State.OPEN)
    async with running_house(database_url, fallback=standby, fallback_model=standby.model):
        assert metric("assist_breaker_state", model=standby.model) == 0


async def test_a_scrape_outlives_the_database_and_says_so(database_url: str) -> None:
    name = re.search(r"/(test_\w+)\?", database_url)
    assert name is not None
    async with running_house(database_url) as house:
        assert "assist_budget_up 1.0" in (await house.service.get("/metrics")).text
        server = await asyncpg.connect(database_url.replace(f"/{name[1]}?", "/postgres?"))
        await server.execute(f"ALTER DATABASE {name[1]} ALLOW_CONNECTIONS false")
        await server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name[1])
        house.clock.move(READ_EVERY_SECONDS)
        answer = await house.service.get("/metrics")
        await server.execute(f"ALTER DATABASE {name[1]} ALLOW_CONNECTIONS true")
        await server.close()
        assert answer.status_code == 200
        assert "assist_budget_up 0.0" in answer.text
        assert "assist_budget_spent_micros{" not in answer.text
        assert "assist_budget_cap_micros" in answer.text
        house.clock.move(READ_EVERY_SECONDS)
        assert "assist_budget_up 1.0" in (await house.service.get("/metrics")).text


async def test_a_table_locked_by_somebody_holds_up_no_scrape(database_url: str, pool: asyncpg.Pool) -> None:
    async with running_house(database_url) as house, pool.acquire() as other, other.transaction():
        await other.execute("LOCK llm_calls")
        async with asyncio.timeout(READ_SECONDS + 3):
            answer = await house.service.get("/metrics")
        assert "assist_budget_up 0.0" in answer.text


async def test_questions_are_counted_with_their_steps_and_their_time(database_url: str) -> None:
    model = ScriptedModel(reads("teacher/pools"), says("An answer [s1]."), says(""))

    def counted() -> dict[str, float | None]:
        return {
            "manual": metric("assist_question_seconds_count", kind="manual"),
            "failed": metric("assist_question_seconds_count", kind="failed"),
            "questions": metric("assist_question_steps_count"),
            "steps": metric("assist_question_steps_sum"),
        }

    async with running_house(database_url, provider=model) as house:
        before = counted()
        assert (await house.ask()).status_code == 200
        assert (await house.ask()).status_code == 503
        assert differences(before, counted()) == {"manual": 1, "failed": 1, "questions": 2, "steps": 3}


async def test_no_address_method_or_header_of_a_caller_is_a_label(database_url: str) -> None:
    async with running_house(database_url) as house:
        for method, path in (
            ("CANARY", "/healthz"),
            ("GET", "/canary/anne"),
            ("GET", "/assist/conversations/canary-anne"),
            ("GET", "/assist/manual/canary/anne?canary=anne"),
        ):
            await house.service.request(method, path, headers={"X-Request-Id": "canary", "User-Agent": "canary"})
        metrics = (await house.service.get("/metrics")).text
        assert 'method="(other)"' in metrics
        assert 'route="(none)"' in metrics
        assert "canary" not in metrics.lower()


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
