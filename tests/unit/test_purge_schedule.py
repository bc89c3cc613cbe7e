"""A replica purges by itself, first some minutes after its start, and a failed purge never is the last."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import pytest
import structlog

from assist_service import telemetry
from assist_service.services.purge import FIRST_SECONDS, PurgeSchedule
from tests.fakes.clocks import START, HandClock

DELETED = {"exchanges": 3, "audit": 0}

DAY_SECONDS = 86_400.0


class Ended(BaseException):
    """The test has seen enough."""


async def run(
    outcomes: Sequence[Mapping[str, int] | Exception | None], *, every_seconds: float = DAY_SECONDS, jitter: float = 0
) -> tuple[list[float], list[dict[str, object]]]:
    """When each purge began, in seconds from the start, and what was logged."""
    clock, left, begun = HandClock(), iter(outcomes), []

    async def purge() -> Mapping[str, int] | None:
        begun.append((clock.now() - START).total_seconds())
        outcome = next(left, Ended())
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    schedule = PurgeSchedule(purge=purge, every_seconds=every_seconds, clock=clock, jitter=lambda: jitter)
    with structlog.testing.capture_logs() as logged, pytest.raises(Ended):
        await schedule.run()
    return begun, [dict(event) for event in logged]


@pytest.mark.parametrize(("jitter", "first"), [(0.0, FIRST_SECONDS[0]), (0.5, sum(FIRST_SECONDS) / 2), (1.0, 600.0)])
async def test_the_first_purge_comes_some_minutes_after_the_start_and_then_each_interval(
    jitter: float, first: float
) -> None:
    begun, _ = await run([DELETED, DELETED], jitter=jitter)
    assert begun == [first, first + DAY_SECONDS, first + 2 * DAY_SECONDS]


async def test_a_short_interval_is_not_waited_for_longer() -> None:
    begun, _ = await run([DELETED], every_seconds=36.0, jitter=1.0)
    assert begun == [36.0, 72.0]


async def test_what_went_is_told_and_a_failure_by_its_type_alone() -> None:
    begun, logged = await run([OSError("canary"), None, DELETED])
    assert len(begun) == 4, "whatever happened, the next time came"
    assert logged == [
        {"event": "purge_failed", "log_level": "error", "error": "OSError"},
        {"event": "purge_elsewhere", "log_level": "info"},
        {"event": "purged", "log_level": "info", **DELETED},
    ]


def _shown(name: str, **labels: str) -> float:
    value = telemetry.REGISTRY.get_sample_value(name, labels)
    assert value is not None
    return value


async def test_the_metrics_tell_the_last_success_and_the_rows() -> None:
    first = FIRST_SECONDS[0]
    await run([OSError()])
    assert _shown("assist_purge_every_seconds") == DAY_SECONDS
    assert _shown("assist_purge_succeeded_timestamp_seconds") == START.timestamp(), "due from the start on"
    await run([DELETED])
    assert _shown("assist_purge_succeeded_timestamp_seconds") == START.timestamp() + first
    before = _shown("assist_purged_rows_total", table="exchanges")
    await run([None, DELETED])
    assert _shown("assist_purge_succeeded_timestamp_seconds") == START.timestamp() + first + DAY_SECONDS
    assert _shown("assist_purged_rows_total", table="exchanges") == before + 3


async def test_it_can_be_stopped_in_the_midst() -> None:
    reached = asyncio.Event()

    async def purge() -> Mapping[str, int]:
        reached.set()
        await asyncio.Event().wait()
        return DELETED

    never: Callable[[], float] = float
    running = asyncio.create_task(
        PurgeSchedule(purge=purge, every_seconds=DAY_SECONDS, clock=HandClock(), jitter=never).run()
    )
    await reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
