"""A house whose questions and answers are moderated over OpenAI's wire, and what must hold when one is not let by."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import httpx2
import pytest

from assist_service.ports import ModelProvider
from tests.fakes.house import House, running_house
from tests.fakes.moderation_wire import API_KEY, MODERATOR, ModerationWire
from tests.fakes.serving import serve
from tests.web.kept_rows import kept
from tests.web.live_questions import live_tokens, settled

MONEY = {"llm_calls", "llm_days"}
"""What a provider was asked is paid for, whatever becomes of the answer."""

RATES = "question_rates"


@asynccontextmanager
async def moderated_house(
    database_url: str,
    wire: ModerationWire,
    monkeypatch: pytest.MonkeyPatch,
    *,
    provider: ModelProvider | None = None,
    **changes: Any,
) -> AsyncIterator[House]:
    """The house, moderated by this wire."""
    async with (
        serve(wire) as url,
        house_moderated_at(f"{url}/v1", database_url, monkeypatch, provider=provider, **changes) as house,
    ):
        yield house
    assert wire.violations == []


@asynccontextmanager
async def house_moderated_at(
    url: str,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    provider: ModelProvider | None = None,
    **changes: Any,
) -> AsyncIterator[House]:
    """The same, moderated by whatever answers there."""
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", API_KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    async with running_house(database_url, provider=provider, moderation=MODERATOR, **changes) as house:
        yield house


async def rows_but_rates(pool: asyncpg.Pool, *, paid: bool = False) -> dict[str, Any]:
    """Every row of every table but the counts of questions; `paid` leaves out what providers were asked, too."""
    left_out = {RATES} | (MONEY if paid else set())
    return {table: rows for table, rows in (await kept(pool)).items() if table not in left_out}


async def counted(pool: asyncpg.Pool) -> int:
    """How many questions the limits have counted."""
    return int(await pool.fetchval(f"SELECT coalesce(sum(day_count), 0) FROM {RATES}"))  # noqa: S608 a name of ours


async def refuse_traces(house: House, pool: asyncpg.Pool) -> None:
    """No token is worth anything, nothing is held, everything is settled."""
    assert await live_tokens(house) == []
    assert await settled(pool)
    assert await pool.fetchval("SELECT count(*) FROM conversations WHERE lease IS NOT NULL") == 0
    assert await pool.fetchval("SELECT count(*) FROM idempotent_replies WHERE sealed_reply IS NULL") == 0


def problem(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, str(answer.json()["code"])


def checks_of(ready: httpx2.Response) -> Mapping[str, str]:
    checks: Mapping[str, str] = ready.json()["checks"]
    return checks
