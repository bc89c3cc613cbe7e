"""What is counted, where it happens; a label's value comes from a closed set, and is `other` beside it."""

import datetime as dt
import itertools
from asyncio import CancelledError
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from assist_service.domain.breaker import State
from assist_service.domain.budget import ASSIST
from assist_service.domain.conversation import Kind
from assist_service.domain.errors import Code
from assist_service.domain.messages import Usage
from assist_service.domain.moderation import MODERATORS, Judged, Verdict
from assist_service.domain.outcomes import OK, OUTCOMES, Bound, Charged
from assist_service.telemetry import metrics

_KINDS = frozenset(Kind)
_CODES = frozenset(Code)

OTHER = "other"
"""Stands for whatever a closed set does not name: a label must stay bounded, whoever chose the word."""

FAILED = "failed"
"""The kind of a question that came to no answer."""

STOPPED = "stopped"
"""The kind of a question that nobody wanted answered any more."""

PURGED = frozenset(
    {
        "exchanges",
        "conversations",
        "idempotent_replies",
        "pending_writes",
        "question_rates",
        "llm_calls",
        "audit",
        "erased_late",
        "reservations_settled",
    }
)
"""What a purge tells numbers of."""

_NEVER_COUNTED = (Charged.WORST_CASE, Charged.NOTHING)

ENDS: Mapping[str, Sequence[Charged]] = {**dict.fromkeys((*OUTCOMES, OTHER), _NEVER_COUNTED), OK: tuple(Charged)}
"""All that a provider request can come to, and what it may be charged then: only a reply brings counts."""

_models: set[str] = set()
_purposes: set[str] = {ASSIST}

_BREAKER_VALUES: Mapping[State, int] = {State.CLOSED: 0, State.HALF_OPEN: 1, State.OPEN: 2}


def declare(*, models: Collection[str], purposes: Collection[str], cap_micros: int, share_micros: int) -> None:
    """Names the models and purposes that may be labels, as settings have them, and what a day may cost.

    Counters that an alert watches begin at 0: Prometheus sees no increase in a series that begins at 1.
    """
    _models.update(models)
    _purposes.update(purposes)
    metrics.BUDGET_CAP.set(cap_micros)
    metrics.BUDGET_SHARE.set(share_micros)
    for purpose in (ASSIST, *purposes):
        for bound in (Bound.SHARE, Bound.CAP) if purpose == ASSIST else (Bound.CAP,):
            metrics.BUDGET_REFUSALS.labels(purpose, bound)
    for model in models:
        _begin(model, (ASSIST, *purposes))
    for code in Code:
        metrics.PROBLEMS.labels(code.value)
    for kind in (*Kind, FAILED, STOPPED):
        metrics.QUESTION_SECONDS.labels(kind)
    for moderator in (*MODERATORS, OTHER):
        metrics.MODERATION_SECONDS.labels(moderator)
        for judged, verdict in itertools.product(Judged, Verdict):
            metrics.MODERATIONS.labels(moderator, judged, verdict)
    for outcome in (*OUTCOMES, OTHER):
        metrics.MODERATION_REQUESTS.labels(outcome)


def _begin(model: str, purposes: Collection[str]) -> None:
    """Whatever may be counted of a model is there before its first request."""
    for outcome, charges in ENDS.items():
        for charged in charges:
            metrics.PROVIDER_REQUESTS.labels(_provider(model), model, outcome, charged)
    for purpose in purposes:
        for charged in Charged:
            metrics.PROVIDER_COST.labels(model, purpose, charged)
            metrics.PROVIDER_WORST.labels(model, purpose, charged)
    metrics.PROVIDER_SECONDS.labels(model, OK)  # how long faults take no alert watches, and each is many series


def _one_of(value: str, closed: Collection[str]) -> str:
    return value if value in closed else OTHER


def _provider(model: str) -> str:
    return model.partition(":")[0]


def count_question(kind: str) -> None:
    metrics.QUESTIONS.labels(_one_of(kind, _KINDS)).inc()


@dataclass
class QuestionTold:
    """What a question came to, as far as that is known."""

    kind: Kind | None = None


@contextmanager
def question(monotonic: Callable[[], float]) -> Iterator[QuestionTold]:
    """Counts a question in flight, and however it ends how long it took; without a kind it failed or was stopped."""
    told, began, unanswered = QuestionTold(), monotonic(), FAILED
    metrics.QUESTIONS_IN_FLIGHT.inc()
    try:
        yield told
    except CancelledError:
        unanswered = STOPPED
        raise
    finally:
        metrics.QUESTIONS_IN_FLIGHT.dec()
        kind = unanswered if told.kind is None else told.kind.value
        metrics.QUESTION_SECONDS.labels(kind).observe(monotonic() - began)


