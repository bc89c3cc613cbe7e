"""Questions, transcripts and reports of evaluations as tests make them."""

import datetime as dt
from typing import Any

from assist_service.domain.conversation import Kind
from assist_service.domain.evaluating.criteria import CallMade, Criterion, Transcript, Verdict
from assist_service.domain.evaluating.questions import ExpectedLookup, Question
from assist_service.domain.evaluating.report import Report, Result
from assist_service.domain.live.query import Lookup, Operation, RecordKind
from assist_service.domain.people import Role
from assist_service.domain.screens import Language

LOOKUP = ExpectedLookup(
    tool=Lookup.EXAM_RESULTS,
    operations=(Operation.HIGHEST, Operation.LIST),
    words={RecordKind.EXAM: "Éclipse test"},
    selected={RecordKind.CLASS: "Physics 10A"},
    limit=3,
)

OF_LIVE = Question(
    group="live",
    role=Role.TEACHER,
    language=Language.ENGLISH,
    question="who did best?",
    kinds=frozenset({Kind.LIVE}),
    lookup=LOOKUP,
)

OF_MANUAL = Question(
    group="manual",
    role=Role.TEACHER,
    language=Language.FRENCH,
    question="comment faire ?",
    kinds=frozenset({Kind.MANUAL}),
    pages=("teacher/pools", "teacher/questions"),
    unsaid=("BANANA  split",),
)


def looked_up(tool: str = "query_exam_results", **arguments: Any) -> CallMade:
    """A call of a lookup; without arguments, the very one that OF_LIVE expects."""
    return CallMade(
        tool=tool, arguments=arguments or {"operation": "highest", "exam_search": "the eclipse TEST", "limit": 3}
    )


def of_live(*calls: CallMade, **changes: Any) -> Transcript:
    """A good answer to OF_LIVE, or what a test makes of it."""
    good: dict[str, Any] = {"kind": Kind.LIVE, "cited": (), "language": Language.ENGLISH, "answer": "Table"}
    return Transcript(calls=calls or (looked_up(),), **(good | changes))


def of_manual(**changes: Any) -> Transcript:
    """A good answer to OF_MANUAL, or what a test makes of it."""
    good: dict[str, Any] = {
        "calls": (CallMade(tool="search_guide", arguments={"query": "x"}),),
        "kind": Kind.MANUAL,
        "cited": ("shared/languages", "teacher/questions"),
        "language": Language.FRENCH,
        "answer": "Voilà [1].",
    }
    return Transcript(**(good | changes))


def result(number: int, *, passed: bool = True, **changes: Any) -> Result:
    """A result with one verdict."""
    why = "" if passed else "refusal instead of manual"
    told: dict[str, Any] = {
        "number": number,
        "group": "teacher",
        "role": Role.TEACHER,
        "language": Language.ENGLISH,
        "question": f"question {number}",
        "kind": Kind.MANUAL,
        "verdicts": (Verdict(criterion=Criterion.KIND, passed=passed, why=why),),
        "requests": 2,
        "cost_micros": 1_000,
        "seconds": 0.5,
    }
    return Result(**(told | changes))


def report(*results: Result, **changes: Any) -> Report:
    """A report of these results, of a set that has no other questions."""
    told: dict[str, Any] = {
        "schema_version": 1,
        "set": "manual",
        "questions": len(results),
        "questions_digest": "0123456789abcdef",
        "model": "stub",
        "policy": "school-manuals",
        "corpus_version": "c0",
        "started_at": dt.datetime(2026, 11, 2, 9, 30, tzinfo=dt.UTC),
        "cap_micros": 2_000_000,
        "cost_micros": sum(each.cost_micros for each in results),
        "stopped": None,
        "results": results,
    }
    return Report(**(told | changes))
