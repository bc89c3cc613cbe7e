"""What is counted and logged has a closed list of names, and never the words of a person or an error."""

import asyncio
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any

import pytest
import structlog
from prometheus_client import generate_latest

from assist_service import telemetry
from assist_service.adapters.models.faults import Reason
from assist_service.domain.breaker import State
from assist_service.domain.conversation import Kind
from assist_service.domain.errors import Code
from assist_service.domain.messages import Usage
from assist_service.domain.moderation import Judged, Verdict
from assist_service.domain.outcomes import FAULTS, Bound
from assist_service.web.observing import log_unexpected
from tests.fakes.clocks import START
from tests.unit.metric_names import CLOSED, METRICS

CANARY = "canary-anne-martin-5b2e"

MODEL = "anthropic:of-this-test"


@pytest.fixture(autouse=True)
def declared() -> None:
    telemetry.declare(models=(MODEL,), purposes=("grading",), cap_micros=1_000, share_micros=250)


def value(name: str, **labels: str) -> float | None:
    return telemetry.REGISTRY.get_sample_value(name, labels)


def count(
    outcome: str, *, model: str = MODEL, purpose: str = "assist", usage: Usage | None = None, cost_micros: int = 0
) -> None:
    telemetry.count_provider_request(
        model=model, purpose=purpose, outcome=outcome, usage=usage, cost_micros=cost_micros, worst_micros=90
    )


def say_everything(word: str) -> None:
    """Everything is told once, with `word` wherever somebody else's word could stand."""
    telemetry.count_question(word)
    telemetry.count_problem(word)
    count(word, model=word, purpose=word, usage=Usage(1, 2, 3, 4), cost_micros=1)
    telemetry.observe_provider(model=word, outcome=word, seconds=0.1)
    telemetry.count_budget_refusal(purpose=word, bound=Bound.SHARE)
    telemetry.set_breaker(model=word, state=State.OPEN)
    telemetry.show_budget({word: (1, 2)})
    telemetry.show_publication(is_live=True)
    telemetry.count_moderation(moderator=word, judged=Judged.ANSWER, verdict=Verdict.FAULT, seconds=0.1)
    telemetry.count_moderation_request(word)
    telemetry.show_purge_schedule(every_seconds=1.0, at=START)
    telemetry.count_purged({word: 1}, at=START)
    telemetry.observe_steps(3)
    telemetry.observe_request(method="GET", route="/healthz", status=200, seconds=0.1)
    with telemetry.question(lambda: 0.0):
        pass


def test_the_metrics_and_their_labels_are_a_closed_list() -> None:
    say_everything("ok")
    found = {
        family.name: (
            family.type,
            {name for sample in family.samples for name in sample.labels} - {"le"},
        )
        for family in telemetry.REGISTRY.collect()
    }
    assert found == METRICS


@pytest.mark.parametrize("word", [CANARY, "", "status_418", "\u202e", "a" * 10_000, 'x"} 1\nassist_evil 1'])
def test_a_word_that_no_closed_set_names_is_no_label(word: str) -> None:
    before = {sample.name for family in telemetry.REGISTRY.collect() for sample in family.samples}
    say_everything(word)
    samples = [sample for family in telemetry.REGISTRY.collect() for sample in family.samples]
    assert not word or word not in {each for sample in samples for each in sample.labels.values()}
    for sample in samples:
        for label, closed in CLOSED.items():
            assert sample.labels.get(label, next(iter(closed))) in closed
    assert {sample.name for sample in samples} >= before
    assert "assist_evil 1" not in generate_latest(telemetry.REGISTRY).decode().splitlines()


def test_every_reason_of_an_adapter_is_an_outcome_of_its_own() -> None:
    missing = {reason.value for reason in Reason} - FAULTS
    assert not missing, f"add these to domain/outcomes.py, or operators see them as `other`: {missing}"
    assert not FAULTS - {reason.value for reason in Reason}


def test_a_request_is_counted_by_what_it_came_to_and_what_was_charged() -> None:
    def counted(outcome: str, charged: str) -> float:
        labels = {"provider": "anthropic", "model": MODEL, "outcome": outcome, "charged": charged}
        return value("assist_provider_requests_total", **labels) or 0.0

    def money(what: str, charged: str) -> float:
        return value(f"assist_provider_{what}_micros_total", model=MODEL, purpose="grading", charged=charged) or 0.0

    cases = [("ok", Usage(7, 5, 3, 2), 30, "counted"), ("ok", None, 90, "worst_case"), ("timeout", None, 0, "nothing")]
    for outcome, usage, cost, charged in cases:
        before = counted(outcome, charged), money("cost", charged), money("worst", charged)
        count(outcome, purpose="grading", usage=usage, cost_micros=cost)
        after = counted(outcome, charged), money("cost", charged), money("worst", charged)
        assert [b - a for a, b in zip(before, after, strict=True)] == [1, cost, 90]


def test_tokens_are_counted_by_kind() -> None:
    kinds = ("fresh", "cache_read", "cache_write", "output")

    def tokens() -> list[float]:
        return [value("assist_provider_tokens_total", model=MODEL, kind=kind) or 0.0 for kind in kinds]

    before = tokens()
    count("ok", usage=Usage(7, 5, 3, 2))
    assert [b - a for a, b in zip(before, tokens(), strict=True)] == [7, 5, 3, 2]


