"""Logs and metrics that never hold content: no question, answer, token or name of a person."""

from assist_service.telemetry.counting import (
    QuestionTold,
    count_budget_refusal,
    count_moderation,
    count_moderation_request,
    count_problem,
    count_provider_request,
    count_purged,
    count_question,
    declare,
    observe_provider,
    observe_request,
    observe_steps,
    question,
    set_breaker,
    show_budget,
    show_publication,
    show_purge_schedule,
)
from assist_service.telemetry.logs import configure_logging, log
from assist_service.telemetry.metrics import REGISTRY

__all__ = [
    "REGISTRY",
    "QuestionTold",
    "configure_logging",
    "count_budget_refusal",
    "count_moderation",
    "count_moderation_request",
    "count_problem",
    "count_provider_request",
    "count_purged",
    "count_question",
    "declare",
    "log",
    "observe_provider",
    "observe_request",
    "observe_steps",
    "question",
    "set_breaker",
    "show_budget",
    "show_publication",
    "show_purge_schedule",
]
