"""What a purge of the tests keeps how long, and what it tells when nothing was due."""

import datetime as dt
from collections.abc import Mapping

MANUAL_DAYS, LIVE_DAYS, AUDIT_DAYS = 90, 30, 400

A_DAY = dt.timedelta(days=1)

MOMENT = dt.timedelta(microseconds=1)

NOTHING = {
    "exchanges": 0,
    "conversations": 0,
    "idempotent_replies": 0,
    "pending_writes": 0,
    "question_rates": 0,
    "llm_calls": 0,
    "audit": 0,
    "erased_late": 0,
    "reservations_settled": 0,
}


def went(**rows: int) -> Mapping[str, int]:
    return {**NOTHING, **rows}
