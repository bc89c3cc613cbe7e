"""What a check says of an answer: a word of the contract, and nothing of the LMS's content."""

import json

import httpx2
import pytest

from assist_service.adapters.lms.checking.judging import judge
from assist_service.adapters.lms.wire import Answer
from assist_service.domain.lms_check import Outcome, Report, Rule, Verdict
from assist_service.domain.school import Course, Page, PoolStats
from assist_service.ports import LmsFaultKind

CANARY = "Zéphyrine canary"


def answer(body: object, *, status: int = 200, media_type: str = "application/json") -> Answer:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(status, httpx2.Headers({"content-type": media_type}), raw)


@pytest.mark.parametrize(
    ("given", "verdict", "why"),
    [
        (answer({"items": [], "next": None}), "works", ""),
        (answer({}, status=404), "missing", "status 404, 200 was due"),
        (answer({}, status=500), "wrong", "status 500, 200 was due"),
        (answer({"error": "invalid_grant"}, status=400), "wrong", "status 400 invalid_grant, 200 was due"),
        (answer({"error": CANARY}, status=400), "wrong", "status 400, 200 was due"),
        (answer({}, media_type="text/html"), "wrong", "not JSON: another content-type than application/json"),
        (answer(b"{"), "wrong", "not JSON, or not strictly"),
        (answer(b"\xff"), "wrong", "not JSON, or not strictly"),
        (answer(b'{"items": [], "items": []}'), "wrong", "not JSON, or not strictly"),
        (answer({"items": [], "x": "\x00"}), "wrong", "the JSON holds a NUL character"),
        (answer([CANARY]), "wrong", "another shape than Page[Course]: the whole ("),
        (answer({"items": [{"id": CANARY, "title": 7}]}), "wrong", "items.0.id (uuid_parsing), items.0.title (string_"),
        (answer({"items": [{}] * 9}), "wrong", "15 more"),
        (LmsFaultKind.UNAVAILABLE, "wrong", "no answer in time, or none at all"),
        (LmsFaultKind.TOO_LARGE, "wrong", "an answer above 2 MiB"),
    ],
)  # fmt: skip
def test_an_answer_is_judged(given: Answer | LmsFaultKind, verdict: str, why: str) -> None:
    outcome, _ = judge(given, Page[Course])
    assert outcome.verdict == verdict
    assert why in outcome.why
    assert CANARY not in outcome.why


def test_a_key_of_the_content_is_not_told() -> None:
    stats = {"questions": 1, "published": 1, "drafts": 0, "by_type": {CANARY: "many"}}
    outcome, _ = judge(answer(stats), PoolStats)
    assert "by_type.*" in outcome.why
    assert CANARY not in outcome.why


@pytest.mark.parametrize("verdict", Verdict)
def test_green_is_only_what_was_seen_to_hold(verdict: Verdict) -> None:
    good = Outcome(Verdict.WORKS)
    report = Report(endpoints={"GET /a": good}, rules={Rule.REVOKED: Outcome(verdict)})
    assert report.is_green == (verdict in (Verdict.WORKS, Verdict.KEPT, Verdict.NOT_NEEDED))
    assert not Report(endpoints={}, rules={}).is_green
