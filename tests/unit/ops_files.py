"""The dashboard and the rules as they are committed, and what an expression of Prometheus reads."""

import json
import re
from collections.abc import Iterator

import yaml

from assist_service.settings import ROOT
from tests.unit.metric_names import METRICS

DASHBOARD = json.loads((ROOT / "ops/grafana/assist-service.json").read_text())
GROUPS = yaml.safe_load((ROOT / "ops/prometheus/alerts.yml").read_text())["groups"]

RULES = [rule for group in GROUPS for rule in group["rules"]]
ALERTS = [rule for rule in RULES if "alert" in rule]
RECORDED = {rule["record"] for rule in RULES if "record" in rule}
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]

SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}

SERIES = {name + suffix: labels for name, (kind, labels) in METRICS.items() for suffix in SUFFIXES[kind]}
"""Every name that Prometheus stores, with its own labels."""

OF_PROMETHEUS = {"job", "instance"}
"""Labels that every series gets when it is scraped."""

FUNCTIONS = {"max", "sum", "time", "rate", "increase", "absent", "histogram_quantile", "vector"}
WORDS = {"by", "without", "and", "or", "on"}


def _expressions() -> Iterator[tuple[str, str]]:
    for rule in RULES:
        yield rule.get("alert") or rule["record"], rule["expr"]
    for panel in PANELS:
        for target in panel["targets"]:
            yield f"{panel['title']} {target['refId']}", target["expr"]


Matchers = list[tuple[str, str, str]]
"""Label, operator, value."""

EXPRESSIONS = dict(_expressions())


def selectors(expression: str) -> list[tuple[str, Matchers]]:
    """Every series that an expression reads, with its matchers: label, operator, value."""
    bare = re.sub(r"\b(by|without|on)\s*\([^)]*\)", "", expression)
    found = re.findall(r"([a-zA-Z_:][\w:]*)\s*(?:\{([^}]*)\})?(\s*\()?", re.sub(r"\[[^\]]*\]", "", bare))
    return [
        (name, re.findall(r"(\w+)\s*(=~|!~|!=|=)\s*\"([^\"]*)\"", matchers))
        for name, matchers, called in found
        if not (called and name in FUNCTIONS) and name not in WORDS and not re.fullmatch(r"e\d+", name)
    ]
