"""What the gateway tells operators of each provider request, and of each that its budget did not admit."""

import datetime as dt
import uuid
from decimal import Decimal

import asyncpg
import pytest

from assist_service import telemetry
from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.budget import cost_micros
from assist_service.domain.errors import AssistError
from assist_service.domain.messages import (
    ModelReply,
    ModelRequest,
    ProviderFault,
    ProviderFaultKind,
    Usage,
    UserText,
)
from assist_service.ports import ModelProvider
from assist_service.services.gateway import Gateway
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from tests.fakes.clocks import HandClock
from tests.fakes.models import USAGE, ScriptedModel, says
from tests.postgres.money import PRICE, reserve, spend, worst_micros_of

REQUEST = ModelRequest("Rules.", "Screen.", (), (UserText("How?"),), may_call=True, max_tokens=100)

COST, WORST = cost_micros(PRICE, USAGE), worst_micros_of(REQUEST)

LOST = ProviderFault(ProviderFaultKind.TRANSIENT, billed=True, reason="timeout")
UNHEARD_OF = ProviderFault(ProviderFaultKind.PERMANENT, billed=False, reason="canary: what somebody asked")


def value(name: str, **labels: str) -> float:
    return telemetry.REGISTRY.get_sample_value(name, labels) or 0.0


class SlowlySettlingLedger(PostgresLedger):
    """Takes a minute to settle."""

    def __init__(self, pool: asyncpg.Pool, clock: HandClock) -> None:
        super().__init__(pool)
        self._clock = clock

    async def settle(self, *args: object, **kwargs: object) -> None:
        self._clock.move(60)
        await super().settle(*args, **kwargs)  # type: ignore[arg-type]  # handed on as it came


def gateway_on(
    pool: asyncpg.Pool,
    provider: ModelProvider,
    *,
    clock: HandClock | None = None,
    ledger: PostgresLedger | None = None,
    cap_micros: int = 4_000_000,
) -> Gateway:
    clock = clock or HandClock()
    telemetry.declare(models=(provider.model,), purposes=("grading",), cap_micros=cap_micros, share_micros=0)
    spending = Spending(cap_micros, Decimal("0.25"), dt.UTC)
    meter = Meter(ledger=ledger or PostgresLedger(pool), clock=clock, spending=spending)
    return Gateway(sources=(Source(provider, PRICE),), meter=meter, clock=clock)


async def ask(gateway: Gateway, *, purpose: str = "assist", max_requests: int = 6) -> None:
    await gateway.complete(
        REQUEST,
        purpose=purpose,
        caller="ada",
        completion_id=uuid.uuid4(),
        deadline=gateway.clock.monotonic() + 90,
        max_requests=max_requests,
    )


def model_named(name: str, *steps: ModelReply | ProviderFault) -> ScriptedModel:
    """A model of one test alone, so that nobody else's requests are counted under it."""
    return ScriptedModel(*steps, model=f"anthropic:{name}")


async def test_each_try_is_counted_by_its_outcome_and_its_charge(pool: asyncpg.Pool) -> None:
    model = model_named("each-try", LOST, says("So.", usage=None), says("So."))
    gateway = gateway_on(pool, model)
    await ask(gateway)
    await ask(gateway, purpose="grading")
    labels = {"provider": "anthropic", "model": model.model}
    for outcome, charged in (("timeout", "worst_case"), ("ok", "worst_case"), ("ok", "counted")):
        assert value("assist_provider_requests_total", outcome=outcome, charged=charged, **labels) == 1
    for purpose, charged, cost, worst in (
        ("assist", "worst_case", 2 * WORST, 2 * WORST),
        ("grading", "counted", COST, WORST),
    ):
        of = {"model": model.model, "purpose": purpose, "charged": charged}
        assert value("assist_provider_cost_micros_total", **of) == cost
        assert value("assist_provider_worst_micros_total", **of) == worst


async def test_counts_that_cannot_be_true_are_seen_as_missing(pool: asyncpg.Pool) -> None:
    model = model_named("unbelievable", says("So.", usage=Usage(0, 0, 0, 0)))
    await ask(gateway_on(pool, model))
    labels = {"provider": "anthropic", "model": model.model, "outcome": "ok", "charged": "worst_case"}
    assert value("assist_provider_requests_total", **labels) == 1
    assert value("assist_provider_tokens_total", model=model.model, kind="output") == 0


@pytest.mark.parametrize(("said", "outcome"), [(says("So."), "ok"), (LOST, "timeout")], ids=["a reply", "a fault"])
async def test_the_time_of_a_provider_is_its_own_and_not_the_ledgers(
    pool: asyncpg.Pool, said: ModelReply | ProviderFault, outcome: str
) -> None:
    clock = HandClock()

    def answers(_: ModelRequest) -> ModelReply | ProviderFault:
        clock.move(7)
        return said

    model = ScriptedModel(answers, model=f"anthropic:seven-seconds-{outcome}")
    gateway = gateway_on(pool, model, clock=clock, ledger=SlowlySettlingLedger(pool, clock))
    try:
        await ask(gateway, max_requests=1)
    except AssistError:
        assert outcome != "ok"
    assert value("assist_provider_seconds_count", model=model.model, outcome=outcome) == 1
    assert value("assist_provider_seconds_sum", model=model.model, outcome=outcome) == 7


async def test_a_reason_that_no_list_has_is_seen_as_another(pool: asyncpg.Pool) -> None:
    model = model_named("unheard-of", UNHEARD_OF)
    with pytest.raises(AssistError):
        await ask(gateway_on(pool, model))
    labels = {"provider": "anthropic", "model": model.model, "outcome": "other", "charged": "nothing"}
    assert value("assist_provider_requests_total", **labels) == 1
    assert value("assist_provider_seconds_count", model=model.model, outcome="other") == 1
    told = {each for family in telemetry.REGISTRY.collect() for s in family.samples for each in s.labels.values()}
    assert not any("canary" in each for each in told)


async def test_refusals_are_counted_by_purpose_and_by_the_bound_they_met(pool: asyncpg.Pool) -> None:
    ledger, cap = PostgresLedger(pool), 4 * WORST
    gateway = gateway_on(pool, model_named("refused", says("Never.")), cap_micros=cap)
    series = (("assist", "share"), ("assist", "cap"), ("grading", "cap"), ("grading", "share"))

    async def refused(purpose: str) -> list[tuple[str, str]]:
        before = [value("assist_budget_refusals_total", purpose=p, bound=b) for p, b in series]
        with pytest.raises(AssistError):
            await ask(gateway, purpose=purpose)
        after = [value("assist_budget_refusals_total", purpose=p, bound=b) for p, b in series]
        return [each for each, b, a in zip(series, before, after, strict=True) if a > b]

    await spend(ledger, 3 * WORST, purpose="grading")
    assert await refused("assist") == [("assist", "cap")]
    await reserve(ledger, WORST - 1, purpose="grading")
    assert await refused("grading") == [("grading", "cap")]
    await pool.execute("UPDATE llm_days SET chat_spent_micros = $1", WORST)
    assert await refused("assist") == [("assist", "share")]
