"""A write that comes again under its Idempotency-Key gets the answer it got, and writes nothing."""

import hashlib
import json
from datetime import datetime

from examples.reference_lms.api.look import Answer
from examples.reference_lms.api.refusals import Refusal
from examples.reference_lms.store import Store

KEPT_SECONDS = 48 * 3600
"""The contract asks for 24 hours; the double leaves room for clocks and queues."""


def find_answer(store: Store, *, person: str, key: str, request: str) -> Answer | None:
    """What this very request was answered; raises where the key was used for another one."""
    row = store.row(
        "SELECT digest, body FROM kept_answer WHERE person = :person AND key = :key", person=person, key=key
    )
    if row is None:
        return None
    if row["digest"] != _digest(request):
        raise Refusal("idempotency_mismatch")
    answer: Answer = json.loads(row["body"])
    return answer


def keep_answer(store: Store, answer: Answer, *, person: str, key: str, request: str, at: datetime) -> None:
    """In the transaction of the write itself: there is never one without the other."""
    store.run("DELETE FROM kept_answer WHERE at < :oldest", oldest=at.timestamp() - KEPT_SECONDS)
    store.run(
        "INSERT OR REPLACE INTO kept_answer VALUES (:person, :key, :digest, :body, :at)",
        person=person,
        key=key,
        digest=_digest(request),
        body=json.dumps(answer),
        at=at.timestamp(),
    )


def _digest(request: str) -> str:
    return hashlib.sha256(request.encode()).hexdigest()