def test_what_an_alert_watches_begins_at_zero() -> None:
    """Prometheus sees no increase in a series that begins at 1."""
    telemetry.declare(models=("stub:new",), purposes=("brand_new",), cap_micros=1_000, share_micros=250)
    assert value("assist_budget_refusals_total", purpose="brand_new", bound="cap") == 0
    labels = {"provider": "stub", "model": "stub:new", "outcome": "ok", "charged": "worst_case"}
    assert value("assist_provider_requests_total", **labels) == 0
    assert all(value("assist_problems_total", code=code.value) is not None for code in Code)


def test_breakers_are_numbers() -> None:
    for state, number in {State.CLOSED: 0, State.HALF_OPEN: 1, State.OPEN: 2}.items():
        telemetry.set_breaker(model=MODEL, state=state)
        assert value("assist_breaker_state", model=MODEL) == number


def test_money_that_nobody_knows_is_not_shown_and_an_unknown_purpose_is_not_lost() -> None:
    telemetry.show_budget({"assist": (10, 1), "of last week": (3, 2), "of last year": (4, 0)})
    assert value("assist_budget_up") == 1
    assert value("assist_budget_spent_micros", purpose="assist") == 10
    assert value("assist_budget_spent_micros", purpose="grading") == 0
    assert value("assist_budget_spent_micros", purpose="other") == 7
    assert value("assist_budget_reserved_micros", purpose="other") == 2
    telemetry.show_budget(None)
    assert value("assist_budget_up") == 0
    assert value("assist_budget_spent_micros", purpose="assist") is None
    assert value("assist_budget_reserved_micros", purpose="grading") is None
    assert value("assist_budget_cap_micros") == 1_000


def test_a_question_is_timed_however_it_ends() -> None:
    moments = iter((10.0, 12.5, 20.0, 90.0, 100.0, 103.0))

    def seconds(kind: str) -> float:
        return value("assist_question_seconds_sum", kind=kind) or 0.0

    manual, failed, flying = seconds("manual"), seconds("failed"), value("assist_questions_in_flight") or 0.0
    with telemetry.question(lambda: next(moments)) as told:
        assert value("assist_questions_in_flight") == flying + 1
        told.kind = Kind.MANUAL
    with pytest.raises(KeyError), telemetry.question(lambda: next(moments)):
        raise KeyError
    assert (seconds("manual") - manual, seconds("failed") - failed) == (2.5, 70.0)
    stopped = seconds("stopped")
    with pytest.raises(asyncio.CancelledError), telemetry.question(lambda: next(moments)):
        raise asyncio.CancelledError
    assert (seconds("stopped") - stopped, seconds("failed") - failed) == (3.0, 70.0)
    assert value("assist_questions_in_flight") == flying


def test_metrics_of_this_service_alone_are_shown() -> None:
    names = {
        line.split()[2] for line in generate_latest(telemetry.REGISTRY).decode().splitlines() if line[:6] == "# TYPE"
    }
    assert all(name.startswith("assist_") for name in names)


@contextmanager
def logged() -> Iterator[list[dict[str, Any]]]:
    """What is logged in the block, line by line, once it has ended."""
    told: list[dict[str, Any]] = []
    with redirect_stderr(io.StringIO()) as shown:
        telemetry.configure_logging("INFO")
        try:
            yield told
        finally:
            structlog.reset_defaults()
    told += [json.loads(line) for line in shown.getvalue().splitlines()]


def _raised(fail: Callable[[], object]) -> BaseException:
    try:
        fail()
    except Exception as error:  # noqa: BLE001 whatever it is, it is what the test wants
        return error
    raise AssertionError("nothing was raised")


class SecretError(Exception):
    """An error that quotes what it was about, as many libraries' do."""

    def __repr__(self) -> str:
        return CANARY

    def __str__(self) -> str:
        return CANARY


def _plain() -> None:
    raise SecretError(CANARY)


def _chained() -> None:
    try:
        raise ValueError(CANARY)
    except ValueError as error:
        raise RuntimeError(CANARY) from error


def _with_a_note() -> None:
    error = ValueError(CANARY)
    error.add_note(CANARY)
    raise error


def _grouped() -> None:
    raise ExceptionGroup(CANARY, [ValueError(CANARY)])


def _of_a_key() -> object:
    empty: dict[str, str] = {}
    return empty[CANARY]


def _of_a_decoder() -> object:
    return json.loads(f'{{"question": "{CANARY}"')


ERRORS = {
    "SecretError": _plain,
    "RuntimeError": _chained,
    "ValueError": _with_a_note,
    "ExceptionGroup": _grouped,
    "KeyError": _of_a_key,
    "JSONDecodeError": _of_a_decoder,
}


@pytest.mark.parametrize(("name", "fail"), ERRORS.items(), ids=ERRORS)
def test_an_unexpected_error_is_logged_by_its_type_and_place_and_never_by_its_words(
    name: str, fail: Callable[[], object]
) -> None:
    with logged() as told:
        log_unexpected(_raised(fail))
    [line] = told
    assert CANARY not in str(line)
    assert line.keys() == {"event", "level", "timestamp", "error", "frames"}
    assert line["event"] == "unexpected"
    assert line["error"] == name
    assert any(frame.startswith("test_telemetry.py:") for frame in line["frames"])


def test_a_deep_error_is_logged_by_its_last_places_only() -> None:
    def deeper(levels: int) -> None:
        if not levels:
            raise SecretError
        deeper(levels - 1)

    with logged() as told:
        log_unexpected(_raised(lambda: deeper(100)))
    assert len(told[0]["frames"]) == 12


def test_a_log_line_is_one_json_object_on_standard_error() -> None:
    with logged() as told:
        telemetry.log.info("serving", port=8080, words="two\nlines")
        telemetry.log.debug("not shown")
    assert [line["event"] for line in told] == ["serving"]