def observe_steps(steps: int) -> None:
    """How many provider requests a question took, the failed ones too."""
    metrics.QUESTION_STEPS.observe(steps)


def count_problem(code: str) -> None:
    metrics.PROBLEMS.labels(_one_of(code, _CODES)).inc()


def count_provider_request(
    *, model: str, purpose: str, outcome: str, usage: Usage | None, cost_micros: int, worst_micros: int
) -> None:
    """One provider request that was settled; `usage` is None where its worst case was charged, or nothing."""
    model, purpose = _one_of(model, _models), _one_of(purpose, _purposes)
    charged = Charged.COUNTED if usage is not None else Charged.WORST_CASE if cost_micros else Charged.NOTHING
    metrics.PROVIDER_REQUESTS.labels(_provider(model), model, _one_of(outcome, OUTCOMES), charged).inc()
    metrics.PROVIDER_COST.labels(model, purpose, charged).inc(cost_micros)
    metrics.PROVIDER_WORST.labels(model, purpose, charged).inc(worst_micros)
    for kind, tokens in _tokens(usage).items():
        metrics.PROVIDER_TOKENS.labels(model, kind).inc(tokens)


def _tokens(usage: Usage | None) -> Mapping[str, int]:
    if usage is None:
        return {}
    return {
        "fresh": usage.input_tokens,
        "cache_write": usage.cache_write_tokens,
        "cache_read": usage.cached_input_tokens,
        "output": usage.output_tokens,
    }


def observe_provider(*, model: str, outcome: str, seconds: float) -> None:
    """How long a provider took to answer or to fail."""
    metrics.PROVIDER_SECONDS.labels(_one_of(model, _models), _one_of(outcome, OUTCOMES)).observe(seconds)


def count_budget_refusal(*, purpose: str, bound: Bound) -> None:
    """A request that its budget did not admit, and what stood in its way."""
    metrics.BUDGET_REFUSALS.labels(_one_of(purpose, _purposes), bound.value).inc()


def count_moderation(*, moderator: str, judged: Judged, verdict: Verdict, seconds: float) -> None:
    """One text that was judged, or was to be; `moderator` as its name has it, of which the kind is told."""
    kind = _one_of(moderator.partition(":")[0], MODERATORS)
    metrics.MODERATIONS.labels(kind, judged, verdict).inc()
    metrics.MODERATION_SECONDS.labels(kind).observe(seconds)


def count_moderation_request(outcome: str) -> None:
    """One request to a provider's moderation, tries that failed too."""
    metrics.MODERATION_REQUESTS.labels(_one_of(outcome, OUTCOMES)).inc()


def set_breaker(*, model: str, state: State) -> None:
    """A circuit breaker's state after it may have changed."""
    metrics.BREAKER.labels(_one_of(model, _models)).set(_BREAKER_VALUES[state])


def show_budget(money: Mapping[str, tuple[int, int]] | None) -> None:
    """Micro-units spent and reserved today by purpose; None where nobody knows, and then nothing is shown of it."""
    metrics.BUDGET_UP.set(money is not None)
    metrics.BUDGET_SPENT.clear()
    metrics.BUDGET_RESERVED.clear()
    if money is None:
        return
    for purpose in _purposes:  # a day that has just begun is at 0, not absent
        metrics.BUDGET_SPENT.labels(purpose)
        metrics.BUDGET_RESERVED.labels(purpose)
    for purpose, (spent_micros, reserved_micros) in money.items():
        label = _one_of(purpose, _purposes)
        metrics.BUDGET_SPENT.labels(label).inc(spent_micros)
        metrics.BUDGET_RESERVED.labels(label).inc(reserved_micros)


def show_publication(*, is_live: bool) -> None:
    metrics.PUBLICATION_LIVE.set(is_live)


def show_purge_schedule(*, every_seconds: float, at: dt.datetime) -> None:
    """A replica that purges by itself: from now on a success is due."""
    metrics.PURGE_EVERY.set(every_seconds)
    metrics.PURGE_SUCCEEDED.set(at.timestamp())


def count_purged(rows: Mapping[str, int], *, at: dt.datetime) -> None:
    """A purge that came to its end; `rows` by table."""
    metrics.PURGE_SUCCEEDED.set(at.timestamp())
    for table, number in rows.items():
        metrics.PURGED_ROWS.labels(_one_of(table, PURGED)).inc(number)


def observe_request(*, method: str, route: str, status: int, seconds: float) -> None:
    metrics.REQUEST_SECONDS.labels(method, route, str(status)).observe(seconds)
