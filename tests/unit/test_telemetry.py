"""What is counted and logged has a closed list of names, and never the words of a person or an error."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any

import pytest
import structlog
from prometheus_client import generate_latest

from assist_service import telemetry
from assist_service.domain.messages import Usage
from assist_service.web.observing import log_unexpected

CANARY = "canary-anne-martin-5b2e"

METRICS = {
    "assist_questions": ("counter", ("kind",)),
    "assist_problems": ("counter", ("code",)),
    "assist_provider_requests": ("counter", ("model", "outcome")),
    "assist_provider_cost_micros": ("counter", ("model",)),
    "assist_http_request_seconds": ("histogram", ("method", "route", "status")),
}


def test_the_metrics_and_their_labels_are_a_closed_list() -> None:
    telemetry.count_question("manual")
    telemetry.count_problem("not_found")
    telemetry.count_provider_request(
        model="stub", purpose="assist", outcome="ok", usage=Usage(1, 2, 3, 4), cost_micros=1, worst_micros=2
    )
    telemetry.observe_request(method="GET", route="/healthz", status=200, seconds=0.1)
    found = {
        family.name: (
            family.type,
            tuple(sorted({name for sample in family.samples for name in sample.labels} - {"le"})),
        )
        for family in telemetry.REGISTRY.collect()
    }
    assert found == METRICS


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
