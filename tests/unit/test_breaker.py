"""A breaker opens after failures in a row, lets one through to see, and closes at the first answer."""

from assist_service.domain.breaker import (
    CLOSED,
    COOLDOWN_SECONDS,
    FAILURES,
    MAX_COOLDOWN_SECONDS,
    Breaker,
    State,
)

OPENED_AT = 10.0
AGAIN_AT = OPENED_AT + COOLDOWN_SECONDS
"""When one that opened then lets a request through."""

BEFORE = OPENED_AT - 1
"""When a request was sent that was on its way as the provider went down."""


def failing(times: int) -> Breaker:
    breaker = CLOSED
    for _ in range(times):
        breaker = breaker.failed(OPENED_AT, began=BEFORE)
    return breaker


def probing() -> Breaker:
    """One that has let its request through."""
    breaker = failing(FAILURES).admitting(AGAIN_AT)
    assert breaker is not None
    return breaker


def test_failures_in_a_row_open_it_and_one_less_do_not() -> None:
    assert failing(FAILURES - 1).state(OPENED_AT) is State.CLOSED
    assert failing(FAILURES - 1).admitting(OPENED_AT) == failing(FAILURES - 1)
    assert failing(FAILURES).state(OPENED_AT) is State.OPEN
    assert failing(FAILURES).admitting(AGAIN_AT - 0.001) is None


def test_an_answer_between_failures_begins_the_row_anew() -> None:
    answered = failing(FAILURES - 1).answered(began=BEFORE)
    assert answered.failed(OPENED_AT, began=BEFORE).state(OPENED_AT) is State.CLOSED


def test_after_its_cooldown_it_lets_one_through_and_no_second_one() -> None:
    assert failing(FAILURES).state(AGAIN_AT) is State.HALF_OPEN
    assert probing().admitting(AGAIN_AT) is None
    assert probing().state(AGAIN_AT) is State.OPEN


def test_a_try_whose_end_nobody_saw_does_not_keep_it_open_for_ever() -> None:
    assert probing().state(AGAIN_AT + COOLDOWN_SECONDS) is State.HALF_OPEN


def test_each_failed_try_keeps_it_open_twice_as_long_up_to_a_bound() -> None:
    breaker, now, waits = failing(FAILURES), OPENED_AT, []
    for _ in range(6):
        assert breaker.open_until is not None
        waits.append(breaker.open_until - now)
        now = breaker.open_until
        trying = breaker.admitting(now)
        assert trying is not None
        breaker = trying.failed(now, began=now)
    assert waits == [30.0, 60.0, 120.0, MAX_COOLDOWN_SECONDS, MAX_COOLDOWN_SECONDS, MAX_COOLDOWN_SECONDS]


def test_the_answer_of_a_try_closes_it() -> None:
    assert probing().answered(began=AGAIN_AT) == CLOSED


def test_what_was_on_its_way_when_it_opened_tells_nothing_new() -> None:
    for breaker in (failing(FAILURES), probing()):
        assert breaker.failed(AGAIN_AT, began=BEFORE) == breaker
        assert breaker.answered(began=BEFORE) == breaker
        assert breaker.given_back(AGAIN_AT, began=BEFORE) == breaker


def test_a_try_that_was_given_back_leaves_it_to_the_next_request() -> None:
    given_back = probing().given_back(AGAIN_AT + 1, began=AGAIN_AT)

    assert given_back.state(AGAIN_AT + 1) is State.HALF_OPEN
    trying = given_back.admitting(AGAIN_AT + 1)
    assert trying is not None
    failed = trying.failed(AGAIN_AT + 1, began=AGAIN_AT + 1)
    assert failed.open_until == AGAIN_AT + 1 + 2 * COOLDOWN_SECONDS, "only a try that failed makes the pause longer"


def test_what_was_given_back_after_it_opened_anew_does_not_open_it_early() -> None:
    failed = probing().failed(AGAIN_AT + 2, began=AGAIN_AT + 1)
    assert failed.given_back(AGAIN_AT + 3, began=AGAIN_AT) == failed


def test_one_that_is_closed_has_nothing_to_give_back() -> None:
    assert failing(FAILURES - 1).given_back(AGAIN_AT, began=BEFORE) == failing(FAILURES - 1)
