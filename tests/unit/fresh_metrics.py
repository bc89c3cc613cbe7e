"""The series of a process that has just begun, and again after all that can be counted: `python -m` prints them.

A process of its own, since the registry of the tests' process has long seen everything.
"""

import itertools
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

from assist_service import telemetry
from assist_service.domain.breaker import State
from assist_service.domain.budget import ASSIST
from assist_service.domain.conversation import Kind
from assist_service.domain.errors import Code
from assist_service.domain.messages import Usage
from assist_service.domain.moderation import Judged, Verdict
from assist_service.domain.outcomes import OK, OUTCOMES, Bound
from assist_service.settings import ROOT

MODELS = ("anthropic:first", "openai:second")
PURPOSES = ("grading", "review")
USAGE = Usage(7, 5, 3, 2)


class Series(NamedTuple):
    """One series as Prometheus stores it, and where it stands."""

    name: str
    labels: Mapping[str, str]
    value: float

    @property
    def key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        return self.name, frozenset(self.labels.items())


class Life(NamedTuple):
    """What a first scrape reads, and what one reads once everything has happened."""

    begun: list[Series]
    lived: list[Series]


def life_of_a_process() -> Life:
    command = [sys.executable, "-m", "tests.unit.fresh_metrics"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    return Life(*([Series(*each) for each in scrape] for scrape in json.loads(run.stdout)))


def _scrape() -> list[Series]:
    return [
        Series(sample.name, sample.labels, sample.value)
        for family in telemetry.REGISTRY.collect()
        for sample in family.samples
        if not sample.name.endswith("_created")  # when, not how often
    ]


def _begin() -> None:
    """As a start and a scrape do."""
    telemetry.declare(models=MODELS, purposes=PURPOSES, cap_micros=1_000, share_micros=250)
    for model in MODELS:
        telemetry.set_breaker(model=model, state=State.CLOSED)
    telemetry.show_budget({})
    telemetry.show_publication(is_live=True)


def _live() -> None:
    for model, purpose, outcome in itertools.product(MODELS, (ASSIST, *PURPOSES), (*OUTCOMES, "of tomorrow")):
        for usage, cost in ((None, 90), (None, 0), *([(USAGE, 30)] if outcome == OK else [])):
            telemetry.count_provider_request(
                model=model, purpose=purpose, outcome=outcome, usage=usage, cost_micros=cost, worst_micros=90
            )
        telemetry.observe_provider(model=model, outcome=outcome, seconds=0.1)
        telemetry.set_breaker(model=model, state=State.OPEN)
    for purpose in (ASSIST, *PURPOSES):
        telemetry.count_budget_refusal(purpose=purpose, bound=Bound.CAP)
    telemetry.count_budget_refusal(purpose=ASSIST, bound=Bound.SHARE)
    for code in Code:
        telemetry.count_problem(code)
    for moderator, judged, verdict in itertools.product(("words", "openai:m", "of tomorrow"), Judged, Verdict):
        telemetry.count_moderation(moderator=moderator, judged=judged, verdict=verdict, seconds=0.1)
    for outcome in (*OUTCOMES, "of tomorrow"):
        telemetry.count_moderation_request(outcome)
    for kind in (*Kind, None):
        with telemetry.question(lambda: 0.0) as told:
            told.kind = kind


if __name__ == "__main__":
    _begin()
    begun = _scrape()
    _live()
    sys.stdout.write(json.dumps([begun, _scrape()]))
