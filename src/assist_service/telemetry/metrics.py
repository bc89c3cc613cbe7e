"""Every metric there is, with its labels: each explained in docs/operations.md, none about a person."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()

SECONDS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 90.0, 120.0)
"""From a page of the manual to a question at its deadline."""

PROVIDER_SECONDS_BUCKETS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 90.0, 120.0)

STEPS = (0, 1, 2, 3, 4, 5, 6, 8, 12)


def _counter(name: str, words: str, *labels: str) -> Counter:
    return Counter(name, words, labels, registry=REGISTRY)


def _gauge(name: str, words: str, *labels: str) -> Gauge:
    return Gauge(name, words, labels, registry=REGISTRY)


def _histogram(name: str, words: str, *labels: str, buckets: tuple[float, ...] = SECONDS) -> Histogram:
    return Histogram(name, words, labels, registry=REGISTRY, buckets=buckets)


QUESTIONS = _counter("assist_questions", "Questions answered, by kind of answer.", "kind")
QUESTION_SECONDS = _histogram("assist_question_seconds", "Time of a question, by kind of answer, or failed.", "kind")
QUESTION_STEPS = _histogram("assist_question_steps", "Provider requests that a question took.", buckets=STEPS)
QUESTIONS_IN_FLIGHT = _gauge("assist_questions_in_flight", "Questions being answered now.")

PROBLEMS = _counter("assist_problems", "Requests refused, by code.", "code")
REQUEST_SECONDS = _histogram(
    "assist_http_request_seconds", "Time to answer, by route and status.", "method", "route", "status"
)

PROVIDER_REQUESTS = _counter(
    "assist_provider_requests",
    "Provider requests settled, by how they ended and what was charged.",
    *("provider", "model", "outcome", "charged"),
)
PROVIDER_SECONDS = _histogram(
    "assist_provider_seconds",
    "Time a provider took to answer or to fail.",
    *("model", "outcome"),
    buckets=PROVIDER_SECONDS_BUCKETS,
)
PROVIDER_TOKENS = _counter("assist_provider_tokens", "Tokens as the provider counted them.", "model", "kind")
PROVIDER_COST = _counter(
    "assist_provider_cost_micros", "Money settled, in micro-units of a USD.", "model", "purpose", "charged"
)
PROVIDER_WORST = _counter(
    "assist_provider_worst_micros", "What the same requests had reserved.", "model", "purpose", "charged"
)
BREAKER = _gauge("assist_breaker_state", "Circuit breaker: 0 closed, 1 half open, 2 open.", "model")

BUDGET_CAP = _gauge("assist_budget_cap_micros", "What a day may cost.")
BUDGET_SHARE = _gauge("assist_budget_chat_share_micros", "What of it questions may cost.")
BUDGET_SPENT = _gauge("assist_budget_spent_micros", "Spent today, by all replicas.", "purpose")
BUDGET_RESERVED = _gauge("assist_budget_reserved_micros", "Reserved today and not settled, by all replicas.", "purpose")
BUDGET_REFUSALS = _counter(
    "assist_budget_refusals", "Requests that the budget did not admit, by the bound they met.", "purpose", "bound"
)
BUDGET_UP = _gauge("assist_budget_up", "Whether the ledger could be read for this scrape.")

MODERATIONS = _counter(
    "assist_moderations",
    "Texts judged, by moderator, by whose they are, and by verdict.",
    "moderator",
    "judged",
    "verdict",
)
MODERATION_SECONDS = _histogram("assist_moderation_seconds", "Time to judge a text, or to fail at it.", "moderator")
MODERATION_REQUESTS = _counter(
    "assist_moderation_requests", "Requests to the provider's moderation, by how they ended.", "outcome"
)

PUBLICATION_LIVE = _gauge("assist_publication_live", "Whether this replica has a manual to answer from.")

PURGE_EVERY = _gauge("assist_purge_every_seconds", "How often this replica purges; 0 where it does not.")
PURGE_SUCCEEDED = _gauge("assist_purge_succeeded_timestamp_seconds", "When it last did, or began to be due.")
PURGED_ROWS = _counter("assist_purged_rows", "Rows that this replica's purges deleted or settled.", "table")
