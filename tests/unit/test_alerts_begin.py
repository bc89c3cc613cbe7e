"""An alert can fire on the first event of a new process: whatever it counts is there before, at 0, and no other.

Prometheus sees no increase in a series that begins at its first value.
"""

import itertools
import re
from collections.abc import Iterator

import pytest

from assist_service.domain.budget import ASSIST
from assist_service.domain.conversation import Kind
from assist_service.telemetry.counting import FAILED, STOPPED
from assist_service.web.errors import PROBLEMS
from tests.unit.fresh_metrics import MODELS, PURPOSES, Life, Series, life_of_a_process
from tests.unit.metric_names import CLOSED
from tests.unit.ops_files import ALERTS, RECORDED, RULES, SERIES, Matchers, selectors

OF_OTHERS = {"up"}
"""Made by Prometheus itself."""

MAY_BEGIN_LATE = {"assist_http_request_seconds_count"}
"""Routes times methods times statuses would be a thousand series, so its one expression reckons without it, too."""

OF_SETTINGS = {"model": set(MODELS), "purpose": {ASSIST, *PURPOSES}}

VALUES = {**CLOSED, **OF_SETTINGS, "kind": {*Kind, FAILED, STOPPED}}
"""No alert reads tokens, whose kinds are others."""

IMPOSSIBLE = {("purpose", purpose, "bound", "share") for purpose in PURPOSES}
"""What matchers would let through and nothing can count: the share is the chat's alone."""


@pytest.fixture(scope="module")
def life() -> Life:
    return life_of_a_process()


def _read_by(expression: str) -> Iterator[tuple[str, Matchers]]:
    """Every stored series that an expression reads, through the recorded rules."""
    for name, matchers in selectors(expression):
        if name in RECORDED:
            yield from _read_by(next(rule["expr"] for rule in RULES if rule.get("record") == name))
        elif name not in OF_OTHERS | MAY_BEGIN_LATE:
            yield name, matchers


def _selected(name: str, matchers: Matchers) -> Iterator[dict[str, str]]:
    """Every combination of labels' values that the matchers select, as far as a list says what they may be."""
    matched = {label for label, _, _ in matchers} | (SERIES[name] & OF_SETTINGS.keys())
    choices = [
        [(label, value) for value in sorted(map(str, VALUES[label])) if _fits(label, value, matchers)]
        for label in matched
    ]
    assert all(choices), f"{name} with {matchers} selects nothing"
    return (dict(combination) for combination in itertools.product(*choices))


def _fits(label: str, value: str, matchers: Matchers) -> bool:
    for matched, operator, wanted in matchers:
        if matched == label and bool(re.fullmatch(wanted, value)) != (operator[0] == "="):
            return False
    return True


def _missing(expression: str, begun: list[Series]) -> list[str]:
    return [
        f"{name} {labels}"
        for name, matchers in _read_by(expression)
        for labels in _selected(name, matchers)
        if not any(each.name == name and labels.items() <= each.labels.items() for each in begun)
        and ("purpose", labels.get("purpose"), "bound", labels.get("bound")) not in IMPOSSIBLE
    ]


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: str(alert["alert"]))
def test_every_series_that_an_alert_selects_is_there_from_the_start(alert: dict[str, str], life: Life) -> None:
    assert _missing(alert["expr"], life.begun) == []


def test_a_series_that_is_not_there_is_seen(life: Life) -> None:
    begun = [each for each in life.begun if each.labels.get("outcome") != "unpaid"]
    closed = next(alert["expr"] for alert in ALERTS if alert["alert"] == "AssistProviderClosed")
    assert len(_missing(closed, begun)) == len(MODELS)


def test_nothing_that_happens_adds_a_series_to_those_that_alerts_read(life: Life) -> None:
    begun = {each.key for each in life.begun}
    added = [each for each in life.lived if each.key not in begun]
    read = [each for alert in ALERTS for each in _read_by(alert["expr"])]
    assert [each for each in added if any(_reads(name, matchers, each) for name, matchers in read)] == []
    assert {each.name for each in added} >= {"assist_provider_seconds_count"}, "something is added, but nobody reads it"


def _reads(name: str, matchers: Matchers, series: Series) -> bool:
    return name == series.name and all(_fits(label, value, matchers) for label, value in series.labels.items())


def test_all_counters_of_a_start_are_at_zero(life: Life) -> None:
    assert [each for each in life.begun if each.name.endswith(("_total", "_count", "_sum")) and each.value] == []


def test_the_alert_of_server_errors_names_every_code_of_a_5xx() -> None:
    rule = next(rule for rule in RULES if rule.get("record") == "assist:http_5xx:ratio_10m")
    [words] = {value for name, matchers in selectors(rule["expr"]) for label, _, value in matchers if label == "code"}
    assert set(words.split("|")) == {code.value for code, (status, _) in PROBLEMS.items() if status >= 500}


def test_an_alert_that_reads_a_breaker_reads_recent_faults_too() -> None:
    """Half open it stays until somebody asks again, which may be never."""
    alerts = [alert["expr"] for alert in ALERTS if "assist_breaker_state" in alert["expr"]]
    assert alerts
    assert all(
        "and on (instance, model)" in each and "increase(assist_provider_requests_total" in each for each in alerts
    )
