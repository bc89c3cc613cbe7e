"""The eight lookups: a model chooses one and fills in a few words; what is found, the service words itself (row J6)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from assist_service.domain.live.asking import Brought, Plan, Read
from assist_service.domain.live.finding import Looked
from assist_service.domain.live.plans import plan
from assist_service.domain.live.query import (
    DEFAULT_ROWS,
    MOST_ROWS,
    OPERATIONS,
    TAKES,
    Lookup,
    Query,
    RecordKind,
    Search,
)
from assist_service.domain.live.scope import Ask
from assist_service.domain.policy import Disclosure
from assist_service.domain.references import PLACEHOLDERS
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads
from assist_service.tools.looking_up import FAULTS, MISSES
from assist_service.tools.shared_reads import SharedReads
from assist_service.tools.tool import ARGUMENTS, Desk, Effect, Family, Said, Tool

SEALED_ONLY = frozenset({Disclosure.SEALED})

_SEARCH: Mapping[RecordKind, str] = {kind: f"{kind.value}_search" for kind in RecordKind}
"""What an argument is called that holds the search words for a record."""

_DESCRIBED: Mapping[RecordKind, str] = {
    kind: f"Words of a {kind.value}'s name as the person wrote them; `{placeholder}` for the one they selected; "
    "left out where they named none."
    for kind, placeholder in PLACEHOLDERS.items()
}

DESCRIPTIONS: Mapping[Lookup, str] = {
    Lookup.CLASSES: "The person's own classes: a list with course and number of students, or how many there are.",
    Lookup.STUDENTS: "The students of the person's classes, or of one class: a list, or how many there are.",
    Lookup.EXAMS: "The exams of the person's classes, or of one: a list with where each stands, or how many there are.",
    Lookup.CLASS_PERFORMANCE: "How a class did: over its released exams together, or by exam.",
    Lookup.STUDENT_PERFORMANCE: "How one student did in a class: over the released exams together, or by exam.",
    Lookup.EXAM_RESULTS: (
        "The results of one released exam: the marks by student, the highest or the lowest of them, one student's, "
        "or a summary."
    ),
    Lookup.RANKINGS: "The ranking of a class as the platform's leaderboard has it: its top, its bottom, or one place.",
    Lookup.PARTICIPATION: "Who has not taken a released exam, who has, or which share of the students.",
}
"""What a model reads of each; `TAKES` and `OPERATIONS` say the rest."""

NEEDS: Mapping[Lookup, frozenset[str]] = {
    Lookup.CLASSES: frozenset({"classrooms"}),
    Lookup.STUDENTS: frozenset({"classrooms", "students"}),
    Lookup.EXAMS: frozenset({"classrooms", "evaluations"}),
    Lookup.CLASS_PERFORMANCE: frozenset({"classrooms", "gradebook"}),
    Lookup.STUDENT_PERFORMANCE: frozenset({"classrooms", "students", "gradebook"}),
    Lookup.EXAM_RESULTS: frozenset({"classrooms", "students", "evaluations", "gradebook"}),
    Lookup.RANKINGS: frozenset({"classrooms", "students", "leaderboard"}),
    Lookup.PARTICIPATION: frozenset({"classrooms", "evaluations", "gradebook"}),
}
"""What each asks of the LMS: one that lacks any of it does not have the lookup."""


def _arguments(lookup: Lookup) -> type[BaseModel]:
    """The arguments of a lookup: its operation, the words it is narrowed by, and a limit."""
    operations = tuple(operation.value for operation in OPERATIONS[lookup])
    fields: dict[str, Any] = {"operation": (Literal[operations], operations[0])}
    for kind in RecordKind:
        if kind in TAKES[lookup]:
            fields[_SEARCH[kind]] = (Search | None, Field(default=None, description=_DESCRIBED[kind]))
    fields["limit"] = (Annotated[int, Field(ge=1, le=MOST_ROWS)], DEFAULT_ROWS)
    return create_model(f"Of_{lookup.value}", __config__=ARGUMENTS, __doc__="A lookup.", **fields)


def query_of(lookup: Lookup, arguments: BaseModel) -> Query:
    """The lookup that these arguments ask for."""
    given = arguments.model_dump()
    searches = {kind: words for kind, name in _SEARCH.items() if (words := given.get(name)) is not None}
    return Query(lookup=lookup, operation=given["operation"], searches=searches, limit=given["limit"])


async def look_up(query: Query, desk: Desk) -> Looked | Said:
    """What a lookup came to, or why it brought nothing. Raises LmsFault where the person's session ended."""
    ask = Ask(query, selected=desk.selected, on_screen=desk.on_screen)
    try:
        return await driven(plan(ask), desk.reads.for_tool(query.lookup.value), desk.shared_reads)
    except LmsFault as fault:
        if fault.kind is LmsFaultKind.SESSION_ENDED:
            raise
        return Said(FAULTS[fault.kind], is_error=True, miss=MISSES[fault.kind])


async def driven(asking: Plan, reads: SchoolReads, shared: SharedReads) -> Looked:
    """Runs a plan to its end. What it computes between its reads it does in a thread: a large school's names take a
    while to compare, and meanwhile others are answered. Raises LmsFault."""
    brought: Mapping[Read, Brought] | None = None
    while True:
        step = await asyncio.to_thread(_advanced, asking, brought)
        if isinstance(step, _Ended):
            return step.looked
        brought = await shared.bring(step, reads)


@dataclass(frozen=True)
class _Ended:
    looked: Looked


def _advanced(asking: Plan, brought: Mapping[Read, Brought] | None) -> tuple[Read, ...] | _Ended:
    """The next step; no StopIteration gets out of a thread."""
    try:
        return next(asking) if brought is None else asking.send(brought)
    except StopIteration as stop:
        return _Ended(stop.value)


def _run(lookup: Lookup) -> Callable[[Any, Desk], Awaitable[Looked | Said]]:
    async def run(arguments: BaseModel, desk: Desk) -> Looked | Said:
        return await look_up(query_of(lookup, arguments), desk)

    return run


LOOKUPS = tuple(
    Tool(
        name=lookup.value,
        description=DESCRIPTIONS[lookup],
        family=Family.LIVE,
        effect=Effect.READ,
        disclosures=SEALED_ONLY,
        arguments=_arguments(lookup),
        run=_run(lookup),
        needs=NEEDS[lookup],
    )
    for lookup in Lookup
)
"""Every tool of this family."""
