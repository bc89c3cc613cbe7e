"""The dashboard, the alerts and their documentation name metrics that exist, with labels and values that exist."""

import itertools
import re
from typing import Any

import pytest

from assist_service import telemetry
from assist_service.domain.budget import ASSIST
from assist_service.settings import ROOT
from tests.unit.metric_names import CLOSED, METRICS
from tests.unit.ops_files import (
    ALERTS,
    DASHBOARD,
    EXPRESSIONS,
    OF_PROMETHEUS,
    PANELS,
    RECORDED,
    RULES,
    SERIES,
    selectors,
)

DOCS = (ROOT / "docs/operations.md").read_text()


def _grouped_by(expression: str) -> set[str]:
    lists = re.findall(r"\b(?:by|without|on)\s*\(([^)]*)\)", expression)
    return {label.strip() for labels in lists for label in labels.split(",")}


def faults_of(expression: str) -> list[str]:
    """What an expression names that is not there."""
    read = selectors(expression)
    faults = [] if read else ["reads nothing"]
    known = {"le"} | OF_PROMETHEUS
    for name, matchers in read:
        if name not in SERIES and name not in RECORDED and name != "up":
            faults.append(f"no metric {name}")
        labels = SERIES.get(name, set()) | OF_PROMETHEUS
        known |= labels
        for label, operator, value in matchers:
            if label not in labels:
                faults.append(f"{name} has no label {label}")
            for word in value.split("|") if operator[-1] == "~" else [value]:
                if word not in CLOSED.get(label, {word}) or (label == "purpose" and word != ASSIST):
                    faults.append(f"{label} is never {word}")
    return faults + [f"grouped by {label}, which nothing has" for label in _grouped_by(expression) - known]


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_names_what_exists(name: str) -> None:
    assert faults_of(EXPRESSIONS[name]) == []


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        ("rate(assist_question_total[5m])", "no metric assist_question_total"),
        ("asist_budget_up == 0", "no metric asist_budget_up"),
        ("assist_questions", "no metric assist_questions"),
        ('assist_questions_total{code="not_found"}', "assist_questions_total has no label code"),
        ("sum by (person) (assist_questions_total)", "grouped by person, which nothing has"),
        ('assist_problems_total{code="internal"}', "code is never internal"),
        ('assist_provider_requests_total{outcome!~"ok|over_loaded"}', "outcome is never over_loaded"),
        ('assist_budget_refusals_total{purpose="chat"}', "purpose is never chat"),
        ("1 > 0", "reads nothing"),
    ],
)
def test_an_expression_that_names_anything_else_is_found(expression: str, fault: str) -> None:
    assert faults_of(expression) == [fault]


def test_the_names_checked_against_are_those_of_the_registry() -> None:
    assert {family.name: family.type for family in telemetry.REGISTRY.collect()} == {
        name: kind for name, (kind, _) in METRICS.items()
    }


def test_every_metric_is_on_the_dashboard() -> None:
    shown = {name for panel in PANELS for target in panel["targets"] for name, _ in selectors(target["expr"])}
    by_rule = {name for rule in RULES if rule.get("record") in shown for name, _ in selectors(rule["expr"])}
    families = {re.sub("_(bucket|sum|count|total)$", "", name) for name in shown | by_rule}
    assert METRICS.keys() <= families


def test_panels_have_ids_of_their_own_a_description_and_a_place_of_their_own() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids) > 20
    assert all(panel["description"] and panel["title"] and panel["targets"] for panel in PANELS)
    for panel in PANELS:
        references = [target["refId"] for target in panel["targets"]]
        assert len(set(references)) == len(references)
    for one, other in itertools.combinations((panel["gridPos"] for panel in DASHBOARD["panels"]), 2):
        assert not _overlap(one, other), (one, other)
    assert all(g["x"] >= 0 and g["x"] + g["w"] <= 24 for g in (panel["gridPos"] for panel in DASHBOARD["panels"]))


def _overlap(one: dict[str, int], other: dict[str, int]) -> bool:
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "w"), ("y", "h"))
    )


def test_an_overlap_is_seen() -> None:
    place: dict[str, int] = {"x": 0, "y": 0, "w": 8, "h": 8}
    assert _overlap(place, {**place, "x": 7, "y": 7})
    assert not _overlap(place, {**place, "x": 8})
    assert not _overlap(place, {**place, "y": 8})


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: str(alert["alert"]))
def test_an_alert_says_how_bad_it_is_and_what_to_do(alert: dict[str, Any]) -> None:
    assert alert["labels"]["severity"] in {"critical", "warning", "info"}
    assert alert["annotations"].keys() == {"summary", "action"}
    assert len(alert["annotations"]["action"]) > 40
    for label in re.findall(r"\$labels\.(\w+)", str(alert["annotations"])):
        assert label in _grouped_by(alert["expr"]) | OF_PROMETHEUS | _labels_recorded(alert["expr"])


def _labels_recorded(expression: str) -> set[str]:
    names = {name for name, _ in selectors(expression)}
    return {label for rule in RULES if rule.get("record") in names for label in _grouped_by(rule["expr"])}


def test_names_of_rules_stand_once() -> None:
    names = [rule.get("alert") or rule["record"] for rule in RULES]
    assert len(set(names)) == len(names)


def test_every_metric_and_every_alert_is_explained_and_no_other() -> None:
    explained = set(re.findall(r"`(assist_[a-z0-9_]+)`", DOCS))
    exposed = {name + ("_total" if kind == "counter" else "") for name, (kind, _) in METRICS.items()}
    assert explained == exposed
    named = set(re.findall(r"`(Assist[A-Z]\w+)`", DOCS))
    assert named == {alert["alert"] for alert in ALERTS}
    assert set(re.findall(r"`(assist:[a-z0-9_:]+)`", DOCS)) == RECORDED
