"""Plans run beside the event loop: however long one computes, others are answered and the deadline holds."""

import asyncio
import threading
from collections.abc import Generator, Mapping
from typing import Any

import pytest

from assist_service.domain.live.asking import Brought, OwnClasses, Plan, Read
from assist_service.domain.live.finding import Finding
from assist_service.domain.live.query import Lookup, Operation, Query
from assist_service.tools.live import driven
from assist_service.tools.shared_reads import SharedReads
from tests.unit.school_of_pages import Pages

FOUND = Finding(Query(lookup=Lookup.CLASSES, operation=Operation.LIST))


async def test_no_step_of_a_plan_runs_on_the_event_loop() -> None:
    threads: list[int] = []

    def plan() -> Plan:
        threads.append(threading.get_ident())
        yield (OwnClasses(),)
        threads.append(threading.get_ident())
        return FOUND

    assert await driven(plan(), Pages().reads(), SharedReads()) == FOUND
    assert len(threads) == 2
    assert threading.get_ident() not in threads


async def test_a_plan_that_computes_for_long_is_stopped_by_the_deadline() -> None:
    let_go = threading.Event()

    def plan() -> Generator[tuple[Read, ...], Mapping[Read, Brought], Any]:
        yield (OwnClasses(),)
        let_go.wait(10)
        return FOUND

    try:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await driven(plan(), Pages().reads(), SharedReads())
    finally:
        let_go.set()
