"""The closed list of metrics with their labels, and what a label may say."""

from collections.abc import Mapping

from assist_service.domain.conversation import Kind
from assist_service.domain.errors import Code
from assist_service.domain.moderation import MODERATORS, Judged, Verdict
from assist_service.domain.outcomes import OUTCOMES, Bound, Charged

METRICS: Mapping[str, tuple[str, set[str]]] = {
    "assist_breaker_state": ("gauge", {"model"}),
    "assist_budget_cap_micros": ("gauge", set()),
    "assist_budget_chat_share_micros": ("gauge", set()),
    "assist_budget_refusals": ("counter", {"purpose", "bound"}),
    "assist_budget_reserved_micros": ("gauge", {"purpose"}),
    "assist_budget_spent_micros": ("gauge", {"purpose"}),
    "assist_budget_up": ("gauge", set()),
    "assist_http_request_seconds": ("histogram", {"method", "route", "status"}),
    "assist_moderation_requests": ("counter", {"outcome"}),
    "assist_moderation_seconds": ("histogram", {"moderator"}),
    "assist_moderations": ("counter", {"moderator", "judged", "verdict"}),
    "assist_problems": ("counter", {"code"}),
    "assist_provider_cost_micros": ("counter", {"model", "purpose", "charged"}),
    "assist_provider_requests": ("counter", {"provider", "model", "outcome", "charged"}),
    "assist_provider_seconds": ("histogram", {"model", "outcome"}),
    "assist_provider_tokens": ("counter", {"model", "kind"}),
    "assist_provider_worst_micros": ("counter", {"model", "purpose", "charged"}),
    "assist_publication_live": ("gauge", set()),
    "assist_purge_every_seconds": ("gauge", set()),
    "assist_purge_succeeded_timestamp_seconds": ("gauge", set()),
    "assist_purged_rows": ("counter", {"table"}),
    "assist_question_seconds": ("histogram", {"kind"}),
    "assist_question_steps": ("histogram", set()),
    "assist_questions": ("counter", {"kind"}),
    "assist_questions_in_flight": ("gauge", set()),
}

CLOSED: Mapping[str, set[str]] = {
    "bound": set(Bound),
    "charged": set(Charged),
    "code": {*Code, "other"},
    "kind": {*Kind, "failed", "stopped", "other", "fresh", "cache_write", "cache_read", "output"},
    "judged": set(Judged),
    "moderator": {*MODERATORS, "other"},
    "outcome": {*OUTCOMES, "other"},
    "verdict": set(Verdict),
}
"""What each label may say. `model`, `provider` and `purpose` are the settings'; `route` is a pattern of ours."""
