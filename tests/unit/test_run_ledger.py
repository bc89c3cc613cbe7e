"""The money of an evaluation run never passes its cap, by a micro-unit, in flight and settled."""

import datetime as dt
import uuid

from hypothesis import given
from hypothesis import strategies as st

from assist_service.adapters.memory.ledger import RunLedger
from assist_service.domain.budget import Allowance
from assist_service.domain.outcomes import Bound
from assist_service.ports import CallOrigin, Exhausted, Reservation
from tests.fakes.clocks import START

DAY = START.date()

ORIGIN = CallOrigin("assist", "stub", "evaluation", uuid.UUID(int=1))


async def reserved(ledger: RunLedger, micros: int, *, cap: int, day: dt.date = DAY) -> Reservation | Exhausted:
    allowance = Allowance(day_micros=cap, purpose_micros=cap)
    return await ledger.reserve(ORIGIN, worst_micros=micros, allowance=allowance, day=day, now=START, lease_until=START)


async def settled(ledger: RunLedger, reservation: Reservation, micros: int) -> None:
    await ledger.settle(reservation, cost_micros=micros, usage=None, outcome="ok", now=START)


async def test_what_would_just_fit_once_all_is_settled_is_said_to() -> None:
    ledger = RunLedger()
    spent, running = await reserved(ledger, 40, cap=100), await reserved(ledger, 60, cap=100)
    assert isinstance(spent, Reservation)
    assert isinstance(running, Reservation)
    await settled(ledger, spent, 40)
    assert await reserved(ledger, 60, cap=100) == Exhausted(fits_once_settled=True, bound=Bound.CAP)
    assert await reserved(ledger, 61, cap=100) == Exhausted(fits_once_settled=False, bound=Bound.CAP)


async def test_the_cap_is_reached_and_not_passed_also_over_midnight() -> None:
    ledger = RunLedger()
    first = await reserved(ledger, 60, cap=100)
    assert isinstance(first, Reservation)
    assert await reserved(ledger, 41, cap=100) == Exhausted(fits_once_settled=True, bound=Bound.CAP)
    await settled(ledger, first, 10)
    await settled(ledger, first, 10)  # a second settlement changes nothing
    assert (ledger.spent_micros, ledger.reserved_micros) == (10, 0)
    later = DAY + dt.timedelta(days=1)
    assert isinstance(await reserved(ledger, 91, cap=100, day=later), Exhausted)
    assert isinstance(await reserved(ledger, 90, cap=100, day=later), Reservation)


@given(st.lists(st.tuples(st.integers(0, 60), st.floats(0, 1), st.booleans()), max_size=30))
async def test_spent_and_reserved_stay_within_the_cap_whatever_is_asked(asked: list[tuple[int, float, bool]]) -> None:
    ledger, in_flight = RunLedger(), list[Reservation]()
    for micros, share, settles in asked:
        before = ledger.spent_micros + ledger.reserved_micros
        answer = await reserved(ledger, micros, cap=100)
        assert isinstance(answer, Reservation) == (before + micros <= 100)
        if isinstance(answer, Reservation):
            in_flight.append(answer)
        if settles and in_flight:
            last = in_flight.pop(0)
            await settled(ledger, last, int(last.worst_micros * share))
        assert 0 <= ledger.spent_micros + ledger.reserved_micros <= 100
