"""How a tool looks something up: ids that nobody gave are never sent, and what failed is told plainly."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from assist_service.domain.looked_up import Miss
from assist_service.domain.policy import Disclosure
from assist_service.domain.records import Found
from assist_service.domain.screens import EntityKind
from assist_service.ports import LmsFault, LmsFaultKind, SchoolReads
from assist_service.tools.tool import Desk, Effect, Family, Said, Tool

NO_SEAT = (
    "The person holds no seat on the course this belongs to, or it does not exist. Say so plainly; nothing else "
    "you could call would show it."
)
"""The one answer for what is theirs, what is nobody's and what was made up (rows A9, J2)."""

FAULTS: Mapping[LmsFaultKind, str] = {
    LmsFaultKind.NOT_FOUND: NO_SEAT,
    LmsFaultKind.REFUSED: "The platform refused this request. Say that it could not be looked up.",
    LmsFaultKind.UNAVAILABLE: "The platform did not answer. Say that it could not be looked up just now.",
    LmsFaultKind.MALFORMED: "The platform's answer could not be read. Say that it could not be looked up just now.",
    LmsFaultKind.TOO_LARGE: "The platform's answer was too long to be read. Say so, and narrow your request.",
}
"""What the model reads of a look-up that failed; a session that ended ends the question instead."""

MISSES: Mapping[LmsFaultKind, Miss] = {
    LmsFaultKind.NOT_FOUND: Miss.ABSENT,
    LmsFaultKind.REFUSED: Miss.REFUSED,
    LmsFaultKind.UNAVAILABLE: Miss.SILENT,
    LmsFaultKind.MALFORMED: Miss.SILENT,
    LmsFaultKind.TOO_LARGE: Miss.REFUSED,
}
"""What the person is told of it."""

Arguments = TypeVar("Arguments", bound=BaseModel)

ANY_FORM = frozenset({Disclosure.OPEN, Disclosure.MASKED})


def _guarded(
    run: Callable[[Arguments, Desk, SchoolReads], Awaitable[Found]], tool: str, kinds: Mapping[str, EntityKind]
) -> Callable[[Arguments, Desk], Awaitable[Said | Found]]:
    """A run that refuses ids nobody was given, and tells the model plainly what failed."""

    async def run_guarded(arguments: Arguments, desk: Desk) -> Said | Found:
        for name, kind in kinds.items():
            wanted: Any = getattr(arguments, name)
            if wanted is not None and not desk.known.holds(kind, wanted):
                return _nothing(LmsFaultKind.NOT_FOUND)
        try:
            return await run(arguments, desk, desk.reads.for_tool(tool))
        except LmsFault as fault:
            if fault.kind is LmsFaultKind.SESSION_ENDED:
                raise
            return _nothing(fault.kind)

    return run_guarded


def _nothing(kind: LmsFaultKind) -> Said:
    return Said(FAULTS[kind], is_error=True, miss=MISSES[kind])


def lookup(
    name: str,
    description: str,
    arguments: type[BaseModel],
    run: Callable[[Any, Desk, SchoolReads], Awaitable[Found]],
    *,
    needs: str,
    kinds: Mapping[str, EntityKind] | None = None,
    disclosures: frozenset[Disclosure] = ANY_FORM,
) -> Tool:
    """A tool that calls one method of the LMS; `kinds` says which of its arguments are ids, and of what."""
    return Tool(
        name=name,
        description=description,
        family=Family.DATA,
        effect=Effect.READ,
        disclosures=disclosures,
        arguments=arguments,
        run=_guarded(run, name, kinds or {}),
        needs=frozenset({needs}),
    )
