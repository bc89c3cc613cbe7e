"""A breaker opens after failures in a row, lets one through to see, and closes at the first answer."""

from assist_service.domain.breaker import (
    CLOSED,
    COOLDOWN_SECONDS,
    FAILURES,
    MAX_COOLDOWN_SECONDS,
    Breaker,
    State,
)


def failing(times: int, *, at: float = 0.0) -> Breaker:
    breaker = CLOSED
    for _ in range(times):
        breaker = breaker.failed(at)
    return breaker


def test_failures_in_a_row_open_it_and_one_less_do_not() -> None:
    assert failing(FAILURES - 1).state(0.0) is State.CLOSED
    assert failing(FAILURES - 1).admitting(0.0) == failing(FAILURES - 1)
    assert failing(FAILURES).state(0.0) is State.OPEN
    assert failing(FAILURES).admitting(COOLDOWN_SECONDS - 0.001) is None


def test_after_its_cooldown_it_lets_one_through_and_no_second_one() -> None:
    opened = failing(FAILURES)
    assert opened.state(COOLDOWN_SECONDS) is State.HALF_OPEN

    probing = opened.admitting(COOLDOWN_SECONDS)

    assert probing is not None
    assert probing.admitting(COOLDOWN_SECONDS) is None
    assert probing.state(COOLDOWN_SECONDS) is State.OPEN


def test_a_try_whose_end_nobody_saw_does_not_keep_it_open_for_ever() -> None:
    probing = failing(FAILURES).admitting(COOLDOWN_SECONDS)
    assert probing is not None
    assert probing.state(2 * COOLDOWN_SECONDS) is State.HALF_OPEN


def test_each_failed_try_keeps_it_open_twice_as_long_up_to_a_bound() -> None:
    breaker, now, waits = failing(FAILURES), 0.0, []
    for _ in range(6):
        assert breaker.open_until is not None
        waits.append(breaker.open_until - now)
        now = breaker.open_until
        probing = breaker.admitting(now)
        assert probing is not None
        breaker = probing.failed(now)
    assert waits == [30.0, 60.0, 120.0, MAX_COOLDOWN_SECONDS, MAX_COOLDOWN_SECONDS, MAX_COOLDOWN_SECONDS]
