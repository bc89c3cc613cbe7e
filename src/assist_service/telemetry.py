"""Logs and metrics that never hold content: no question, answer, token or name of a person."""

import logging
import sys
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from assist_service.domain.messages import Usage

REGISTRY = CollectorRegistry()

QUESTIONS = Counter("assist_questions", "Questions answered, by kind of answer.", ["kind"], registry=REGISTRY)
REFUSALS = Counter("assist_problems", "Requests refused, by code.", ["code"], registry=REGISTRY)
PROVIDER_REQUESTS = Counter(
    "assist_provider_requests",
    "Provider requests settled, by model and outcome.",
    ["model", "outcome"],
    registry=REGISTRY,
)
PROVIDER_COST = Counter(
    "assist_provider_cost_micros", "Money settled, in micro-units of a USD.", ["model"], registry=REGISTRY
)
REQUEST_SECONDS = Histogram(
    "assist_http_request_seconds",
    "Time to answer, by route and status.",
    ["method", "route", "status"],
    registry=REGISTRY,
)

log: Any = structlog.get_logger("assist_service")


def configure_logging(level: str) -> None:
    """One JSON object a line on standard error; libraries' own logs are kept to warnings."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # the one there is when something is logged
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")


def count_question(kind: str) -> None:
    QUESTIONS.labels(kind=kind).inc()


def count_problem(code: str) -> None:
    REFUSALS.labels(code=code).inc()


def count_provider_request(
    *, model: str, purpose: str, outcome: str, usage: Usage | None, cost_micros: int, worst_micros: int
) -> None:
    """One provider request that was settled; `usage` is None where its worst case was charged, or nothing."""
    PROVIDER_REQUESTS.labels(model=model, outcome=outcome).inc()
    PROVIDER_COST.labels(model=model).inc(cost_micros)


def observe_provider(*, model: str, seconds: float) -> None:
    """How long a provider took to answer or to fail."""


def count_budget_refusal(*, purpose: str) -> None:
    """A request that its budget did not admit."""


def set_breaker(*, model: str, state: str) -> None:
    """A circuit breaker's state after it may have changed."""


def observe_request(*, method: str, route: str, status: int, seconds: float) -> None:
    REQUEST_SECONDS.labels(method=method, route=route, status=str(status)).observe(seconds)
