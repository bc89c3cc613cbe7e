"""A question over a real SDK and the ledger: what came of it, which tools ran, and what each request cost."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import asyncpg

from assist_service.adapters.postgres.ledger import PostgresLedger
from assist_service.domain.budget import cost_micros
from assist_service.domain.errors import AssistError, Code
from assist_service.domain.loop import Outcome, turn
from assist_service.domain.outcomes import Charged
from assist_service.domain.policy import Disclosure
from assist_service.ports import ModelProvider
from assist_service.services.bench import Bench
from assist_service.services.converse import Prompt, converse
from assist_service.services.gateway import Gateway
from assist_service.services.metering import Meter, Spending
from assist_service.services.sources import Source
from assist_service.services.toolbox import Toolbox
from assist_service.tools.catalog import TOOLS
from tests.fakes.clocks import HandClock
from tests.fakes.wires import COUNTED
from tests.postgres.money import PRICE, calls_of, refuse_unbalanced_books
from tests.unit.small_manual import desk, masks, publication, section

COUNTED_MICROS = cost_micros(PRICE, COUNTED)


@dataclass(frozen=True)
class Met:
    """The end of a question, the names of the tools that read for it, and each request's outcome and charge."""

    outcome: Outcome | Code
    read: tuple[str, ...]
    requests: tuple[tuple[str, Charged], ...]


async def ask(pool: asyncpg.Pool, *providers: ModelProvider, clock: HandClock | None = None) -> Met:
    """One question with the tools there are and 90 seconds, to the first of these models that is not down."""
    clock = clock or HandClock()
    meter = Meter(ledger=PostgresLedger(pool), clock=clock, spending=Spending(4_000_000, Decimal("0.25"), dt.UTC))
    gateway = Gateway(sources=tuple(Source(each, PRICE) for each in providers), meter=meter, clock=clock)
    bench = Bench(
        Toolbox(TOOLS, dict.fromkeys(TOOLS, Disclosure.OPEN)),
        desk(publication(section(), section(anchor="share", text="Press Share."))),
        masks(),
    )
    line = gateway.converse(person="ada", question_id=uuid.uuid4(), deadline=clock.monotonic() + 90, max_requests=6)
    outcome: Outcome | Code
    try:
        outcome = await converse(
            turn((), "How do I create a pool?", max_requests=6),
            prompt=Prompt("You help people.", "The screen is a pool.", bench.toolbox.specs(), 1_000),
            line=line,
            bench=bench,
        )
    except AssistError as refusal:
        outcome = refusal.code
    await refuse_unbalanced_books(pool)
    return Met(outcome, tuple(sent.tool for sent in bench.sent), _charges(await calls_of(pool)))


def _charges(rows: Sequence[asyncpg.Record]) -> tuple[tuple[str, Charged], ...]:
    charges = {0: Charged.NOTHING, COUNTED_MICROS: Charged.COUNTED}
    return tuple(
        sorted(
            (
                row["outcome"],
                Charged.WORST_CASE if row["cost_micros"] == row["worst_micros"] else charges[row["cost_micros"]],
            )
            for row in rows
        )
    )
