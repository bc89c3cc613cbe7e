"""What a tool is: a name, arguments, an effect, and a run that has no more than its desk."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict

from assist_service.domain.citations import Given
from assist_service.domain.looked_up import Miss
from assist_service.domain.loop import Ending
from assist_service.domain.manual import Audience, Publication
from assist_service.domain.messages import ToolSpec
from assist_service.domain.policy import Disclosure
from assist_service.domain.records import Found, Known
from assist_service.domain.screens import Language
from assist_service.ports import SchoolReads, SectionIndex

OPEN_ONLY = frozenset({Disclosure.OPEN})

RESULT_CHARACTERS = 24_000
"""A result longer than this is cut, with a word on how to narrow the request (row A10)."""

ARGUMENTS = ConfigDict(extra="forbid", strict=True, frozen=True)


class Effect(StrEnum):
    """What a call does: reads something for the model, or ends the question."""

    READ = "read"
    END = "end"


class Family(StrEnum):
    """Which of the policy's switches a tool stands behind; the last stands behind none."""

    MANUAL = "manual"
    DATA = "data"
    CONVERSING = "conversing"


@dataclass(frozen=True)
class Desk:
    """All a tool may use in one question: the person's manual, pinned, and what was given of it so far."""

    publication: Publication
    index: SectionIndex
    audiences: frozenset[Audience]
    language: Language
    given: Given
    known: Known
    reads: SchoolReads
    """The LMS as the person sees it; nothing is asked of it before a tool does."""


@dataclass(frozen=True)
class Said:
    """What the model reads of a call."""

    text: str
    is_error: bool = False
    miss: Miss | None = None
    """Why a look-up brought nothing: the person is told, whatever the model makes of it."""


@dataclass(frozen=True)
class Tool:
    """One tool. `run` gets arguments that `arguments` has validated."""

    name: str
    description: str
    family: Family
    effect: Effect
    disclosures: frozenset[Disclosure]
    """How its results can be shown to a model; a policy that asks for another is refused at start."""
    arguments: type[BaseModel]
    run: Callable[[Any, Desk], Awaitable[Said | Found | Ending]]
    needs: frozenset[str] = frozenset()
    """The methods of `ports.SchoolReads` it calls: an LMS that lacks one does not have the tool."""

    @cached_property
    def spec(self) -> ToolSpec:
        """The tool as the model sees it; made once, for a schema takes longer than a search."""
        return ToolSpec(self.name, self.description, self.arguments.model_json_schema())
